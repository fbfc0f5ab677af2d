package dev.sotto.topology.log;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * The records that were taken last, as far as memory for them reaches, before the log itself: what
 * is read again comes from here as far as it is here, and from the log otherwise. Both give the
 * same records. Not safe for use by several threads.
 */
public final class RememberedSlots implements SlotLog {
  /** The most memory: for keys and values, and about 100 bytes for each record. */
  public static final long MOST_BYTES = 64L << 20;

  private static final int OVERHEAD = 100;

  /** All tasks of a process together leave most of the heap to others. */
  private static final long MOST_OF_ALL = Runtime.getRuntime().maxMemory() / 8;

  private static final int LOOK_EVERY = 4096; // records
  private static final Set<RememberedSlots> ALL =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private final SlotLog log;
  private final long mostAlone;
  private long most;
  private long added;
  private final List<SourceRecord> records = new ArrayList<>();
  private int first; // index of the oldest that is remembered; null before it
  private long from; // every record from this place on, up to the next one, is here
  private long to;
  private long bytes;
  private boolean reading;

  public RememberedSlots(SlotLog log) {
    this(log, MOST_BYTES);
  }

  /**
   * A memory of a size, as far as the memories of other tasks of the process leave room.
   *
   * @param most bytes
   */
  public RememberedSlots(SlotLog log, long most) {
    this.log = log;
    this.mostAlone = most;
    ALL.add(this);
    share();
  }

  private void share() {
    most = Math.min(mostAlone, MOST_OF_ALL / Math.max(1, ALL.size()));
  }

  /** Takes note of a record: the next one, or one that is known. */
  public void add(SourceRecord record) {
    long place = record.place();
    boolean empty = first == records.size();
    if (empty) {
      from = place;
    } else if (place < to) {
      return;
    }
    records.add(record);
    to = Place.behind(place);
    bytes += size(record);
    added++;
    if (added % LOOK_EVERY == 0) {
      share();
    }
    while (bytes > most) {
      from = Place.behind(records.get(first).place());
      forgetFirst();
    }
    compact();
  }

  private static long size(SourceRecord record) {
    return OVERHEAD + length(record.key()) + length(record.value()) + length(record.modelHeader());
  }

  private static long length(byte[] field) {
    return field == null ? 0 : field.length;
  }

  /** Forgets the records below a place. */
  public void forgetBelow(long place) {
    while (first < records.size() && records.get(first).place() < place) {
      forgetFirst();
    }
    from = Math.max(from, place);
    compact();
  }

  private void forgetFirst() {
    bytes -= size(records.get(first));
    records.set(first, null);
    first++;
  }

  private void compact() {
    if (!reading && first > 1024 && first > records.size() / 2) {
      records.subList(0, first).clear();
      first = 0;
    }
  }

  @Override
  public Reading read(int partition, long begin, long end) {
    return first == records.size() || begin < from || begin >= to
        ? log.read(partition, begin, end)
        : new Memory(partition, begin, end);
  }

  /** What is remembered, and then what the log holds behind it. */
  private final class Memory implements Reading {
    private final int partition;
    private final long end;
    private int next;
    private Reading behind; // null while memory is read

    Memory(int partition, long begin, long end) {
      this.partition = partition;
      this.end = end;
      this.next = index(begin);
      reading = true;
    }

    @Override
    public SourceRecord next() {
      if (behind == null && next < records.size()) {
        SourceRecord record = records.get(next);
        if (record.place() >= end) {
          return null;
        }
        next++;
        return record;
      }
      if (behind == null) {
        reading = false;
        behind = end <= to ? Reading.nothing() : log.read(partition, to, end);
      }
      return behind.next();
    }

    @Override
    public boolean isWhole() {
      return behind == null || behind.isWhole();
    }

    @Override
    public void close() {
      reading = false;
      if (behind != null) {
        behind.close();
      }
    }
  }

  @Override
  public void close() {
    log.close();
  }

  /** The index of the first record at a place or behind it. */
  private int index(long place) {
    SourceRecord key = SourceRecord.of(place, null, null);
    int index = Collections.binarySearch(
        records.subList(first, records.size()),
        key,
        (one, other) -> Long.compare(one.place(), other.place()));
    return first + (index < 0 ? -index - 1 : index);
  }
}
