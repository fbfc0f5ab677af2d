package dev.sotto.replay.play;

import dev.sotto.replay.recording.RecordCursor;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Header;

/** How large records are. */
final class Sizes {
  /** More than a batch of one record adds to its bytes, headers' lengths aside: 61 for the batch, 21 for the record. */
  static final int OVERHEAD = 128;

  /** More than the two lengths of a header take. */
  private static final int LENGTHS = 10;

  private Sizes() {}

  /** Bytes of key, value and headers. */
  static long of(RecordCursor record) {
    long bytes = length(record.key()) + length(record.value());
    for (Header header : record.headers()) {
      bytes +=
          header.key().getBytes(StandardCharsets.UTF_8).length + length(header.value()) + LENGTHS;
    }
    return bytes;
  }

  private static long length(byte[] bytes) {
    return bytes == null ? 0 : bytes.length;
  }
}
