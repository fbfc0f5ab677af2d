package dev.sotto.topology.label;

import java.nio.ByteBuffer;

/** How far a join has come; one small value, written with every change. */
final class JoinHead {
  private static final int NUMBERS = 17;

  long firstEvent; // not written yet
  long nextEvent;
  long firstSlot; // of an id, not forgotten yet
  long nextSlot;
  long firstLabel; // not forgotten yet
  long nextLabel;
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

  byte[] encode() {
    ByteBuffer out = ByteBuffer.allocate(NUMBERS * Long.BYTES);
    out.putLong(firstEvent).putLong(nextEvent).putLong(firstSlot).putLong(nextSlot);
    out.putLong(firstLabel).putLong(nextLabel).putLong(eventTime).putLong(labelTime);
    out.putLong(inTime).putLong(late).putLong(repeated).putLong(unmatched).putLong(unreadable);
    out.putLong(held).putLong(nextEventOffset).putLong(nextLabelOffset);
    out.putLong(labelTopic);
    return out.array();
  }

  static JoinHead decode(byte[] bytes) {
    JoinHead head = new JoinHead();
    if (bytes == null) {
      return head;
    }
    if (bytes.length != NUMBERS * Long.BYTES) {
      throw new IllegalArgumentException(bytes.length + " bytes say how far it has come");
    }
    ByteBuffer in = ByteBuffer.wrap(bytes);
    head.firstEvent = in.getLong();
    head.nextEvent = in.getLong();
    head.firstSlot = in.getLong();
    head.nextSlot = in.getLong();
    head.firstLabel = in.getLong();
    head.nextLabel = in.getLong();
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
    return head;
  }
}
