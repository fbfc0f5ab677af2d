package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.RecordedRecord;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * Decodes the records of a block without an object for each of them, which Avro's own reader of
 * records creates. A length is checked before memory is allocated for it.
 */
final class RecordDecoder implements RecordedRecord {
  private static final RecordHeaders NO_HEADERS = new RecordHeaders();

  static {
    NO_HEADERS.setReadOnly();
  }

  private BinaryDecoder decoder = DecoderFactory.get().binaryDecoder(new byte[0], null);
  private int partition;
  private long offset;
  private long timestamp;
  private byte[] key;
  private byte[] value;
  private Headers headers;

  /** Starts at the beginning of a block. */
  void wrap(ByteBuffer block) {
    decoder = DecoderFactory.get()
        .binaryDecoder(
            block.array(), block.arrayOffset() + block.position(), block.remaining(), decoder);
  }

  boolean isFinished() {
    return decoder.remainingBytes() == 0;
  }

  /**
   * Moves to the next record.
   *
   * @throws IOException where there is none, or it is damaged
   */
  void next() throws IOException {
    try {
      partition = decoder.readInt();
      offset = decoder.readLong();
      timestamp = decoder.readLong();
      key = optional();
      value = optional();
      long count = decoder.readLong();
      headers = count == 0 ? NO_HEADERS : headers(count);
    } catch (EOFException truncated) {
      throw new IOException("a record is truncated", truncated);
    }
  }

  private Headers headers(long count) throws IOException {
    if (count < 0 || count > decoder.remainingBytes()) {
      throw new IOException("a record has " + count + " headers");
    }
    RecordHeaders found = new RecordHeaders();
    for (long i = 0; i < count; i++) {
      found.add(new String(bytes(), StandardCharsets.UTF_8), optional());
    }
    if (decoder.readLong() != 0) {
      throw new IOException("the headers of a record have no end");
    }
    found.setReadOnly();
    return found;
  }

  private byte[] optional() throws IOException {
    int branch = decoder.readInt();
    if (branch != 0 && branch != 1) {
      throw new IOException("a record has a field that is neither null nor bytes");
    }
    return branch == 0 ? null : bytes();
  }

  private byte[] bytes() throws IOException {
    long length = decoder.readLong();
    if (length < 0 || length > decoder.remainingBytes()) {
      throw new IOException("a record has a field of " + length + " bytes, where "
          + decoder.remainingBytes() + " are left");
    }
    byte[] bytes = new byte[(int) length];
    decoder.readFixed(bytes, 0, bytes.length);
    return bytes;
  }

  int partition() {
    return partition;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long timestamp() {
    return timestamp;
  }

  @Override
  public byte[] key() {
    return key;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public Headers headers() {
    return headers;
  }
}
