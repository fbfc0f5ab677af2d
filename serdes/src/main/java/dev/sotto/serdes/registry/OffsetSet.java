package dev.sotto.serdes.registry;

import java.util.Arrays;

/** Offsets, as runs of neighbours: 16 bytes a run. Made for offsets that mostly grow. */
final class OffsetSet {
  private long[] from = new long[4];
  private long[] to = new long[4]; // inclusive
  private int runs;

  boolean has(long offset) {
    int run = runAt(offset);
    return run < runs && from[run] <= offset;
  }

  void add(long offset) {
    int run = runAt(offset); // the first that ends at it or behind it
    if (run < runs && from[run] <= offset) {
      return;
    }
    boolean joinsBefore = run > 0 && to[run - 1] == offset - 1;
    boolean joinsNext = run < runs && from[run] == offset + 1;
    if (joinsBefore && joinsNext) {
      to[run - 1] = to[run];
      System.arraycopy(from, run + 1, from, run, runs - run - 1);
      System.arraycopy(to, run + 1, to, run, runs - run - 1);
      runs--;
    } else if (joinsBefore) {
      to[run - 1] = offset;
    } else if (joinsNext) {
      from[run] = offset;
    } else {
      insert(run, offset);
    }
  }

  private void insert(int run, long offset) {
    if (runs == from.length) {
      from = Arrays.copyOf(from, 2 * runs);
      to = Arrays.copyOf(to, 2 * runs);
    }
    System.arraycopy(from, run, from, run + 1, runs - run);
    System.arraycopy(to, run, to, run + 1, runs - run);
    from[run] = offset;
    to[run] = offset;
    runs++;
  }

  private int runAt(long offset) {
    int at = Arrays.binarySearch(to, 0, runs, offset);
    return at < 0 ? -at - 1 : at;
  }
}
