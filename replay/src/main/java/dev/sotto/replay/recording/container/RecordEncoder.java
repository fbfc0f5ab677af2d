package dev.sotto.replay.recording.container;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.avro.Schema;
import org.apache.avro.SchemaNormalization;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.Header;

/** Encodes records by {@code RecordedRecord.avsc}; equal records have equal bytes. */
final class RecordEncoder {
  /** The schema of the records in a container. */
  static final Schema SCHEMA = schema();

  private final ByteArrayOutputStream buffer = new ByteArrayOutputStream();
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(buffer, null);

  /** Whether another schema writes the same bytes. */
  static boolean isCompatible(Schema other) {
    return SchemaNormalization.parsingFingerprint64(other)
        == SchemaNormalization.parsingFingerprint64(SCHEMA);
  }

  ByteBuffer encode(
      int partition, long offset, long timestamp, byte[] key, byte[] value, Header[] headers)
      throws IOException {
    buffer.reset();
    encoder.writeInt(partition);
    encoder.writeLong(offset);
    encoder.writeLong(timestamp);
    writeOptional(key);
    writeOptional(value);
    encoder.writeArrayStart();
    encoder.setItemCount(headers.length);
    for (Header each : headers) {
      encoder.startItem();
      encoder.writeString(each.key());
      writeOptional(each.value());
    }
    encoder.writeArrayEnd();
    encoder.flush();
    return ByteBuffer.wrap(buffer.toByteArray());
  }

  private void writeOptional(byte[] bytes) throws IOException {
    encoder.writeIndex(bytes == null ? 0 : 1);
    if (bytes != null) {
      encoder.writeBytes(bytes);
    }
  }

  private static Schema schema() {
    try (InputStream in =
        RecordEncoder.class.getResourceAsStream("/dev/sotto/replay/RecordedRecord.avsc")) {
      return new Schema.Parser().parse(in);
    } catch (IOException unreadable) {
      throw new UncheckedIOException("cannot read the schema of records", unreadable);
    }
  }
}
