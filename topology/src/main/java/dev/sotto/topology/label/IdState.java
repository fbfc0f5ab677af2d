package dev.sotto.topology.label;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * What is remembered of one id: the newest slot that it owns, and how many slots before it, and
 * labels that may belong to one to come, there are. These have places of their own, so that many of
 * them cost no more than few.
 */
final class IdState {
  private static final long NONE = -1;

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
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeLong(slot);
      out.writeLong(time);
      StoredBytes.write(out, label);
      out.writeLong(firstOwned);
      out.writeLong(nextOwned);
      out.writeLong(firstEarly);
      out.writeLong(nextEarly);
    } catch (IOException impossible) {
      throw new UncheckedIOException(impossible);
    }
    return bytes.toByteArray();
  }

  static IdState decode(byte[] bytes) {
    IdState state = new IdState();
    if (bytes == null) {
      return state;
    }
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      state.slot = in.readLong();
      state.time = in.readLong();
      state.label = StoredBytes.read(in);
      state.firstOwned = in.readLong();
      state.nextOwned = in.readLong();
      state.firstEarly = in.readLong();
      state.nextEarly = in.readLong();
      state.stored = bytes.length;
      return state;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
