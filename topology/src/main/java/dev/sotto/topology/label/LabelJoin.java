package dev.sotto.topology.label;

import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.event.LabelledEvent.Join;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.label.JoinState.Stamped;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.store.StateTable;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.common.header.internals.RecordHeaders;

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
 * A record that is too large counts as one without an id, whatever the others are. An event is
 * written once all labels below t + wait have been read; so the order in which the two
 * logs are read changes nothing. All that it remembers is in the table. Not safe for use by several
 * threads.
 */
public final class LabelJoin {
  /** Of one call: what is left is written by the next one. */
  private static final int MOST_WRITTEN = 10_000;

  /**
   * Bytes of key, value and headers of an event, and of a label's value, that are taken: larger ones
   * would together exceed what brokers take of one record.
   */
  static final int LARGEST_EVENT = 640 << 10;

  static final int LARGEST_LABEL = 256 << 10;

  /** Takes labelled events. */
  @FunctionalInterface
  public interface Output {
    /** The next one. */
    void write(byte[] key, byte[] labelled, Headers headers);
  }

  private static final long CLOCKS = LateLabels.GRACE.toMillis(); // brokers' may differ by so much

  private final JoinState state;
  private final JoinHead head;
  private final long wait;
  private final Output output;
  private long eventsRead; // up to which time, as somebody has looked
  private long labelsRead;

  /**
   * Goes on where the table says.
   *
   * @param labelTopic the name of the topic of labels
   * @param wait in milliseconds
   */
  public LabelJoin(StateTable table, String labelTopic, long wait, Output output) {
    this.state = new JoinState(table);
    this.head = state.head;
    long topic = ByteBuffer.wrap(Sha256.sha256(labelTopic.getBytes(StandardCharsets.UTF_8)))
        .getLong();
    if (head.labelTopic != 0 && head.labelTopic != topic) {
      head.nextLabelOffset = 0;
    }
    head.labelTopic = topic;
    this.wait = wait;
    this.output = output;
    this.eventsRead = head.eventTime;
    this.labelsRead = head.labelTime;
  }

  /**
   * Takes the next event, and writes those whose time is over. One that it has taken before is left
   * out: it would be learned twice.
   *
   * @param event its join is decided here
   */
  public void event(PendingEvent event) {
    if (event.source().offset() < head.nextEventOffset) {
      return;
    }
    if (head.nextEventOffset == JoinHead.UNKNOWN) {
      requireNew("event", event.source().offset(), event.source().time(), head.eventTime);
    }
    head.nextEventOffset = event.source().offset() + 1;
    long time = Math.max(head.eventTime, event.source().time());
    head.eventTime = time;
    eventsRead = Math.max(eventsRead, time);
    forget();
    boolean fits = event.size() <= LARGEST_EVENT;
    String id = fits ? event.id() : null;
    Join join = id == null ? Join.NO_ID : claim(id, head.nextEvent, time);
    LabelledEvent.Source source =
        new LabelledEvent.Source(event.source().partition(), event.source().offset(), time);
    state.addEvent(
        fits
            ? new PendingEvent(source, join, id, event.key(), event.value(), event.headers())
            : new PendingEvent(source, join, null, null, null, new RecordHeaders()));
    write();
    state.save();
  }

  /** Earlier versions did not remember offsets: after an upgrade the time says what is new. */
  private static void requireNew(String what, long offset, long appended, long taken) {
    if (taken != Long.MIN_VALUE && appended < taken - CLOCKS) {
      throw new UnsafeToContinueException(
          "the state of the join does not say up to which offsets it"
              + " has read, since an earlier version wrote it, and the " + what + " at offset "
              + offset
              + " was appended at " + Instant.ofEpochMilli(appended) + ", while those up to "
              + Instant.ofEpochMilli(taken)
              + " were taken before: it would count twice. Set the offsets"
              + " of the stopped group with kafka-consumer-groups.sh --reset-offsets --to-datetime, to a"
              + " moment later than that");
    }
  }

  private Join claim(String id, long number, long time) {
    IdState of = state.id(id);
    IdState.Owned last = of.last();
    if (last != null && time - last.time < 2 * wait) {
      return Join.REPEATED;
    }
    IdState.Owned slot = new IdState.Owned(number, time);
    of.slots.add(slot);
    for (; of.firstEarly < of.nextEarly; of.firstEarly++) {
      EarlyLabel label = state.label(id, of.firstEarly);
      if (label.time() >= time + wait) {
        break;
      }
      state.removeLabel(id, of.firstEarly, label);
      if (label.time() < time - wait) {
        head.unmatched++;
      } else {
        give(slot, label.value());
      }
    }
    state.keep(id, of);
    state.addSlot(new Stamped(time, number, id));
    return Join.MISSING;
  }

