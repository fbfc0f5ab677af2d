package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.serdes.avro.SingleObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;

/**
 * Avro records of given schemas.
 *
 * @param headers what stands before a body of each schema
 */
record AvroValues(FieldTexts fields, List<Schema> schemas, List<byte[]> headers)
    implements RecordValues {
  /** With Avro's single-object header. */
  static AvroValues ofSingleObjects(FieldTexts fields, List<Schema> schemas) {
    return new AvroValues(
        fields, schemas, schemas.stream().map(SingleObject::header).toList());
  }

  /** With nothing before it. */
  static AvroValues raw(FieldTexts fields, Schema schema) {
    return new AvroValues(fields, List.of(schema), List.of(new byte[0]));
  }

  @Override
  public byte[] readable(Map<String, String> coordinates, Random random) {
    return write(random.nextInt(schemas.size()), fields.draw(coordinates, random));
  }

  private byte[] write(int which, Map<String, Object> values) {
    Schema schema = schemas.get(which);
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(headers.get(which));
    BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      new GenericDatumWriter<>(schema).write(made(schema, "", values), out);
      out.flush();
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  /** A datum whose field at a path is what the values say, where its type allows that. */
  private static Object made(Schema schema, String path, Map<String, Object> values) {
    Object value = values.get(path);
    double number = value instanceof Double given ? given : 0;
    return switch (schema.getType()) {
      case RECORD -> {
        GenericData.Record all = new GenericData.Record(schema);
        String before = path.isEmpty() ? "" : path + ".";
        schema
            .getFields()
            .forEach(
                each -> all.put(each.pos(), made(each.schema(), before + each.name(), values)));
        yield all;
      }
      case UNION -> made(branch(schema, path, values), path, values);
      case STRING -> value == null ? "" : value.toString();
      case ENUM -> {
        boolean known = value != null && schema.hasEnumSymbol(value.toString());
        yield new GenericData.EnumSymbol(
            schema, known ? value.toString() : schema.getEnumSymbols().get(0));
      }
      case DOUBLE -> number;
      case FLOAT -> (float) number;
      case LONG -> Math.round(number);
      case INT -> (int) Math.round(number);
      case BOOLEAN -> number > 0 || "true".equals(value);
      case ARRAY -> List.of();
      case MAP -> Map.of();
      case BYTES -> ByteBuffer.allocate(0);
      case FIXED -> new GenericData.Fixed(schema, new byte[schema.getFixedSize()]);
      case NULL -> null;
    };
  }

  private static Schema branch(Schema union, String path, Map<String, Object> values) {
    boolean read =
        values.keySet().stream().anyMatch(each -> each.equals(path) || each.startsWith(path + "."));
    return union.getTypes().stream()
        .filter(each -> read != (each.getType() == Schema.Type.NULL))
        .findFirst()
        .orElse(union.getTypes().get(0));
  }

  /** The body is followed by bytes that are none of it: nothing reads such a record. */
  @Override
  public byte[] padded(Map<String, String> coordinates, int bytes, Random random) {
    byte[] whole = readable(coordinates, random);
    return Arrays.copyOf(whole, whole.length + bytes);
  }

  @Override
  public byte[] wrong(Map<String, String> coordinates, Random random) {
    Map<String, Object> values = fields.draw(coordinates, random);
    values.replaceAll((path, value) -> {
      boolean sound = coordinates.containsKey(path) || random.nextBoolean();
      return sound ? value : value instanceof Double ? (Object) Double.NaN : "";
    });
    return write(random.nextInt(schemas.size()), values);
  }

  @Override
  public byte[] emptied(Map<String, String> coordinates) {
    return null;
  }

  @Override
  public byte[] head(Map<String, String> coordinates) {
    return new byte[0];
  }

  /** A schema that has all fields of some paths; dots in a path part names of records. */
  static Schema schema(String name, List<String> paths, Map<String, Object> sample) {
    Schema record = Schema.createRecord(name, null, "made", false);
    List<String> names =
        paths.stream().map(each -> each.split("\\.", 2)[0]).distinct().toList();
    record.setFields(names.stream()
        .map(each -> {
          List<String> below = paths.stream()
              .filter(path -> path.startsWith(each + "."))
              .map(path -> path.substring(each.length() + 1))
              .toList();
          Supplier<Schema> leaf = () -> Schema.create(
              sample.get(each) instanceof Double ? Schema.Type.DOUBLE : Schema.Type.STRING);
          Schema type = below.isEmpty()
              ? leaf.get()
              : schema(name + "_" + each, below, below(sample, each + "."));
          return new Schema.Field(each, type, null, (Object) null);
        })
        .toList());
    return record;
  }

  private static Map<String, Object> below(Map<String, Object> sample, String prefix) {
    Map<String, Object> some = new HashMap<>();
    sample.forEach((path, value) -> {
      if (path.startsWith(prefix)) {
        some.put(path.substring(prefix.length()), value);
      }
    });
    return some;
  }
}
