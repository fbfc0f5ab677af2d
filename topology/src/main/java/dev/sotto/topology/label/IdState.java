package dev.sotto.topology.label;

import dev.sotto.serdes.event.StoredBytes;
import java.nio.ByteBuffer;

/**
 * What is remembered of one id: the newest slot that it owns, and how many slots before it, and
 * labels that may belong to one to come, there are. These have places of their own, so that many of
 * them cost no more than few.
 */
final class IdState {
  private static final long NONE = -1;
  private static final int NUMBERS = 6;

  /** A slot of an id. Its event was written where its number is below those that wait. */
  record Owned(long slot, long time) {}

  private long slot = NONE;
  private long time;
  byte[] label; // of the newest slot: the first that came in time; null after it was written
  long firstOwned; // of the slots before the newest
  long nextOwned;
  long firstEarly; // of the labels that have no slot yet
  long nextEarly;
  int stored; // bytes in the table
  final String name; // in the table

  IdState(String name) {
    this.name = name;
  }

  boolean isEmpty() {
    return slot == NONE && firstEarly == nextEarly;
  }

  /** The newest slot, or null. */
  Owned last() {
    return slot == NONE ? null : new Owned(slot, time);
  }

  /** Sets the newest slot, without a label; null for none. */
  void setLast(Owned newest) {
    slot = newest == null ? NONE : newest.slot();
    time = newest == null ? 0 : newest.time();
    label = null;
  }

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(NUMBERS * Long.BYTES + StoredBytes.length(label));
    out.putLong(slot).putLong(time);
    StoredBytes.put(out, label);
    out.putLong(firstOwned).putLong(nextOwned).putLong(firstEarly).putLong(nextEarly);
    return out.array();
  }

  static IdState decode(String name, byte[] bytes) {
    IdState state = new IdState(name);
    if (bytes == null) {
      return state;
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    state.slot = in.getLong();
    state.time = in.getLong();
    state.label = StoredBytes.take(in);
    state.firstOwned = in.getLong();
    state.nextOwned = in.getLong();
    state.firstEarly = in.getLong();
    state.nextEarly = in.getLong();
    state.stored = bytes.length;
    return state;
  }
}
