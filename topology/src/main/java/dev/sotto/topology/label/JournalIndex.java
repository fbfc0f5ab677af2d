package dev.sotto.topology.label;

import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.event.StoredBytes;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Which records of a journal may hold a change of a name, in eight bytes a change: what the heap
 * keeps of a journal that does not fit it. The records themselves stay in the table.
 */
final class JournalIndex {
  private static final String RECORD = "journal/";
  private static final int RECORD_BITS = 26; // more records than a journal of its size can have

  /** A change that was found; its value is null where the entry was removed. */
  record Change(byte[] name, byte[] value) {}

  private final StateTable table;
  private final long base; // the record of number 0
  private long[] places = new long[1 << 10]; // digest of a name, then the record's number
  private int size;

  JournalIndex(StateTable table, long base) {
    this.table = table;
    this.base = base;
  }

  /** The key of a record in the table. */
  static String key(long record) {
    return RECORD + record;
  }

  /** The changes of a record, in their order. */
  static List<Change> decode(byte[] record) {
    List<Change> changes = new ArrayList<>();
    ByteBuffer in = ByteBuffer.wrap(record);
    while (in.hasRemaining()) {
      changes.add(new Change(StoredBytes.take(in), StoredBytes.take(in)));
    }
    return changes;
  }

  /** Adds the records of a range, all of which lie behind those that are in. */
  void add(long from, long to) {
    for (long record = from; record < to; record++) {
      for (Change each : decode(table.get(key(record)))) {
        if (size == places.length) {
          places = Arrays.copyOf(places, 2 * size);
        }
        places[size++] = digest(each.name()) | record - base;
      }
    }
    Arrays.sort(places, 0, size);
  }

  /** The newest change of a name in records from a first one on; null for none. */
  Change newest(String name, long first) {
    byte[] key = name.getBytes(StandardCharsets.UTF_8);
    long digest = digest(key);
    int at = Arrays.binarySearch(places, 0, size, digest | (1L << RECORD_BITS) - 1);
    for (int i = at < 0 ? -at - 2 : at; i >= 0 && places[i] >= (digest | first - base); i--) {
      for (Change each : decode(table.get(key((places[i] ^ digest) + base)))) {
        if (Arrays.equals(each.name(), key)) {
          return each;
        }
      }
    }
    return null;
  }

  /** Nobody makes ids that share one on purpose. Its lowest bits are zero. */
  private static long digest(byte[] name) {
    return ByteBuffer.wrap(Sha256.sha256(name)).getLong() >>> RECORD_BITS << RECORD_BITS;
  }
}
