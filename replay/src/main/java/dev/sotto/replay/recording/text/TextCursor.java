package dev.sotto.replay.recording.text;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordingFault;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.utils.Utils;

/** The records of a text file that belong to one partition; it goes through all of them. */
final class TextCursor implements RecordCursor {
  private static final RecordHeaders NONE = new RecordHeaders();

  static {
    NONE.setReadOnly();
  }

  private final Path file;
  private final TextSource source;
  private final int partition;
  private final int partitions;
  private long records;
  private long keyless;
  private long offset = -1;
  private boolean done;
  private RuntimeException failed;

  TextCursor(Path file, TextSource source, int partition, int partitions) {
    this.file = file;
    this.source = source;
    this.partition = partition;
    this.partitions = partitions;
  }

  @Override
  public boolean next() {
    if (failed != null) {
      throw failed;
    }
    try {
      while (!done) {
        if (!source.next()) {
          done = true;
          if (records == 0) {
            throw new RecordingFault(file + " holds no record; check the path and the format");
          }
          return false;
        }
        records++;
        if (target() == partition) {
          offset++;
          return true;
        }
      }
      return false;
    } catch (IOException faulty) {
      failed = TextRecording.fault(file, source.line(), faulty);
      throw failed;
    } catch (RecordingFault empty) {
      failed = empty;
      throw empty;
    }
  }

  /** Where Kafka's producer would send it, but keyless records in turn. */
  private int target() {
    if (partitions == 1) {
      return 0;
    }
    byte[] key = source.key();
    return key == null
        ? (int) (keyless++ % partitions)
        : Utils.toPositive(Utils.murmur2(key)) % partitions;
  }

  @Override
  public long offset() {
    return offset;
  }

  @Override
  public long timestamp() {
    return source.timestamp();
  }

  @Override
  public byte[] key() {
    return source.key();
  }

  @Override
  public byte[] value() {
    return source.value();
  }

  @Override
  public Headers headers() {
    return NONE;
  }

  @Override
  public void close() {
    if (!done && failed == null) {
      failed = new IllegalStateException("the cursor is closed");
    }
    try {
      source.close();
    } catch (IOException unreadable) {
      throw TextRecording.fault(file, source.line(), unreadable);
    }
  }
}
