package dev.sotto.connectors.record;

import dev.sotto.serdes.avro.SchemaFiles;
import dev.sotto.serdes.avro.SingleObject;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.apache.avro.Schema.Field;
import org.apache.avro.Schema.Type;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;

/**
 * One kind of published record as a flat struct. Its columns follow from the record's Avro schema,
 * and their documentation is that of its fields:
 *
 * <table>
 *   <caption>Columns</caption>
 *   <tr><td>name</td><td>the field's, in snake case</td></tr>
 *   <tr><td>field of a record in the record</td><td>a column {@code outer_inner}</td></tr>
 *   <tr><td>bytes</td><td>lower-case hexadecimal text</td></tr>
 *   <tr><td>array</td><td>JSON text</td></tr>
 *   <tr><td>null or T</td><td>an optional column</td></tr>
 *   <tr><td>default</td><td>the column's, so that a table can be given it later</td></tr>
 * </table>
 *
 * <p>The weights of a chunk are left out: a column is no place for half a megabyte.
 */
final class FlatRecord {
  private static final String WEIGHTS = "weights";

  private final SingleObject format;
  private final Schema schema;
  private final List<Column> columns = new ArrayList<>();

  /** A column, and the fields that lead to its value. */
  private record Column(String name, List<String> path) {}

  /** The record type of this name. */
  FlatRecord(String name) {
    format = SingleObject.of(name);
    org.apache.avro.Schema avro = format.schema();
    SchemaBuilder builder = SchemaBuilder.struct()
        .name(avro.getFullName())
        .doc(avro.getDoc())
        .version(SchemaFiles.history(name).size() + 1);
    add(builder, avro, List.of(), "");
    schema = builder.build();
  }

  private void add(
      SchemaBuilder builder, org.apache.avro.Schema record, List<String> outer, String prefix) {
    for (Field field : record.getFields()) {
      List<String> path = new ArrayList<>(outer);
      path.add(field.name());
      String name = prefix + snakeCase(field.name());
      if (field.schema().getType() == Type.RECORD) {
        add(builder, field.schema(), path, name + "_");
      } else if (!field.name().equals(WEIGHTS)) {
        columns.add(new Column(name, path));
        builder.field(name, column(field));
      }
    }
  }

  private static Schema column(Field field) {
    org.apache.avro.Schema type = field.schema();
    boolean optional = type.getType() == Type.UNION;
    if (optional) {
      type = type.getTypes().get(1);
    }
    SchemaBuilder builder = switch (type.getType()) {
      case INT -> SchemaBuilder.int32();
      case LONG -> SchemaBuilder.int64();
      case DOUBLE -> SchemaBuilder.float64();
      case BOOLEAN -> SchemaBuilder.bool();
      case STRING, BYTES, ARRAY -> SchemaBuilder.string();
      default -> throw new IllegalStateException("no column can hold " + field);
    };
    builder.doc(documentation(field, type.getType()));
    if (optional) {
      return builder.optional().build();
    }
    if (field.hasDefaultValue()) { // else a table with rows could not be given this column
      builder.defaultValue(cell(GenericData.get().getDefaultValue(field)));
    }
    return builder.build();
  }

  private static String documentation(Field field, Type type) {
    return switch (type) {
      case BYTES -> field.doc() + " In hexadecimal.";
      case ARRAY -> field.doc() + " As JSON.";
      default -> field.doc();
    };
  }

  /** Such as run_id for runId. */
  private static String snakeCase(String name) {
    return name.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  Schema schema() {
    return schema;
  }

  /** The first ten bytes of each form in which such records have been written. */
  List<ByteBuffer> headers() {
    List<ByteBuffer> headers = new ArrayList<>();
    SchemaFiles.history(format.schema().getName()).forEach(each -> headers.add(header(each)));
    headers.add(header(format.schema()));
    return headers;
  }

  private static ByteBuffer header(org.apache.avro.Schema writer) {
    return ByteBuffer.wrap(SingleObject.header(writer));
  }

  /**
   * The struct of a record's bytes.
   *
   * @throws dev.sotto.serdes.avro.UnreadableRecordException where they are damaged
   */
  Struct read(byte[] bytes) {
    GenericRecord record = format.decode(bytes);
    Struct struct = new Struct(schema);
    for (Column column : columns) {
      Object value = record;
      for (String name : column.path()) {
        value = ((GenericRecord) value).get(name);
      }
      struct.put(column.name(), cell(value));
    }
    return struct;
  }

  private static Object cell(Object value) {
    if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      return HexFormat.of().formatHex(bytes);
    }
    return value instanceof CharSequence || value instanceof List<?> ? value.toString() : value;
  }
}
