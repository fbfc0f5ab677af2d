package dev.sotto.topology.label;

import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.event.LabelledEvent.Join;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.apache.kafka.common.header.Headers;

/**
 * Joins the events of one partition with their labels. Every event gives one labelled event, in the
 * order of the events, whatever the labels are. What it holds is a function of the two logs and of
 * the times at which they were appended:
 *
 * <ul>
 *   <li>The time of a record is the largest of its log up to it, so that it never falls.
 *   <li>An event of time t owns the slot of its id, unless one before it does whose time is above t
 *       - 2 wait.
 *   <li>The label of a slot is the first of its id with a time of at least t - wait and below t +
 *       wait.
 * </ul>
 *
 * An event is written once all labels below t + wait have been read; so the order in which the two
 * logs are read changes nothing. All that it remembers is in the table. Not safe for use by several
 * threads.
 */
public final class LabelJoin {
  /** Of one call: what is left is written by the next one. */
  private static final int MOST_WRITTEN = 10_000;

  private static final String HEAD = "head";
  private static final long UNKNOWN = -1;

  /** Takes labelled events. */
  @FunctionalInterface
  public interface Output {
    /** The next one. */
    void write(byte[] key, byte[] labelled, Headers headers);
  }

  private final StateTable table;
  private final long wait;
  private final Output output;
  private final JoinHead head;
  private long eventsRead; // up to which time, as somebody has looked
  private long labelsRead;
  private long oldest = UNKNOWN; // time of the oldest event that waits

  /**
   * Goes on where the table says.
   *
   * @param wait in milliseconds
   */
  public LabelJoin(StateTable table, long wait, Output output) {
    this.table = table;
    this.wait = wait;
    this.output = output;
    this.head = JoinHead.decode(table.get(HEAD));
    this.eventsRead = head.eventTime;
    this.labelsRead = head.labelTime;
  }

  /**
   * Takes the next event, and writes those whose time is over.
   *
   * @param event its join is decided here
   */
  public void event(PendingEvent event) {
    long time = Math.max(head.eventTime, event.source().time());
    head.eventTime = time;
    eventsRead = Math.max(eventsRead, time);
    forget();
    long number = head.nextEvent++;
    Join join = event.id() == null ? Join.NO_ID : claim(event.id(), number, time);
    LabelledEvent.Source source =
        new LabelledEvent.Source(event.source().partition(), event.source().offset(), time);
    table.put(
        eventKey(number),
        new PendingEvent(source, join, event.id(), event.key(), event.value(), event.headers())
            .encode());
    write();
  }

  private Join claim(String id, long number, long time) {
    IdState state = state(id);
    IdState.Owned last = state.last();
    if (last != null && time - last.time < 2 * wait) {
      return Join.REPEATED;
    }
    IdState.Owned slot = new IdState.Owned(number, time);
    state.slots.add(slot);
    for (; state.firstEarly < state.nextEarly; state.firstEarly++) {
      String place = earlyKey(id, state.firstEarly);
      EarlyLabel label = EarlyLabel.decode(table.get(place));
      if (label.time() >= time + wait) {
        break;
      }
      table.delete(place);
      if (label.time() < time - wait) {
        head.unmatched++;
      } else {
        give(slot, label.value());
      }
    }
    keep(id, state);
    table.put(slotKey(head.nextSlot++), stamped(time, id, number));
    return Join.MISSING;
  }

  private void give(IdState.Owned slot, byte[] label) {
    if (slot.label != null || slot.closed) {
      head.repeated++;
    } else {
      slot.label = label;
      head.inTime++;
    }
  }

  /**
   * Takes the next label. It writes no event.
   *
   * @param id null where it cannot be read
   * @param value null where the record has none
   */
  public void label(long appended, String id, byte[] value) {
    long time = Math.max(head.labelTime, appended);
    head.labelTime = time;
    labelsRead = Math.max(labelsRead, time);
    if (id == null || value == null) {
      head.unreadable++;
    } else {
      label(id, time, value);
    }
    saveHead();
  }

  private void label(String id, long time, byte[] value) {
    IdState state = state(id);
    for (IdState.Owned slot : state.slots) {
      if (time < slot.time + wait) {
        if (time < slot.time - wait) {
          head.unmatched++;
        } else if (slot.closed) { // a clock was behind by more than the grace
          head.late++;
        } else {
          give(slot, value);
          keep(id, state);
        }
        return;
      }
    }
    if (eventsRead > time + wait) { // no event to come can claim it
      count(!state.slots.isEmpty());
    } else {
      long number = state.nextEarly++;
      table.put(earlyKey(id, number), new EarlyLabel(time, !state.slots.isEmpty(), value).encode());
      keep(id, state);
      table.put(labelKey(head.nextLabel++), stamped(time, id, number));
    }
  }

