package dev.sotto.replay.play;

import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.Recording;
import java.io.Closeable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.function.Consumer;

/**
 * The records of a recording, merged: those of a partition by offset, and of all partitions the one
 * with the oldest timestamp next, of the lowest partition where timestamps are equal.
 */
final class MergedRecords implements Closeable {
  private final List<RecordCursor> open = new ArrayList<>();
  private final PriorityQueue<Head> heads =
      new PriorityQueue<>(Comparator.comparingLong((Head each) -> each.cursor.timestamp())
          .thenComparingInt(each -> each.partition));
  private Head current;

  private record Head(int partition, RecordCursor cursor) {}

  /**
   * Opens a recording.
   *
   * @param skipped number of records of each partition to skip; 0 by default
   * @param visitor is shown each that is skipped
   */
  MergedRecords(Recording recording, Map<Integer, Long> skipped, Consumer<RecordCursor> visitor) {
    try {
      for (RecordedRange range : recording.header().ranges()) {
        RecordCursor cursor = recording.open(range.partition());
        open.add(cursor);
        long count = skipped.getOrDefault(range.partition(), 0L);
        if (skip(cursor, count, visitor) && cursor.next()) {
          heads.add(new Head(range.partition(), cursor));
        }
      }
    } catch (RuntimeException broken) {
      close();
      throw broken;
    }
  }

  private static boolean skip(RecordCursor cursor, long count, Consumer<RecordCursor> visitor) {
    for (long i = 0; i < count; i++) {
      if (!cursor.next()) {
        return false;
      }
      visitor.accept(cursor);
    }
    return true;
  }

  /** Moves to the next record; false after the last of all partitions. */
  boolean next() {
    if (current != null && current.cursor.next()) {
      heads.add(current);
    }
    current = heads.poll();
    return current != null;
  }

  /** The partition of the record. */
  int partition() {
    return current.partition;
  }

  /** The record; valid until the next move. */
  RecordCursor record() {
    return current.cursor;
  }

  @Override
  public void close() {
    open.forEach(RecordCursor::close);
  }
}
