package dev.sotto.topology.label;

import dev.sotto.learner.key.Sha256;
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
 * Whose slot is which follows from ids and times alone: an event that is too large owns its slot
 * like any other, and holds nothing. An event is written once all labels below t + wait have been
 * read; so the order in which the two logs are read changes nothing. One call does a bounded amount
 * of work, however many records one id has. All that it remembers is in the table, behind {@link
 * #taken}. Not safe for use by several threads.
 */
public final class LabelJoin {
  /** Events, and bytes of them, that one call writes: the next one writes what is left. */
  private static final int MOST_WRITTEN = 10_000;

  private static final long MOST_BYTES = 16 << 20;

  /** Slots, and labels, that one call for a record forgets; it adds one. */
  private static final int MOST_FORGOTTEN = 100;

  /** The same of a call by the clock. */
  private static final int MOST_CLEARED = 30_000;

  /**
   * Bytes of key, value and headers of an event, and of a label's value, that are taken: larger
   * ones would together exceed what brokers take of one record.
   */
  static final int LARGEST_EVENT = 640 << 10;

  static final int LARGEST_LABEL = 256 << 10;

  /** Takes labelled events. */
  @FunctionalInterface
  public interface Output {
    /** The next one. */
    void write(byte[] key, byte[] labelled, Headers headers);
  }

  private final JoinState state;
  private final JoinHead head;
  private final long wait;
  private final String kept;
  private final Output output;
  private final LabelMatching matching;
  private long labelsRead; // up to which time, as somebody has looked
  private boolean tookEvents; // since the last save

  /** One of events of which no header names the model. */
  public LabelJoin(StateTable table, String labelTopic, long wait, Output output) {
    this(table, labelTopic, wait, null, output);
  }

  /**
   * Goes on where the table says.
   *
   * @param labelTopic the name of the topic of labels
   * @param wait in milliseconds
   * @param kept the header that events keep which are too large, null for none
   */
  public LabelJoin(StateTable table, String labelTopic, long wait, String kept, Output output) {
    this(table, labelTopic, wait, kept, 0, output);
  }

  /** The same with a number of bytes on the heap for half of the ids that changed last. */
  LabelJoin(
      StateTable table,
      String labelTopic,
      long wait,
      String kept,
      long recentBytes,
      Output output) {
    this.state = new JoinState(table, recentBytes);
    this.head = state.head;
    long topic = digest(labelTopic);
    if (head.labelTopic != 0 && head.labelTopic != topic) {
      head.nextLabelOffset = 0;
      head.labelsId = 0;
    }
    head.labelTopic = topic;
    this.wait = wait;
    this.kept = kept;
    this.output = output;
    this.matching = new LabelMatching(state, wait);
    this.labelsRead = head.labelTime;
  }

  private static long digest(String text) {
    return ByteBuffer.wrap(Sha256.sha256(text.getBytes(StandardCharsets.UTF_8))).getLong();
  }

  /**
   * Says from which topic events come, before any is taken: one that was made again under its name
   * has other records at the offsets that were taken.
   *
   * @param id of the topic; empty where it is not known, which tells nothing
   * @return whether it is the one that events were taken from before, if any were
   */
  public boolean eventsFrom(String id) {
    boolean same = head.eventsId == 0 || id.isEmpty() || head.eventsId == digest(id);
    if (same && !id.isEmpty()) {
      head.eventsId = digest(id);
    }
    return same;
  }

  /** The same of the labels; a topic of another name may take the place of the first. */
  public boolean labelsFrom(String id) {
    boolean same = head.labelsId == 0 || id.isEmpty() || head.labelsId == digest(id);
    if (same && !id.isEmpty()) {
      head.labelsId = digest(id);
    }
    return same;
  }

  /**
   * Takes the next event. One that it has taken before is left out: it would be learned twice.
   *
   * @param event its join is decided here
   */
  public void event(PendingEvent event) {
    if (event.source().offset() < head.nextEventOffset) {
      return;
    }
    head.nextEventOffset = event.source().offset() + 1;
    long time = Math.max(head.eventTime, event.source().time());
    head.eventTime = time;
    matching.eventsRead(time);
    matching.forget(MOST_FORGOTTEN);
    LabelledEvent.Source source =
        new LabelledEvent.Source(event.source().partition(), event.source().offset(), time);
    Join join = event.id() == null ? Join.NO_ID : matching.claim(event.id(), time);
    if (event.size() <= LARGEST_EVENT) {
      state.addEvent(event.with(source, join));
    } else {
      Join empty = join == Join.MISSING ? Join.TOO_LARGE : join;
      state.addEvent(event.withoutContent(kept).with(source, empty));
    }
    tookEvents = true;
  }

  /**
   * Takes the next label. One that it has taken before is left out.
   *
   * @param id null where it cannot be read
   * @param value null where the record has none
   */
  public void label(long offset, long appended, String id, byte[] value) {
    if (offset < head.nextLabelOffset) {
      return;
    }
    head.nextLabelOffset = offset + 1;
    long time = Math.max(head.labelTime, appended);
    head.labelTime = time;
    labelsRead = Math.max(labelsRead, time);
    if (id == null || value == null || value.length > LARGEST_LABEL) {
      head.unreadable++;
    } else {
      matching.label(id, time, value);
    }
  }

  /**
   * To be called behind one or several events or labels, before anything else: writes the events
   * whose time is over, if any event was among them, and keeps what has changed.
   */
  public void taken() {
    if (tookEvents) {
      tookEvents = false;
      write();
    }
    state.save(0);
  }

  /**
   * Somebody has looked: all labels, or all events, that were appended before a time have been
   * handed over. Writes the events whose time is over.
   */
  public void passed(long allLabelsBefore, long allEventsBefore) {
    labelsRead = Math.max(labelsRead, allLabelsBefore);
    matching.eventsRead(allEventsBefore);
    write();
    matching.forget(MOST_CLEARED);
    state.save(MOST_CLEARED);
  }

  /** Behind the events that it has taken; 0 for none. */
  public long eventsTaken() {
    return head.nextEventOffset;
  }

  /** The same of the labels. */
  public long labelsTaken() {
    return head.nextLabelOffset;
  }

  /**
   * Whether it knows that it has written the event of an offset: one that it has not taken, or that
   * waits, it would write.
   */
  public boolean hasWritten(long offset) {
    return offset < head.nextEventOffset && (!hasEvents() || offset < state.oldestOffset());
  }

  /** Whether an event waits. */
  public boolean hasEvents() {
    return state.hasEvents();
  }

  /** Whether nothing at all is remembered, and nothing is left to be removed. */
  public boolean isEmpty() {
    return state.isEmpty() && !state.hasRemains();
  }

  /** The heap that all joins of a process may take for ids, in bytes. */
  public static long mostOfHeap() {
    return RecentEntries.mostOfAll();
  }

  /** Bytes of all that is remembered, without the names under which it lies. */
  public long bytes() {
    return state.bytes();
  }

  /** When the time of the oldest event that waits is over; {@link Long#MAX_VALUE} for none. */
  public long nextDue() {
    return hasEvents() ? state.oldestTime() + wait : Long.MAX_VALUE;
  }

  /** Whether an event waits whose time is over, or something is left to be forgotten or removed. */
  public boolean isDue() {
    return hasEvents() && nextDue() <= labelsRead || matching.isDue() || state.hasRemains();
  }

  /** What became of labels, since the join began. */
  public LabelCounts counts() {
    return new LabelCounts(head.inTime, head.late, head.repeated, head.unmatched, head.unreadable);
  }

  /** Leaves its part of the heap to others; nothing else may be called any more. */
  public void close() {
    state.close();
  }

  private void write() {
    long bytes = 0;
    for (int left = MOST_WRITTEN; left > 0 && bytes < MOST_BYTES; left--) {
      if (!hasEvents() || nextDue() > labelsRead) {
        return;
      }
      long number = head.events.first;
      PendingEvent event = state.takeEvent();
      boolean owns = event.join() == Join.MISSING || event.join() == Join.TOO_LARGE;
      byte[] label = owns ? matching.close(event.id(), number) : null;
      boolean labelled = label != null && event.join() == Join.MISSING;
      byte[] value = new LabelledEvent(
              labelled ? Join.LABELLED : event.join(),
              event.source(),
              event.value(),
              labelled ? label : null)
          .encode();
      bytes += value.length;
      output.write(event.key(), value, event.headers());
    }
  }
}
