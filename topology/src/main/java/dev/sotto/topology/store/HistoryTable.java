package dev.sotto.topology.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Histories by the names of their units, in plain arrays: an entry is no object, so millions of them
 * cost the garbage collector nothing. Names are 16 bytes that look random
 * ({@link dev.sotto.learner.key.UnitPseudonyms}); their first half says where one lies, and the
 * places behind it where that is taken. A place that is free has the name 0, so that a unit which is
 * not there costs no look at the pages. Entries are never removed one by one. Not safe for use by
 * several threads.
 */
final class HistoryTable {
  /** The length of a name. */
  static final int NAME_BYTES = 16;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private static final int LEAST = 8; // places, a power of two
  private static final int PAGE_BITS = 12;
  private static final int PAGE = 1 << PAGE_BITS; // histories in an array
  private static final int ROOM = 40; // bytes of a history, unless longer ones come

  /** Takes an entry. */
  interface Visitor {
    void entry(byte[] name, byte[] history);
  }

  private long[] names; // two for each place
  private byte[][] pages; // for each place the history's length in two bytes, and the history
  private int room = ROOM;
  private int places;
  private int size;

  HistoryTable() {
    allocate(LEAST);
  }

  private void allocate(int newPlaces) {
    places = newPlaces;
    names = new long[2 * places];
    pages = new byte[(places + PAGE - 1) >>> PAGE_BITS][Math.min(places, PAGE) * (2 + room)];
    size = 0;
  }

  int size() {
    return size;
  }

  /** About what the arrays take. */
  long bytes() {
    return (long) places * (NAME_BYTES + 2 + room);
  }

  /** The history of a unit, or null. */
  byte[] get(byte[] name) {
    int place = find((long) LONGS.get(name, 0), (long) LONGS.get(name, 8));
    int length = isFree(place) ? -1 : length(place);
    if (length < 0) {
      return null;
    }
    int from = from(place);
    return Arrays.copyOfRange(pages[place >>> PAGE_BITS], from, from + length);
  }

  /**
   * Sets the history of a unit.
   *
   * @param history of at most 32,766 bytes
   */
  void put(byte[] name, byte[] history) {
    if (history.length > room) {
      grow(places, roomFor(history.length));
    } else if (size >= places / 2) {
      grow(Math.multiplyExact(2, places), room);
    }
    set((long) LONGS.get(name, 0), (long) LONGS.get(name, 8), history, 0, history.length);
  }

  private static int roomFor(int length) {
    if (length > Short.MAX_VALUE - 1) {
      throw new IllegalArgumentException(
          "a history must have at most " + (Short.MAX_VALUE - 1) + " bytes, but had " + length);
    }
    return Math.min(Short.MAX_VALUE - 1, length + length / 4);
  }

  private void set(long first, long second, byte[] bytes, int at, int length) {
    int place = find(first, second);
    if (length(place) < 0) {
      size++;
      names[2 * place] = first;
      names[2 * place + 1] = second;
    }
    byte[] page = pages[place >>> PAGE_BITS];
    int from = from(place);
    page[from - 2] = (byte) ((length + 1) >>> 8);
    page[from - 1] = (byte) (length + 1);
    System.arraycopy(bytes, at, page, from, length);
  }

  /** Where a name lies, or would. */
  private int find(long first, long second) {
    int mask = places - 1;
    int place = (int) (first ^ first >>> 32) & mask;
    while (!isFree(place) && (names[2 * place] != first || names[2 * place + 1] != second)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private boolean isFree(int place) {
    return names[2 * place] == 0 && names[2 * place + 1] == 0 && length(place) < 0;
  }

  /** The length of the history at a place; -1 where there is none. */
  private int length(int place) {
    byte[] page = pages[place >>> PAGE_BITS];
    int from = from(place);
    return ((page[from - 2] & 0xFF) << 8 | page[from - 1] & 0xFF) - 1;
  }

  private int from(int place) {
    return (place & PAGE - 1) * (2 + room) + 2;
  }

  private void grow(int newPlaces, int newRoom) {
    long[] oldNames = names;
    byte[][] oldPages = pages;
    int oldRoom = room;
    int oldPlaces = places;
    room = newRoom;
    allocate(newPlaces);
    for (int place = 0; place < oldPlaces; place++) {
      byte[] page = oldPages[place >>> PAGE_BITS];
      int from = (place & PAGE - 1) * (2 + oldRoom) + 2;
      int length = ((page[from - 2] & 0xFF) << 8 | page[from - 1] & 0xFF) - 1;
      if (length >= 0) {
        set(oldNames[2 * place], oldNames[2 * place + 1], page, from, length);
      }
    }
  }

  /** Shows every entry, in no order that means anything. */
  void forEach(Visitor visitor) {
    byte[] name = new byte[NAME_BYTES];
    for (int place = 0; place < places; place++) {
      int length = length(place);
      if (length >= 0) {
        LONGS.set(name, 0, names[2 * place]);
        LONGS.set(name, 8, names[2 * place + 1]);
        int from = from(place);
        visitor.entry(name, Arrays.copyOfRange(pages[place >>> PAGE_BITS], from, from + length));
      }
    }
  }

  /** Forgets all entries, and most of the room where it was much. */
  void clear() {
    if (size == 0 && places == LEAST) {
      return;
    }
    int needed = LEAST;
    while (needed < 2 * size && needed < places) {
      needed *= 2;
    }
    if (needed < places) {
      allocate(needed);
      return;
    }
    Arrays.fill(names, 0);
    for (byte[] page : pages) {
      Arrays.fill(page, (byte) 0);
    }
    size = 0;
  }
}
