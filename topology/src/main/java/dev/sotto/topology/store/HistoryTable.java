package dev.sotto.topology.store;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * Histories by the names of their units, in plain arrays: an entry is no object, so millions of
 * them cost the garbage collector nothing. Names are 16 bytes that look random ({@link
 * dev.sotto.learner.key.UnitPseudonyms}); some of their bits say where one lies, and the places
 * behind it where that is taken. A place that is free has the name 0; a unit of that name has a
 * place of its own. Entries are never removed one by one. Not safe for use by several threads.
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
  private int size; // without the unit of the name 0
  private byte[] ofZero; // its history, or null

  private final boolean ordered;

  private HistoryTable(boolean ordered) {
    this.ordered = ordered;
    allocate(LEAST);
  }

  /**
   * Entries lie nearly in the order of their names: who writes them to a sorted store writes
   * neighbours one after the other. They must not come in this order, for they would gather at the
   * beginning until all are there.
   */
  static HistoryTable ordered() {
    return new HistoryTable(true);
  }

  /** Entries may come in any order, and lie in none. */
  static HistoryTable scattered() {
    return new HistoryTable(false);
  }

  private void allocate(int newPlaces) {
    places = newPlaces;
    names = new long[2 * places];
    pages = new byte[(places + PAGE - 1) >>> PAGE_BITS][Math.min(places, PAGE) * (2 + room)];
    size = 0;
    ofZero = null;
  }

  int size() {
    return size + (ofZero == null ? 0 : 1);
  }

  /** About what the arrays take. */
  long bytes() {
    return (long) places * (NAME_BYTES + 2 + room);
  }

  /**
   * Looks at where a unit's entry would lie alone: in a large table that takes longer than all
   * else, and several tables can be looked at meanwhile. What it gives means nothing, but must be
   * used, or the compiler leaves the look out.
   */
  long touch(byte[] name) {
    int place = home((long) LONGS.get(name, 0));
    return names[2 * place] ^ pages[place >>> PAGE_BITS][from(place)];
  }

  /** The history of a unit, or null. */
  byte[] get(byte[] name) {
    long first = (long) LONGS.get(name, 0);
    long second = (long) LONGS.get(name, 8);
    if ((first | second) == 0) {
      return ofZero == null ? null : ofZero.clone();
    }
    int place = find(first, second);
    return isFree(place) ? null : history(place);
  }

  /**
   * Sets the history of a unit.
   *
   * @param history of at most 32,766 bytes
   */
  void put(byte[] name, byte[] history) {
    long first = (long) LONGS.get(name, 0);
    long second = (long) LONGS.get(name, 8);
    if (history.length > room) {
      grow(places, roomFor(history.length));
    } else if (size >= places / 2) {
      grow(Math.multiplyExact(2, places), room);
    }
    if ((first | second) == 0) {
      ofZero = history.clone();
    } else {
      set(first, second, history, 0, history.length);
    }
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
    if (isFree(place)) {
      size++;
      names[2 * place] = first;
      names[2 * place + 1] = second;
    }
    byte[] page = pages[place >>> PAGE_BITS];
    int from = from(place);
    page[from - 2] = (byte) (length >>> 8);
    page[from - 1] = (byte) length;
    System.arraycopy(bytes, at, page, from, length);
  }

  /** Where a name lies, or would. */
  private int find(long first, long second) {
    int mask = places - 1;
    int place = home(first);
    while (!isFree(place) && (names[2 * place] != first || names[2 * place + 1] != second)) {
      place = (place + 1) & mask;
    }
    return place;
  }

  private int home(long first) {
    int mask = places - 1;
    return ordered
        ? (int) (first >>> Long.numberOfLeadingZeros(mask))
        : (int) (first ^ first >>> 32) & mask;
  }

  /** How many places any entry lies behind where it would lie alone, at most. */
  int farthest() {
    int most = 0;
    for (int place = 0; place < places; place++) {
      if (!isFree(place)) {
        most = Math.max(most, place - home(names[2 * place]) & places - 1);
      }
    }
    return most;
  }

  private boolean isFree(int place) {
    return (names[2 * place] | names[2 * place + 1]) == 0;
  }

  /** The history at a place that is taken. */
  private byte[] history(int place) {
    byte[] page = pages[place >>> PAGE_BITS];
    int from = from(place);
    return Arrays.copyOfRange(page, from, from + length(page, from));
  }

  private static int length(byte[] page, int from) {
    return (page[from - 2] & 0xFF) << 8 | page[from - 1] & 0xFF;
  }

  private int from(int place) {
    return (place & PAGE - 1) * (2 + room) + 2;
  }

  private void grow(int newPlaces, int newRoom) {
    long[] oldNames = names;
    byte[][] oldPages = pages;
    int oldRoom = room;
    int oldPlaces = places;
    byte[] zero = ofZero;
    room = newRoom;
    allocate(newPlaces);
    ofZero = zero;
    for (int place = 0; place < oldPlaces; place++) {
      if ((oldNames[2 * place] | oldNames[2 * place + 1]) != 0) {
        byte[] page = oldPages[place >>> PAGE_BITS];
        int from = (place & PAGE - 1) * (2 + oldRoom) + 2;
        set(oldNames[2 * place], oldNames[2 * place + 1], page, from, length(page, from));
      }
    }
  }

  /** Shows every entry, as they lie. */
  void forEach(Visitor visitor) {
    byte[] name = new byte[NAME_BYTES];
    for (int place = 0; place < places; place++) {
      if (!isFree(place)) {
        LONGS.set(name, 0, names[2 * place]);
        LONGS.set(name, 8, names[2 * place + 1]);
        visitor.entry(name, history(place));
      }
    }
    if (ofZero != null) {
      visitor.entry(new byte[NAME_BYTES], ofZero.clone());
    }
  }

  /** Forgets all entries, and most of the room where it was much. */
  void clear() {
    ofZero = null;
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
    Arrays.fill(names, 0); // pages are not looked at where there is no name
    size = 0;
  }
}
