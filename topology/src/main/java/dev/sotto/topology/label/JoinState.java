package dev.sotto.topology.label;

import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.kafka.common.KafkaException;

/**
 * What a join remembers, in its table: queues of events, slots and labels, each with a number, and
 * the state of each id. Counts the bytes of all of them, wherever they lie.
 */
final class JoinState {
  private static final String HEAD = "head";

  private final StateTable table;
  final JoinHead head;
  private final PagedQueue events;
  private final PagedQueue slots;
  private final PagedQueue labels;
  private final RecentEntries recent; // by id
  private byte[] oldestEvent; // null where it has not been read
  private Stamped oldestSlot;
  private Stamped oldestLabel;

  /**
   * Goes on where the table says.
   *
   * @param recentBytes of the heap for ids that changed last; 0 for the usual share of it
   */
  JoinState(StateTable table, long recentBytes) {
    this.table = table;
    this.head = read(JoinHead::decode, table.get(HEAD));
    this.events = new PagedQueue(table, "event/", head.events);
    this.slots = new PagedQueue(table, "slot/", head.slots);
    this.labels = new PagedQueue(table, "label/", head.labels);
    this.recent = read(() -> new RecentEntries(table, head.recent, recentBytes));
  }

  /**
   * What these bytes of the table hold.
   *
   * @throws UnsafeToContinueException where they cannot be read
   */
  private static <T> T read(Function<byte[], T> form, byte[] bytes) {
    return read(() -> form.apply(bytes));
  }

  private static <T> T read(Supplier<T> form) {
    try {
      return form.get();
    } catch (KafkaException ofTheStore) {
      throw ofTheStore;
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

  /**
   * To be called behind changes that belong together, and before anybody goes on from them.
   *
   * @param least entries for which there is time in this call
   */
  void save(int least) {
    events.save();
    slots.save();
    labels.save();
    recent.save(isEmpty(), least);
    table.put(HEAD, head.encode());
  }

  private void put(String key, byte[] value) {
    recent.put(key, value);
    head.held += value.length;
  }

  private void delete(String key, int length) {
    recent.put(key, null);
    gone(length);
  }

  private void add(PagedQueue queue, byte[] entry) {
    queue.add(entry);
    head.held += entry.length;
  }

  private void gone(int length) {
    head.held = Math.max(0, head.held - length);
  }

  /** Adds an event behind all others. */
  void addEvent(PendingEvent event) {
    add(events, event.encode());
  }

  boolean hasEvents() {
    return !events.isEmpty();
  }

  /** Whether nothing is remembered, but the table still holds what was. */
  boolean hasRemains() {
    return isEmpty() && recent.hasJournal();
  }

  /** Whether nothing is remembered but how far it has come. */
  boolean isEmpty() {
    return events.isEmpty() && slots.isEmpty() && labels.isEmpty();
  }

  private byte[] oldestEvent() {
    if (oldestEvent == null) {
      oldestEvent = read(events::oldest);
    }
    return oldestEvent;
  }

  /** The time of the oldest event, which must be there. */
  long oldestTime() {
    return read(PendingEvent::time, oldestEvent());
  }

  /** The offset of the oldest event, which must be there. */
  long oldestOffset() {
    return read(PendingEvent::decode, oldestEvent()).source().offset();
  }

  /** Takes the oldest event out, which must be there. */
  PendingEvent takeEvent() {
    byte[] bytes = oldestEvent();
    PendingEvent event = read(PendingEvent::decode, bytes);
    events.remove();
    gone(bytes.length);
    oldestEvent = null;
    return event;
  }

  /** Adds a slot behind all others. */
  void addSlot(Stamped slot) {
    add(slots, slot.encode());
  }

  /** The oldest slot, or null. */
  Stamped oldestSlot() {
    if (oldestSlot == null && !slots.isEmpty()) {
      oldestSlot = read(() -> Stamped.of(slots.oldest()));
    }
    return oldestSlot;
  }

  void removeOldestSlot() {
    slots.remove();
    gone(oldestSlot.length());
    oldestSlot = null;
  }

  /** Adds a label of an id that has no slot yet. */
  void addLabel(String id, IdState state, EarlyLabel label) {
    long number = state.nextEarly++;
    put(earlyKey(id, number), label.encode());
    add(labels, new Stamped(label.time(), number, id).encode());
  }

  /** A label that came before a slot of its id; null where one has taken it. */
  EarlyLabel label(String id, long number) {
    return read(EarlyLabel::decode, recent.get(earlyKey(id, number)));
  }

  void removeLabel(String id, long number, EarlyLabel label) {
    delete(earlyKey(id, number), label.length());
  }

  /** The oldest of all labels that came before a slot of their id, or null. */
  Stamped oldestLabel() {
    if (oldestLabel == null && !labels.isEmpty()) {
      oldestLabel = read(() -> Stamped.of(labels.oldest()));
    }
    return oldestLabel;
  }

  void removeOldestLabel() {
    labels.remove();
    gone(oldestLabel.length());
    oldestLabel = null;
  }

  /** The state of an id. */
  IdState id(String id) {
    String name = "id/" + id;
    return read(bytes -> IdState.decode(name, bytes), recent.get(name));
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
        recent.get(ownedKey(id, number)));
  }

  void removeOldestOwned(String id, IdState state) {
    delete(ownedKey(id, state.firstOwned++), 2 * Long.BYTES);
  }

  /** The label of a slot that is not the newest of its id, or null. */
  byte[] given(long slot) {
    return recent.get("given/" + slot);
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
  void keep(IdState state) {
    if (state.isEmpty()) {
      delete(state.name, state.stored);
    } else {
      byte[] bytes = state.encode();
      put(state.name, bytes);
      gone(state.stored);
      state.stored = bytes.length;
    }
  }

  /** Leaves the heap to others. */
  void close() {
    recent.close();
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
