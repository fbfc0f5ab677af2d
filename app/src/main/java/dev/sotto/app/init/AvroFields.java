package dev.sotto.app.init;

import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.schema.FieldShape;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.generic.IndexedRecord;
import org.apache.avro.io.DecoderFactory;

/** Reads the fields of an Avro schema, and the values of its records, into a sample. */
final class AvroFields {
  private static final int DEEPEST = 16; // names of a path

  private final Sample sample;
  private final Schema schema;
  private final GenericDatumReader<Object> reader;
  private final byte[] header;
  private final List<String> path = new ArrayList<>();
  private boolean raw;

  /** The fields of a schema, which must be a record. */
  AvroFields(Sample sample, Schema schema) {
    this.sample = sample;
    this.schema = schema;
    this.reader = new GenericDatumReader<>(schema);
    this.header = SingleObject.header(schema);
    SchemaFields.declare(sample, FieldShape.of(schema));
  }

  /** Adds the values of one record, with Avro's single-object header or without. */
  void add(byte[] value) {
    if (value == null) {
      sample.unreadable("it has no value");
      return;
    }
    boolean framed = value.length >= header.length
        && Arrays.equals(value, 0, header.length, header, 0, header.length);
    int from = framed ? header.length : 0;
    try {
      var in = DecoderFactory.get().binaryDecoder(value, from, value.length - from, null);
      Object record = reader.read(null, in);
      if (!in.isEnd()) {
        throw new IOException("bytes are left over");
      }
      path.clear();
      values(schema, record, new HashSet<>());
      raw |= !framed;
      sample.read();
    } catch (IOException | RuntimeException | OutOfMemoryError other) {
      // Avro throws many kinds at bytes of others, whose lengths may be beyond any heap.
      sample.unreadable("it must be of the schema, but: " + other.getMessage()
          + (value.length > 0 && value[0] == 0
              ? " (records of a schema registry begin with a byte 0 and an id, which nothing here"
                  + " reads)"
              : ""));
    }
  }

  private void values(Schema part, Object value, Set<String> above) {
    switch (part.getType()) {
      case RECORD -> {
        if (path.size() < DEEPEST && above.add(part.getFullName())) {
          for (Schema.Field each : part.getFields()) {
            path.add(each.name());
            values(each.schema(), ((IndexedRecord) value).get(each.pos()), above);
            path.remove(path.size() - 1);
          }
          above.remove(part.getFullName());
        }
      }
      case UNION ->
        values(part.getTypes().get(GenericData.get().resolveUnion(part, value)), value, above);
      case INT, LONG, FLOAT, DOUBLE -> sample.field(path).number(((Number) value).doubleValue());
      case BOOLEAN -> sample.field(path).bool((Boolean) value);
      case STRING, ENUM -> sample.field(path).word(value.toString());
      default -> {}
    }
  }

  /** Whether a record had no header. */
  boolean isRaw() {
    return raw;
  }
}
