package dev.sotto.topology.label;

import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;

/**
 * What a join remembers, in its table: queues of events, slots and labels, each with a number, and
 * the state of each id. Counts its bytes.
 */
final class JoinState {
  private static final String HEAD = "head";

  private final StateTable table;
  final JoinHead head;
  private byte[] oldestEvent; // null where it has not been read
  private Stamped oldestSlot;
  private Stamped oldestLabel;

  JoinState(StateTable table) {
    this.table = table;
    this.head = read(JoinHead::decode, table.get(HEAD));
  }

  /**
   * What these bytes of the table hold.
   *
   * @throws UnsafeToContinueException where that cannot be read
   */
  private static <T> T read(Function<byte[], T> form, byte[] bytes) {
    try {
      return form.apply(bytes);
    } catch (RuntimeException unreadable) {
      throw new UnsafeToContinueException(
          "the state of the join of events and labels (store joins) cannot be read, nothing was"
              + " changed. A later version may have written it: run that one. If no other version"
              + " ever ran, its disk is damaged: remove the state folder, so that it is restored"
              + " from the changelogs",
          unreadable);
    }
  }

  /** Bytes of all that is remembered. */
  long bytes() {
    return head.held;
  }

  /** To be called after every change. */
  void save() {
    table.put(HEAD, head.encode());
  }

  private void put(String key, byte[] value) {
    table.put(key, value);
    head.held += value.length;
  }

  private void delete(String key, int length) {
    table.delete(key);
    head.held = Math.max(0, head.held - length);
  }

  /** Adds an event behind all others. */
  void addEvent(PendingEvent event) {
    put("event/" + head.nextEvent++, event.encode());
  }

  private byte[] oldestEvent() {
    if (oldestEvent == null) {
      oldestEvent = table.get("event/" + head.firstEvent);
    }
    return oldestEvent;
  }

  /** The time of the oldest event, which must be there. */
  long oldestTime() {
    return read(PendingEvent::time, oldestEvent());
  }

  /** Takes the oldest event out, which must be there. */
  PendingEvent takeEvent() {
    byte[] bytes = oldestEvent();
    PendingEvent event = read(PendingEvent::decode, bytes);
    delete("event/" + head.firstEvent++, bytes.length);
    oldestEvent = null;
    return event;
  }

  /** Adds a slot behind all others. */
  void addSlot(Stamped slot) {
    put("slot/" + head.nextSlot++, slot.encode());
  }

  /** The oldest slot, or null. */
  Stamped oldestSlot() {
    if (oldestSlot == null && head.firstSlot < head.nextSlot) {
      oldestSlot = read(Stamped::of, table.get("slot/" + head.firstSlot));
    }
    return oldestSlot;
  }

  void removeOldestSlot() {
    delete("slot/" + head.firstSlot++, oldestSlot.length());
    oldestSlot = null;
  }

  /** Adds a label of an id that has no slot yet. */
  void addLabel(String id, IdState state, EarlyLabel label) {
    long number = state.nextEarly++;
    put(earlyKey(id, number), label.encode());
    put("label/" + head.nextLabel++, new Stamped(label.time(), number, id).encode());
  }

  /** A label that came before a slot of its id; null where one has taken it. */
  EarlyLabel label(String id, long number) {
    return read(EarlyLabel::decode, table.get(earlyKey(id, number)));
  }

  void removeLabel(String id, long number, EarlyLabel label) {
    delete(earlyKey(id, number), label.length());
  }

  /** The oldest of all labels that came before a slot of their id, or null. */
  Stamped oldestLabel() {
    if (oldestLabel == null && head.firstLabel < head.nextLabel) {
      oldestLabel = read(Stamped::of, table.get("label/" + head.firstLabel));
    }
    return oldestLabel;
  }

  void removeOldestLabel() {
    delete("label/" + head.firstLabel++, oldestLabel.length());
    oldestLabel = null;
  }

  /** The state of an id. */
  IdState id(String id) {
    return read(IdState::decode, table.get("id/" + id));
  }

  /** Adds a slot behind those before the newest, with the label that it may have. */
  void addOwned(String id, IdState state, IdState.Owned slot, byte[] label) {
    byte[] bytes = ByteBuffer.allocate(2 * Long.BYTES)
        .putLong(slot.slot())
        .putLong(slot.time())
        .array();
    put(ownedKey(id, state.nextOwned++), bytes);
    if (label != null) {
      addGiven(slot.slot(), label);
    }
  }

  /** One of the slots before the newest. */
  IdState.Owned owned(String id, long number) {
    return read(
        bytes -> {
          ByteBuffer in = ByteBuffer.wrap(bytes);
          return new IdState.Owned(in.getLong(), in.getLong());
        },
        table.get(ownedKey(id, number)));
  }

  void removeOldestOwned(String id, IdState state) {
    delete(ownedKey(id, state.firstOwned++), 2 * Long.BYTES);
  }

  /** The label of a slot that is not the newest of its id, or null. */
  byte[] given(long slot) {
    return table.get("given/" + slot);
  }

  void addGiven(long slot, byte[] label) {
    put("given/" + slot, label);
  }

  /** Takes the label of a slot that is not the newest of its id; null where it has none. */
  byte[] takeGiven(long slot) {
    byte[] label = given(slot);
    if (label != null) {
      delete("given/" + slot, label.length);
    }
    return label;
  }

  /** Keeps what {@link #id} gave and somebody changed. */
  void keep(String id, IdState state) {
    if (state.isEmpty()) {
      delete("id/" + id, state.stored);
    } else {
      byte[] bytes = state.encode();
      put("id/" + id, bytes);
      head.held = Math.max(0, head.held - state.stored);
      state.stored = bytes.length;
    }
  }

  private static String ownedKey(String id, long number) {
    return "owned/" + number + "/" + id;
  }

  private static String earlyKey(String id, long number) {
    return "early/" + number + "/" + id;
  }

  /** An id with a time and a number. */
  record Stamped(long time, long number, String id) {
    byte[] encode() {
      byte[] text = id.getBytes(StandardCharsets.UTF_8);
      return ByteBuffer.allocate(2 * Long.BYTES + text.length)
          .putLong(time)
          .putLong(number)
          .put(text)
          .array();
    }

    int length() {
      return 2 * Long.BYTES + id.getBytes(StandardCharsets.UTF_8).length;
    }

    static Stamped of(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      long time = in.getLong();
      long number = in.getLong();
      String id = new String(bytes, in.position(), in.remaining(), StandardCharsets.UTF_8);
      return new Stamped(time, number, id);
    }
  }
}
