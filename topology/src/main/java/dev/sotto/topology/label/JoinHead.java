package dev.sotto.topology.label;

import java.nio.ByteBuffer;

/** How far a join has come; one small value, written with every change. */
final class JoinHead {
  private static final int NUMBERS = 25;

  /** Without the topics' ids. */
  private static final int NUMBERS_WITHOUT_IDS = 23;

  /** Of version 0.1.0, which wrote each entry under its own name. */
  private static final int NUMBERS_WITHOUT_PAGES = 17;

  /** Entries of a table that has an unknown number of them. */
  private static final long MANY = 1L << 62;

  final PagedQueue.Place events = new PagedQueue.Place(); // not written yet
  final PagedQueue.Place slots = new PagedQueue.Place(); // of an id, not forgotten yet
  final PagedQueue.Place labels = new PagedQueue.Place(); // not forgotten yet
  final RecentEntries.Place recent = new RecentEntries.Place();
  long eventTime = Long.MIN_VALUE; // the largest that was read
  long labelTime = Long.MIN_VALUE;
  long inTime; // labels, by what became of them
  long late;
  long repeated;
  long unmatched;
  long unreadable;
  long held; // bytes of all that is remembered but this
  long nextEventOffset; // events below it are in, whatever the group's offsets say
  long nextLabelOffset; // likewise of labels
  long labelTopic; // a digest of its name: offsets of another one mean nothing
  long eventsId; // digests of both topics' ids; 0 where they are not known
  long labelsId;

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(NUMBERS * Long.BYTES);
    out.putLong(events.first).putLong(events.next);
    out.putLong(slots.first).putLong(slots.next);
    out.putLong(labels.first).putLong(labels.next);
    out.putLong(eventTime).putLong(labelTime);
    out.putLong(inTime).putLong(late).putLong(repeated).putLong(unmatched).putLong(unreadable);
    out.putLong(held).putLong(nextEventOffset).putLong(nextLabelOffset);
    out.putLong(labelTopic);
    out.putLong(events.page).putLong(slots.page).putLong(labels.page);
    out.putLong(recent.first).putLong(recent.next).putLong(recent.stored);
    out.putLong(eventsId).putLong(labelsId);
    return out.array();
  }

  static JoinHead decode(byte[] bytes) {
    JoinHead head = new JoinHead();
    if (bytes == null) {
      return head;
    }
    boolean ids = bytes.length == NUMBERS * Long.BYTES;
    boolean pages = ids || bytes.length == NUMBERS_WITHOUT_IDS * Long.BYTES;
    if (!pages && bytes.length != NUMBERS_WITHOUT_PAGES * Long.BYTES) {
      throw new IllegalArgumentException(bytes.length + " bytes say how far it has come");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    head.events.first = in.getLong();
    head.events.next = in.getLong();
    head.slots.first = in.getLong();
    head.slots.next = in.getLong();
    head.labels.first = in.getLong();
    head.labels.next = in.getLong();
    head.eventTime = in.getLong();
    head.labelTime = in.getLong();
    head.inTime = in.getLong();
    head.late = in.getLong();
    head.repeated = in.getLong();
    head.unmatched = in.getLong();
    head.unreadable = in.getLong();
    head.held = in.getLong();
    head.nextEventOffset = in.getLong();
    head.nextLabelOffset = in.getLong();
    head.labelTopic = in.getLong();
    head.events.page = pages ? in.getLong() : head.events.first;
    head.slots.page = pages ? in.getLong() : head.slots.first;
    head.labels.page = pages ? in.getLong() : head.labels.first;
    head.recent.first = pages ? in.getLong() : 0;
    head.recent.next = pages ? in.getLong() : 0;
    head.recent.stored = pages ? in.getLong() : MANY;
    head.eventsId = ids ? in.getLong() : 0;
    head.labelsId = ids ? in.getLong() : 0;
    return head;
  }
}
