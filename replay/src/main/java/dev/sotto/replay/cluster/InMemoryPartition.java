package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.RecordedRecord;
import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.streams.processor.api.Record;

/**
 * One partition of an internal topic: committed records, and gaps where transaction markers are.
 */
final class InMemoryPartition {
  private final List<RecordedRecord> entries = new ArrayList<>();
  private long end;
  private int trimmed;

  void append(Record<byte[], byte[]> record) {
    entries.add(new RecordedRecord.Stored(
        end++, record.timestamp(), record.key(), record.value(), record.headers()));
  }

  /** Passes offsets without a record: of a transaction marker, or of an aborted record. */
  void skip(long offsets) {
    end += offsets;
  }

  long end() {
    return end;
  }

  /** The records that it holds. */
  List<RecordedRecord> records() {
    return List.copyOf(entries);
  }

  /** Becomes empty, up to an offset. */
  void clear(long newEnd) {
    entries.clear();
    trimmed = 0;
    end = newEnd;
  }

  /** Drops records below an offset, which are not read again. */
  void trim(long offset) {
    int keep = indexOf(offset);
    if (keep > 4096) {
      entries.subList(0, keep).clear();
      trimmed += keep;
    }
  }

  /** Index of the first entry at or after an offset. */
  private int indexOf(long offset) {
    int low = 0;
    int high = entries.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (entries.get(middle).offset() < offset) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  PartitionFeed feed(long from) {
    return new LogFeed(from);
  }

  /** A feed of a partition that is empty and stays so. */
  static PartitionFeed nothing() {
    return new InMemoryPartition().new LogFeed(0) {
      @Override
      public boolean isOver() {
        return true;
      }
    };
  }

  private class LogFeed implements PartitionFeed {
    private int next; // counted from the first entry ever
    private long position;

    LogFeed(long from) {
      seek(from);
    }

    @Override
    public boolean hasNext() {
      return next - trimmed < entries.size();
    }

    @Override
    public RecordedRecord current() {
      return entries.get(next - trimmed);
    }

    @Override
    public void advance() {
      position = offset() + 1;
      next++;
    }

    @Override
    public long position() {
      return position;
    }

    @Override
    public void seek(long offset) {
      next = trimmed + indexOf(offset);
      position = offset;
    }

    @Override
    public boolean isOver() {
      return false;
    }

    @Override
    public void close() {}
  }
}
