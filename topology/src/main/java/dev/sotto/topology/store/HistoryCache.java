package dev.sotto.topology.store;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The histories of units that were used last, as the store of one task holds them: most records
 * need none to be fetched from disk. It lives no longer than the task's claim to the store, so it
 * never knows what a transaction that was given up had written. All of a process together take a
 * sixteenth of the heap.
 */
public final class HistoryCache {
  /** About what one takes: an entry of a table, a name, an array. */
  private static final int BYTES = 200;

  private static final int MOST = 1 << 18;
  private static final int LOOK_EVERY = 1024; // histories
  private static final HeapShare ALL = new HeapShare();

  private final Map<String, byte[]> histories = new LinkedHashMap<>(16, 0.75f, true);
  private final int mostAlone;
  private int most;
  private int added;

  /** An empty cache of the usual size. */
  public HistoryCache() {
    this(MOST);
  }

  /** An empty cache of so many histories, as far as those of other tasks leave room. */
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

  /** The history that the store holds; null where that must be asked. */
  byte[] get(String key) {
    return histories.get(key);
  }

  /** The store holds this history from now on, or was seen to. */
  void put(String key, byte[] history) {
    if (++added % LOOK_EVERY == 0) {
      share();
    }
    histories.put(key, history);
    for (Iterator<String> oldest = histories.keySet().iterator(); histories.size() > most; ) {
      oldest.next();
      oldest.remove();
    }
  }

  /** Forgets them all, and leaves the room to others. */
  public void close() {
    histories.clear();
    ALL.leave(this);
  }

  int size() {
    return histories.size();
  }
}
