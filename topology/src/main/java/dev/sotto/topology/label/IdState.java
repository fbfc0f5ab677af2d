package dev.sotto.topology.label;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;

/** What is remembered of one id: its slots, and labels that may belong to one that is to come. */
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

  /**
   * A label that has no slot yet.
   *
   * @param late whether its id had one when it came
   */
  record Early(long time, boolean late, byte[] value) {}

  final List<Owned> slots = new ArrayList<>();
  final List<Early> labels = new ArrayList<>();

  boolean isEmpty() {
    return slots.isEmpty() && labels.isEmpty();
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
      out.writeInt(labels.size());
      for (Early each : labels) {
        out.writeLong(each.time());
        out.writeBoolean(each.late());
        StoredBytes.write(out, each.value());
      }
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
      for (int left = in.readInt(); left > 0; left--) {
        state.labels.add(new Early(in.readLong(), in.readBoolean(), StoredBytes.read(in)));
      }
      return state;
    } catch (IOException broken) {
      throw new UncheckedIOException(broken);
    }
  }
}
