package dev.sotto.topology.store;

/**
 * The histories of units that were used last, as the store of one task holds them: most records
 * need none to be fetched from disk. It lives no longer than the task's claim to the store, so it
 * never knows what a transaction that was given up had written. All of a process together take a
 * sixteenth of the heap.
 *
 * <p>It has two halves. What is used goes into the younger one; when that is full, the older one is
 * forgotten, and the younger takes its place. So whatever was used since half of the cache was
 * filled is there.
 */
public final class HistoryCache {
  /** About what one takes: a name and a history in a table that is a third full. */
  private static final int BYTES = 180;

  private static final int MOST = 1 << 20;
  private static final int LOOK_EVERY = 1024; // histories
  private static final HeapShare ALL = new HeapShare();

  private final int mostAlone;
  private HistoryTable younger = HistoryTable.scattered();
  private HistoryTable older = HistoryTable.scattered();
  private int most;
  private int added;

  /** An empty cache of the usual size. */
  public HistoryCache() {
    this(MOST);
  }

  /** An empty cache of a number of histories, as far as those of other tasks leave room. */
  HistoryCache(int most) {
    this.mostAlone = most;
    ALL.join(this);
    share();
  }

  /** The heap that all of a process may take, in bytes. */
  public static long mostOfAll() {
    return Runtime.getRuntime().maxMemory() / 16;
  }

  private void share() {
    most = (int) Math.min(mostAlone, ALL.of(mostOfAll()) / BYTES);
  }

  /** {@link HistoryTable#touch} of both halves. */
  long touch(byte[] name) {
    return younger.touch(name) ^ older.touch(name);
  }

  /** The history that the store holds; null where that must be asked. */
  byte[] get(byte[] name) {
    byte[] history = younger.get(name);
    if (history == null) {
      history = older.get(name);
      if (history != null) {
        put(name, history);
      }
    }
    return history;
  }

  /** The store holds this history from now on, or was seen to. */
  void put(byte[] name, byte[] history) {
    if (++added % LOOK_EVERY == 0) {
      share();
    }
    if (younger.size() >= most / 2) {
      HistoryTable forgotten = older;
      older = younger;
      younger = forgotten;
      younger.clear();
    }
    if (most >= 2) {
      younger.put(name, history);
    }
  }

  /** Forgets them all, and leaves the room to others. */
  public void close() {
    younger = HistoryTable.scattered();
    older = HistoryTable.scattered();
    ALL.leave(this);
  }

  int size() {
    return younger.size() + older.size();
  }
}