  private boolean give(IdState.Owned slot, byte[] label) {
    if (slot.label != null || slot.closed) {
      head.repeated++;
      return false;
    }
    slot.label = label;
    head.inTime++;
    return true;
  }

  /**
   * Takes the next label. It writes no event. One that it has taken before is left out.
   *
   * @param id null where it cannot be read
   * @param value null where the record has none
   */
  public void label(long offset, long appended, String id, byte[] value) {
    if (offset < head.nextLabelOffset) {
      return;
    }
    if (head.nextLabelOffset == JoinHead.UNKNOWN) {
      requireNew("label", offset, appended, head.labelTime);
    }
    head.nextLabelOffset = offset + 1;
    long time = Math.max(head.labelTime, appended);
    head.labelTime = time;
    labelsRead = Math.max(labelsRead, time);
    if (id == null || value == null || value.length > LARGEST_LABEL) {
      head.unreadable++;
    } else {
      label(id, time, value);
    }
    state.save();
  }

  private void label(String id, long time, byte[] value) {
    IdState of = state.id(id);
    for (IdState.Owned slot : of.slots) {
      if (time < slot.time + wait) {
        if (time < slot.time - wait) {
          head.unmatched++;
        } else if (slot.closed) { // a clock was behind by more than the grace
          head.late++;
        } else if (give(slot, value)) {
          state.keep(id, of);
        }
        return;
      }
    }
    boolean late = !of.slots.isEmpty();
    if (eventsRead > time + wait) { // no event to come can claim it
      count(late);
    } else {
      state.addLabel(id, of, new EarlyLabel(time, late, value));
      state.keep(id, of);
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
    state.save();
  }

  /** Whether an event waits. */
  public boolean hasEvents() {
    return head.firstEvent < head.nextEvent;
  }

  /** Whether anything at all is remembered. */
  public boolean isEmpty() {
    return !hasEvents() && head.firstLabel == head.nextLabel && head.firstSlot == head.nextSlot;
  }

  /** Bytes of all that is remembered, without the names under which it lies. */
  public long bytes() {
    return state.bytes();
  }

  /** When the time of the oldest event that waits is over; {@link Long#MAX_VALUE} for none. */
  public long nextDue() {
    return hasEvents() ? state.oldestTime() + wait : Long.MAX_VALUE;
  }

  /** Whether an event waits whose time is over: one call writes only so many. */
  public boolean isDue() {
    return nextDue() <= labelsRead && hasEvents();
  }

  /** What became of labels, since the join began. */
  public LabelCounts counts() {
    return new LabelCounts(head.inTime, head.late, head.repeated, head.unmatched, head.unreadable);
  }

  private void write() {
    for (int left = MOST_WRITTEN; left > 0 && hasEvents() && nextDue() <= labelsRead; left--) {
      long number = head.firstEvent;
      PendingEvent event = state.takeEvent();
      byte[] label = event.join() == Join.MISSING ? close(event.id(), number) : null;
      LabelledEvent labelled = new LabelledEvent(
          label == null ? event.join() : Join.LABELLED, event.source(), event.value(), label);
      output.write(event.key(), labelled.encode(), event.headers());
    }
  }

  private byte[] close(String id, long number) {
    IdState of = state.id(id);
    byte[] label = null;
    for (IdState.Owned slot : of.slots) {
      if (slot.slot == number) {
        slot.closed = true;
        label = slot.label;
        slot.label = null;
      }
    }
    state.keep(id, of);
    return label;
  }

  /** Forgets slots and labels that no event to come can have to do with. */
  private void forget() {
    for (Stamped oldest = state.oldestSlot(); oldest != null; oldest = state.oldestSlot()) {
      if (oldest.time() + 2 * wait > eventsRead || oldest.number() >= head.firstEvent) {
        break;
      }
      IdState of = state.id(oldest.id());
      long number = oldest.number();
      of.slots.removeIf(each -> each.slot == number);
      state.keep(oldest.id(), of);
      state.removeOldestSlot();
    }
    for (Stamped oldest = state.oldestLabel(); oldest != null; oldest = state.oldestLabel()) {
      if (oldest.time() + wait >= eventsRead) {
        break;
      }
      EarlyLabel label = state.label(oldest.id(), oldest.number());
      if (label != null) {
        count(label.late());
        state.removeLabel(oldest.id(), oldest.number(), label);
        IdState of = state.id(oldest.id());
        of.firstEarly = oldest.number() + 1;
        state.keep(oldest.id(), of);
      }
      state.removeOldestLabel();
    }
  }
}
