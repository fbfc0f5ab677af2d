package dev.sotto.serdes.feature;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.avro.message.BinaryMessageEncoder;

/** The flight of {@link Events#FLIGHT} in Avro, written by Avro's own writers. */
public final class AvroFlights {
  public static final Schema SCHEMA = new Schema.Parser().parse("""
              {"type": "record", "name": "Flight", "fields": [
                {"name": "notes", "type": {"type": "array", "items": ["null", "string"]}},
                {"name": "key", "type": "string"},
                {"name": "ts", "type": {"type": "long", "logicalType": "timestamp-millis"}},
                {"name": "x", "type": {"type": "record", "name": "Features", "fields": [
                  {"name": "carrier", "type": ["null", "string"]},
                  {"name": "origin", "type": {"type": "enum", "name": "Origin",
                    "symbols": ["HOU", "IAH"]}},
                  {"name": "dest", "type": "string"},
                  {"name": "month", "type": "int"},
                  {"name": "dow", "type": "long"},
                  {"name": "hour", "type": "float"},
                  {"name": "distance", "type": ["null", "double"]},
                  {"name": "dep_delay", "type": "int"}]}},
                {"name": "late", "type": "int"}]}
              """);

  private AvroFlights() {}

  private static GenericRecord flight() {
    Schema features = SCHEMA.getField("x").schema();
    var x = new GenericRecordBuilder(features)
        .set("carrier", "DL")
        .set("origin", new GenericData.EnumSymbol(features.getField("origin").schema(), "IAH"))
        .set("dest", "ATL")
        .set("month", 1)
        .set("dow", 6L)
        .set("hour", 5f)
        .set("distance", 689.0)
        .set("dep_delay", -1)
        .build();
    return new GenericRecordBuilder(SCHEMA)
        .set("notes", Arrays.asList("a", null, "b"))
        .set("key", "N980DL")
        .set("ts", 1293860940000L)
        .set("x", x)
        .set("late", 0)
        .build();
  }

  public static byte[] singleObject() {
    try {
      ByteBuffer buffer =
          new BinaryMessageEncoder<GenericRecord>(GenericData.get(), SCHEMA).encode(flight());
      byte[] bytes = new byte[buffer.remaining()];
      buffer.get(bytes);
      return bytes;
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  public static byte[] body() {
    var bytes = new ByteArrayOutputStream();
    try {
      BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
      new GenericDatumWriter<GenericRecord>(SCHEMA).write(flight(), out);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  public static byte[] frame(Schema writer, byte[] body) {
    return ByteBuffer.allocate(10 + body.length)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put((byte) 0xC3)
        .put((byte) 1)
        .putLong(SchemaNormalization.parsingFingerprint64(writer))
        .put(body)
        .array();
  }
}
