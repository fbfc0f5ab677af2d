package dev.sotto.topology.store;

import java.util.Collections;
import java.util.Set;
import java.util.WeakHashMap;

/** Memory that all of its users in a process divide equally. */
public final class HeapShare {
  private final Set<Object> users =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  /** Counts a user until it leaves, or nobody knows it any more. */
  public void join(Object user) {
    users.add(user);
  }

  /** Leaves the user's part to others. */
  public void leave(Object user) {
    users.remove(user);
  }

  /** What each user has of a number of bytes. */
  public long of(long bytes) {
    return bytes / Math.max(1, users.size());
  }
}
