package dev.sotto.replay.cluster;

import java.util.ArrayList;
import java.util.List;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.api.Record;

/** One partition of an internal topic: what was committed, and holes where transactions left their marks. */
final class MemoryLog {
  private record Entry(long offset, Record<byte[], byte[]> record) {}

  private final List<Entry> entries = new ArrayList<>();
  private long end;
  private int trimmed;

  void append(Record<byte[], byte[]> record) {
    entries.add(new Entry(end++, record));
  }

  /** Offsets that hold no record: the marker of a transaction, or one that was aborted. */
  void skip(long offsets) {
    end += offsets;
  }

  long end() {
    return end;
  }

  /** Forgets records below an offset; nobody will read them again. */
  void trim(long offset) {
    int keep = indexOf(offset);
    if (keep > 4096) {
      entries.subList(0, keep).clear();
      trimmed += keep;
    }
  }

  /** Place of the first entry at or behind an offset. */
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

  Feed feed(long from) {
    return new LogFeed(from);
  }

  /** A feed of a partition that is empty and stays so. */
  static Feed nothing() {
    return new MemoryLog().new LogFeed(0) {
      @Override
      public boolean isOver() {
        return true;
      }
    };
  }

  private class LogFeed implements Feed {
    private int next; // counted from the first entry ever
    private long position;

    LogFeed(long from) {
      seek(from);
    }

    private Entry head() {
      return entries.get(next - trimmed);
    }

    @Override
    public boolean hasNext() {
      return next - trimmed < entries.size();
    }

    @Override
    public long offset() {
      return head().offset();
    }

    @Override
    public long timestamp() {
      return head().record().timestamp();
    }

    @Override
    public byte[] key() {
      return head().record().key();
    }

    @Override
    public byte[] value() {
      return head().record().value();
    }

    @Override
    public Headers headers() {
      return head().record().headers();
    }

    @Override
    public void advance() {
      position = head().offset() + 1;
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
