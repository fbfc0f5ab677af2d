package dev.sotto.replay.recording.container;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.Header;

/** Encodes records by {@code RecordedRecord.avsc}: equal records give equal bytes. */
final class RecordBytes {
  private static final int MOST_KEPT = 1 << 20;

  private final Buffer buffer = new Buffer();
  private final BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(buffer, null);

  /** The bytes of a record, until the next is encoded. */
  ByteBuffer of(
      int partition, long offset, long timestamp, byte[] key, byte[] value, Header[] headers)
      throws IOException {
    buffer.restart();
    encoder.writeInt(partition);
    encoder.writeLong(offset);
    encoder.writeLong(timestamp);
    optional(key);
    optional(value);
    encoder.writeArrayStart();
    if (headers.length > 0) {
      encoder.setItemCount(headers.length);
      for (Header each : headers) {
        encoder.startItem();
        encoder.writeString(each.key());
        optional(each.value());
      }
    }
    encoder.writeArrayEnd();
    encoder.flush();
    return buffer.bytes();
  }

  private void optional(byte[] bytes) throws IOException {
    encoder.writeIndex(bytes == null ? 0 : 1);
    if (bytes != null) {
      encoder.writeBytes(bytes);
    }
  }

  private static final class Buffer extends ByteArrayOutputStream {
    void restart() {
      reset();
      if (buf.length > MOST_KEPT) {
        buf = new byte[1024];
      }
    }

    ByteBuffer bytes() {
      return ByteBuffer.wrap(buf, 0, count);
    }
  }
}
