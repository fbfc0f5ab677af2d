package dev.sotto.topology.label;

import dev.sotto.serdes.event.StoredBytes;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Entries with consecutive numbers, of which the oldest leave first. Those that one call adds lie
 * together in the table, as a page under the number of the first of them: a negative number of
 * entries, and each with its length before it. A page without that number is one entry, as all were
 * written until there were pages. Not safe for use by several threads.
 */
final class PagedQueue {
  /** Bytes of a page; one entry may be larger. */
  private static final int PAGE = 64 << 10;

  /** Where it stands; kept by whoever keeps the queue. */
  static final class Place {
    long first; // of the entries that are there
    long next; // behind the last of them
    long page; // the number of the page in which the first one lies
  }

  private final StateTable table;
  private final String prefix;
  private final Place place;
  private final List<byte[]> added = new ArrayList<>(); // the last entries, in no page yet
  private int addedBytes;
  private List<byte[]> oldest; // the page of the first entry; null where it has not been read

  /**
   * Goes on from a place.
   *
   * @param prefix of the names of its pages
   */
  PagedQueue(StateTable table, String prefix, Place place) {
    this.table = table;
    this.prefix = prefix;
    this.place = place;
  }

  boolean isEmpty() {
    return place.first == place.next;
  }

  /** Adds an entry behind all others. */
  void add(byte[] entry) {
    if (addedBytes + entry.length > PAGE) {
      save();
    }
    added.add(entry);
    addedBytes += entry.length;
    place.next++;
  }

  /** The oldest entry, or null. */
  byte[] oldest() {
    if (isEmpty()) {
      return null;
    }
    long inPages = place.next - added.size();
    if (place.first >= inPages) {
      return added.get((int) (place.first - inPages));
    }
    return oldestPage().get((int) (place.first - place.page));
  }

  private List<byte[]> oldestPage() {
    if (oldest == null) {
      oldest = decode(table.get(prefix + place.page));
    }
    return oldest;
  }

  /** Takes the oldest entry out, which must be there. */
  void remove() {
    boolean inPage = place.first < place.next - added.size();
    place.first++;
    if (!inPage) {
      place.page = place.first;
    } else if (place.first - place.page == oldestPage().size()) {
      table.delete(prefix + place.page);
      place.page = place.first;
      oldest = null;
    }
  }

  /** Writes what was added and is still there. */
  void save() {
    long from = place.next - added.size();
    if (place.first > from) {
      added.subList(0, (int) (place.first - from)).clear();
      from = place.first;
    }
    if (!added.isEmpty()) {
      table.put(prefix + from, encode(added));
    }
    added.clear();
    addedBytes = 0;
  }

  private static byte[] encode(List<byte[]> entries) {
    int bytes = Integer.BYTES;
    for (byte[] each : entries) {
      bytes += StoredBytes.length(each);
    }
    ByteBuffer out = ByteBuffer.allocate(bytes).putInt(-entries.size());
    entries.forEach(each -> StoredBytes.put(out, each));
    return out.array();
  }

  /** The entries of a page. */
  static List<byte[]> decode(byte[] page) {
    ByteBuffer in = ByteBuffer.wrap(page);
    int entries = -in.getInt();
    if (entries <= 0) {
      return List.of(page);
    }
    List<byte[]> all = new ArrayList<>();
    for (int i = 0; i < entries; i++) {
      all.add(StoredBytes.take(in));
    }
    return all;
  }
}
