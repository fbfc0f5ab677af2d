package dev.sotto.topology.label;

import dev.sotto.serdes.event.StoredBytes;
import dev.sotto.topology.store.HeapShare;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Entries of a table that change often: those that changed last are on the heap, and what a call
 * has changed is in the table as one record of a journal. So an entry that comes and goes meanwhile
 * costs the table nothing else, and whoever goes on reads the journal again. All of a process
 * together take a sixteenth of the heap.
 *
 * <p>It has two halves. When the younger one is full, or its part of the journal is as long, it
 * becomes the older one. That is then written to the table, some entries in each call, and its part
 * of the journal is removed. A journal that does not fit the heap, as of an instance that had a
 * larger share of it, stays in the table: the heap knows where its changes lie, and some of them go
 * from there to the entries of the table in each call. Not safe for use by several threads.
 */
final class RecentEntries {
  private static final int MOST_WRITTEN = 512; // entries, or records removed, in a call
  private static final int MOST_BYTES = 1 << 20; // likewise
  private static final int RECORD_BYTES = 256 << 10; // of which one change may take more
  private static final long MOST_DIGESTED = 4L << 20; // beside twice what a call adds
  private static final int ENTRY = 150; // bytes of one on the heap, beside its name and value
  private static final long MOST_READ_AGAIN = 32L << 20; // of a half, however large the heap is
  private static final HeapShare ALL = new HeapShare();

  /** Where it stands; kept by whoever keeps the table. */
  static final class Place {
    long first; // record of the journal
    long next; // behind the last one
    long stored; // entries of the table; no less than there are
  }

  /** An entry on the heap. */
  private static final class Entry {
    byte[] value; // null where it was removed
    boolean stored; // whether the table has an entry of that name

    Entry(byte[] value, boolean stored) {
      this.value = value;
      this.stored = stored;
    }
  }

  private final StateTable table;
  private final Place place;
  private final long most;
  private Set<String> changed = new LinkedHashSet<>(); // since the last record
  private Map<String, Entry> younger = new HashMap<>();
  private Map<String, Entry> older = new HashMap<>(); // as they are in the table, once written
  private Iterator<Map.Entry<String, Entry>> unwritten; // of the older ones; null for none
  private long youngerBytes;
  private JournalIndex beside; // of the records before the younger ones; null: all on the heap
  private long youngerRecord; // the first record that is not of the older ones, nor beside the heap
  private long journalBytes; // from there on
  private String asked; // the name that was asked for last, in this call
  private Entry inYounger; // of that name
  private Entry inOlder;
  private boolean inTable; // where it is in neither

  /**
   * Goes on from a place.
   *
   * @param most bytes of one half; 0 for a share of the heap
   */
  RecentEntries(StateTable table, Place place, long most) {
    this.table = table;
    this.place = place;
    this.most = most;
    ALL.join(this);
    youngerRecord = place.first;
    for (long each = place.first; each < place.next; each++) {
      byte[] bytes = table.get(JournalIndex.key(each));
      journalBytes += bytes.length;
      ByteBuffer in = ByteBuffer.wrap(bytes);
      while (in.hasRemaining()) {
        set(StoredBytes.takeText(in), StoredBytes.take(in));
      }
      if (youngerBytes > 2 * half()) {
        leaveInTable(each + 1);
      }
    }
  }

  /** How many bytes a half may have now. */
  private long half() {
    return Math.min(MOST_READ_AGAIN, most > 0 ? most : ALL.of(mostOfAll()) / 2);
  }

  /** Takes from the heap what the journal has before a record: none of it is of the older ones. */
  private void leaveInTable(long before) {
    beside = beside == null ? new JournalIndex(table, place.first) : beside;
    beside.add(youngerRecord, before);
    younger = new HashMap<>();
    youngerBytes = 0;
    youngerRecord = before;
    journalBytes = 0;
    asked = null;
  }

  /** The heap that all of a process may take, in bytes. */
  static long mostOfAll() {
    return Runtime.getRuntime().maxMemory() / 16;
  }

  /** The value of a name, or null. */
  byte[] get(String name) {
    byte[] value = find(name);
    if (beside == null || inYounger != null) {
      return value;
    }
    JournalIndex.Change change = beside.newest(name, place.first);
    return change == null ? value : change.value();
  }

  private byte[] find(String name) {
    asked = name;
    inYounger = younger.get(name);
    inOlder = older.get(name);
    if (inYounger != null) {
      return inYounger.value;
    }
    if (inOlder != null) {
      return inOlder.value;
    }
    byte[] value = place.stored > 0 ? table.get(name) : null;
    inTable = value != null;
    return value;
  }

  /**
   * Sets the value of a name.
   *
   * @param value null to remove it
   */
  void put(String name, byte[] value) {
    set(name, value);
    changed.add(name);
  }

  private void set(String name, byte[] value) {
    if (!name.equals(asked)) {
      find(name);
    }
    if (inYounger != null) {
      youngerBytes -= bytes(name, inYounger.value);
      inYounger.value = value;
    } else {
      inYounger = new Entry(value, inOlder != null ? inOlder.stored : inTable);
      younger.put(name, inYounger);
    }
    if (value == null && !inYounger.stored && inOlder == null && beside == null) {
      younger.remove(name); // it was never anywhere else
      inYounger = null;
      inTable = false;
    } else {
      youngerBytes += bytes(name, value);
    }
  }

