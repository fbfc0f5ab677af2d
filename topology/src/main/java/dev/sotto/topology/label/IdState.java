package dev.sotto.topology.label;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What is remembered of one id: its slots, and how many labels may belong to one that is to come.
 * These have places of their own, so that many of them cost no more than few.
 */
final class IdState {
  /** A slot of the id; at most one per two waits. */
  static final class Owned {
    final long slot;
    final long time;
    boolean closed;
    byte[] label; // the first that came in time; null after it was written

    Owned(long slot, long time) {
      this.slot = slot;
      this.time = time;
    }
  }

  final List<Owned> slots = new ArrayList<>();
  long firstEarly; // of the labels that have no slot yet
  long nextEarly;
  int stored; // bytes in the table

  boolean isEmpty() {
    return slots.isEmpty() && firstEarly == nextEarly;
  }

  Owned last() {
    return slots.isEmpty() ? null : slots.get(slots.size() - 1);
  }

  byte[] encode() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(slots.size());
      for (Owned each : slots) {
        out.writeLong(each.slot);
        out.writeLong(each.time);
        out.writeBoolean(each.closed);
        StoredBytes.write(out, each.label);
      }
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
      for (int left = in.readInt(); left > 0; left--) {
        Owned slot = new Owned(in.readLong(), in.readLong());
        slot.closed = in.readBoolean();
        slot.label = StoredBytes.read(in);
        state.slots.add(slot);
      }
      state.firstEarly = in.readLong();
      state.nextEarly = in.readLong();
      state.stored = bytes.length;
      return state;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