  private void count(boolean late) {
    if (late) {
      head.late++;
    } else {
      head.unmatched++;
    }
  }

  /**
   * Somebody has looked: all labels, or all events, that were appended before a time have been
   * handed over. Writes the events whose time is over.
   */
  public void passed(long allLabelsBefore, long allEventsBefore) {
    labelsRead = Math.max(labelsRead, allLabelsBefore);
    eventsRead = Math.max(eventsRead, allEventsBefore);
    write();
    forget();
    saveHead();
  }

  /** Whether an event waits. */
  public boolean hasEvents() {
    return head.firstEvent < head.nextEvent;
  }

  /** Whether anything at all is remembered. */
  public boolean isEmpty() {
    return !hasEvents() && head.firstLabel == head.nextLabel && head.firstSlot == head.nextSlot;
  }

  /** When the time of the oldest event that waits is over; {@link Long#MAX_VALUE} for none. */
  public long nextDue() {
    if (!hasEvents()) {
      return Long.MAX_VALUE;
    }
    if (oldest == UNKNOWN) {
      oldest =
          PendingEvent.decode(table.get(eventKey(head.firstEvent))).source().time();
    }
    return oldest + wait;
  }

  /** What became of labels, since the join began. */
  public LabelCounts counts() {
    return new LabelCounts(head.inTime, head.late, head.repeated, head.unmatched, head.unreadable);
  }

  private void write() {
    for (int left = MOST_WRITTEN; hasEvents() && left > 0; left--) {
      if (nextDue() > labelsRead) {
        break;
      }
      String place = eventKey(head.firstEvent);
      PendingEvent event = PendingEvent.decode(table.get(place));
      byte[] label = event.join() == Join.MISSING ? close(event.id(), head.firstEvent) : null;
      LabelledEvent labelled = new LabelledEvent(
          label == null ? event.join() : Join.LABELLED, event.source(), event.value(), label);
      output.write(event.key(), labelled.encode(), event.headers());
      table.delete(place);
      head.firstEvent++;
      oldest = UNKNOWN;
    }
    saveHead();
  }

  private byte[] close(String id, long number) {
    IdState state = state(id);
    byte[] label = null;
    for (IdState.Owned slot : state.slots) {
      if (slot.slot == number) {
        slot.closed = true;
        label = slot.label;
        slot.label = null;
      }
    }
    keep(id, state);
    return label;
  }

  /** Forgets slots and labels that no event to come can have to do with. */
  private void forget() {
    while (head.firstSlot < head.nextSlot) {
      Stamped oldest = Stamped.of(table.get(slotKey(head.firstSlot)));
      if (oldest.time + 2 * wait > eventsRead || oldest.number >= head.firstEvent) {
        break;
      }
      IdState state = state(oldest.id);
      state.slots.removeIf(each -> each.slot == oldest.number);
      keep(oldest.id, state);
      table.delete(slotKey(head.firstSlot++));
    }
    while (head.firstLabel < head.nextLabel) {
      Stamped oldest = Stamped.of(table.get(labelKey(head.firstLabel)));
      if (oldest.time + wait >= eventsRead) {
        break;
      }
      String place = earlyKey(oldest.id, oldest.number);
      EarlyLabel label = EarlyLabel.decode(table.get(place));
      if (label != null) {
        count(label.late());
        table.delete(place);
        IdState state = state(oldest.id);
        state.firstEarly = oldest.number + 1;
        keep(oldest.id, state);
      }
      table.delete(labelKey(head.firstLabel++));
    }
  }

  private void saveHead() {
    table.put(HEAD, head.encode());
  }

  private IdState state(String id) {
    return IdState.decode(table.get("id/" + id));
  }

  private void keep(String id, IdState state) {
    if (state.isEmpty()) {
      table.delete("id/" + id);
    } else {
      table.put("id/" + id, state.encode());
    }
  }

  private static String eventKey(long number) {
    return "event/" + number;
  }

  private static String slotKey(long number) {
    return "slot/" + number;
  }

  private static String earlyKey(String id, long number) {
    return "early/" + number + "/" + id;
  }

  private static String labelKey(long number) {
    return "label/" + number;
  }

  private static byte[] stamped(long time, String id, long number) {
    byte[] text = id.getBytes(StandardCharsets.UTF_8);
    return ByteBuffer.allocate(2 * Long.BYTES + text.length)
        .putLong(time)
        .putLong(number)
        .put(text)
        .array();
  }

  /** An id with a time and a number. */
  private record Stamped(long time, long number, String id) {
    static Stamped of(byte[] bytes) {
      ByteBuffer in = ByteBuffer.wrap(bytes);
      long time = in.getLong();
      long number = in.getLong();
      String id = new String(bytes, in.position(), in.remaining(), StandardCharsets.UTF_8);
      return new Stamped(time, number, id);
    }
  }
}