  private static long bytes(String name, byte[] value) {
    return ENTRY + 2L * name.length() + (value == null ? 0 : value.length);
  }

  /**
   * To be called behind changes that belong together: writes them.
   *
   * @param empty whether no entry is left: then no journal stays behind either, after some calls
   * @param least entries or records for which there is time in this call
   */
  void save(boolean empty, int least) {
    int pieces =
        1 + Math.max(4 * changed.size(), least) / MOST_WRITTEN; // so that none is left over
    long before = journalBytes;
    writeRecords();
    asked = null;
    boolean full = youngerBytes > half() || journalBytes > half();
    if (beside != null) {
      digest(Math.min(MOST_DIGESTED, half()) + 2 * (journalBytes - before));
      if (beside != null && full) {
        leaveInTable(place.next);
      }
      return;
    }
    do {
      if (unwritten != null) {
        writeOlder();
      } else if (place.first < youngerRecord) {
        removeRecords();
      } else if (full || empty && youngerRecord < place.next) {
        older = younger;
        unwritten = older.entrySet().iterator();
        younger = new HashMap<>();
        youngerBytes = 0;
        youngerRecord = place.next;
        journalBytes = 0;
        full = false;
      } else {
        break;
      }
    } while (--pieces > 0 || full);
    if (empty && !hasJournal()) {
      place.stored = 0;
    }
  }

  /** Bytes of what is on the heap, without what knows where the rest lies; for tests. */
  long onHeap() {
    return Stream.of(younger, older)
        .flatMap(each -> each.entrySet().stream())
        .mapToLong(each -> bytes(each.getKey(), each.getValue().value))
        .sum();
  }

  /** Whether the table has a journal. */
  boolean hasJournal() {
    return place.first < place.next;
  }

  /** Writes to the table what the oldest records beside the heap say, and removes them. */
  private void digest(long most) {
    for (long left = most; left > 0 && place.first < youngerRecord; ) {
      Map<String, byte[]> changes = new LinkedHashMap<>();
      long rest = left - Math.min(MOST_BYTES, left);
      while (left > rest && place.first < youngerRecord) {
        byte[] record = table.get(JournalIndex.key(place.first));
        left -= record.length;
        ByteBuffer in = ByteBuffer.wrap(record);
        while (in.hasRemaining()) {
          changes.put(StoredBytes.takeText(in), StoredBytes.take(in));
        }
        table.delete(JournalIndex.key(place.first++));
      }
      List<StateTable.Entry> entries = new ArrayList<>();
      changes.forEach((name, value) -> {
        if (younger.containsKey(name)) {
          return; // it was changed since, and will be written then
        }
        boolean there = place.stored > 0 && table.get(name) != null;
        if (value != null) {
          entries.add(new StateTable.Entry(name, value));
          place.stored += there ? 0 : 1;
        } else if (there) {
          table.delete(name);
          place.stored--;
        }
      });
      table.putAll(entries);
    }
    if (place.first == youngerRecord) {
      beside = null;
    }
  }

  private void writeRecords() {
    List<byte[]> parts = new ArrayList<>();
    int bytes = 0;
    for (String name : changed) {
      Entry entry = younger.get(name);
      byte[] key = name.getBytes(StandardCharsets.UTF_8);
      byte[] value = entry == null ? null : entry.value;
      int more = StoredBytes.length(key) + StoredBytes.length(value);
      if (bytes > 0 && bytes + more > RECORD_BYTES) {
        writeRecord(parts, bytes);
        parts.clear();
        bytes = 0;
      }
      parts.add(key);
      parts.add(value);
      bytes += more;
    }
    if (bytes > 0) {
      writeRecord(parts, bytes);
    }
    changed = new LinkedHashSet<>(); // to clear one that was large once takes as long each time
  }

  private void writeRecord(List<byte[]> parts, int bytes) {
    ByteBuffer out = ByteBuffer.allocate(bytes);
    parts.forEach(each -> StoredBytes.put(out, each));
    table.put(JournalIndex.key(place.next++), out.array());
    journalBytes += bytes;
  }

  private void writeOlder() {
    List<StateTable.Entry> entries = new ArrayList<>();
    long bytes = 0;
    for (int left = MOST_WRITTEN; left > 0 && bytes < MOST_BYTES && unwritten.hasNext(); left--) {
      Map.Entry<String, Entry> each = unwritten.next();
      String name = each.getKey();
      Entry entry = each.getValue();
      if (younger.containsKey(name)) {
        continue; // it was changed since, and will be written then
      }
      if (entry.value != null) {
        entries.add(new StateTable.Entry(name, entry.value));
        bytes += entry.value.length;
        place.stored += entry.stored ? 0 : 1;
        entry.stored = true;
      } else {
        if (entry.stored) {
          table.delete(name);
          place.stored--;
        }
        unwritten.remove();
      }
    }
    table.putAll(entries);
    if (!unwritten.hasNext()) {
      unwritten = null;
    }
  }

  private void removeRecords() {
    for (int left = MOST_WRITTEN; left > 0 && place.first < youngerRecord; left--) {
      table.delete(JournalIndex.key(place.first++));
    }
  }

  /** Leaves its share of the heap to others. */
  void close() {
    ALL.leave(this);
  }
}
