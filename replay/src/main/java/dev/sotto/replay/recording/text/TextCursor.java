package dev.sotto.replay.recording.text;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRecord;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.replay.recording.text.TextSource.TextRecord;
import java.io.IOException;
import java.nio.file.Path;

/** Reads a whole text file, and keeps the records of one partition. */
final class TextCursor implements RecordCursor {
  private final Path file;
  private final TextSource source;
  private final int partition;
  private final KeyPartitioner partitioner;
  private boolean isEmpty = true;
  private long nextOffset;
  private TextRecord current;
  private boolean done;
  private RuntimeException failed;

  TextCursor(Path file, TextSource source, int partition, int partitions) {
    this.file = file;
    this.source = source;
    this.partition = partition;
    this.partitioner = new KeyPartitioner(partitions);
  }

  @Override
  public boolean next() {
    if (failed != null) {
      throw failed;
    }
    try {
      while (!done) {
        TextRecord record = source.next();
        if (record == null) {
          done = true;
          if (isEmpty) {
            failed =
                new RecordingException(file + " holds no record; check the path and the format");
            throw failed;
          }
          return false;
        }
        isEmpty = false;
        if (partitioner.next(record.key()) == partition) {
          current = record.at(nextOffset++);
          return true;
        }
      }
      return false;
    } catch (IOException malformed) {
      failed = TextRecording.fault(file, source.line(), malformed);
      throw failed;
    }
  }

  @Override
  public RecordedRecord current() {
    return current;
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
