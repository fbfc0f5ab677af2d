package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SourceRecord;
import java.time.Duration;
import java.util.List;

/**
 * Slots as announcements name them: a while at a time, with a commit in between. What is announced
 * depends on the announcements alone, and not on where reading stops for a commit.
 */
final class OrderedSource implements TrainerSource {
  /** Announcements that are kept and whose slots have not been read. */
  private static final int MOST = 10_000;

  private static final long NONE = Long.MAX_VALUE;

  private final SlotLog announcements;
  private final SlotOrder order;
  private final SlotReader reader;
  private final long nanos;
  private boolean hands; // out slots, for a while
  private long began;
  private long spent; // since the last commit that is known of
  private long handedTo;
  private boolean inTurn; // nothing but markers lies before the next announcement
  private long firstHandedOver = NONE; // offset of an announcement
  private long newFrom = NONE; // the place where the slots of that one begin

  /**
   * A source.
   *
   * @param announcements the order's topic
   * @param order its slots
   * @param reader of those
   * @param timeLimit for how long slots are handed out without a commit
   */
  OrderedSource(SlotLog announcements, SlotOrder order, SlotReader reader, Duration timeLimit) {
    this.announcements = announcements;
    this.order = order;
    this.reader = reader;
    this.nanos = timeLimit.toNanos();
  }

  @Override
  public void within(ReadTime readTime) {
    reader.within(readTime);
  }

  @Override
  public boolean hasLeft(PartitionHead head) {
    return head.handedTo() >= 0;
  }

  @Override
  public long first(long offset) {
    return 0;
  }

  @Override
  public void start(PartitionHead head, long from, long offset, long passed) {
    order.start(head == null ? OrderPlace.beginning() : head.order());
    reader.start(from);
    handedTo = Math.max(passed, order.next());
    inTurn = false;
    hands = false;
    spent = 0;
    firstHandedOver = NONE;
    newFrom = NONE;
    if (head != null && head.handedTo() >= 0) {
      newFrom = head.lettersFrom() < 0 ? NONE : head.lettersFrom();
      firstHandedOver = head.lettersFrom() < 0 ? head.lettersAnnounced() : NONE;
    }
  }

  @Override
  public boolean isBehind() {
    return reader.position() < order.end() || order.next() < handedTo;
  }

  /** Takes over an announcement, whose slots are handed out if there is time. */
  @Override
  public void handOver(SourceRecord record, long end) {
    long offset = record.place();
    if (newFrom == NONE && firstHandedOver == NONE) {
      firstHandedOver = offset;
    }
    handedTo = Math.max(handedTo, offset + 1);
    if (offset < order.next()) {
      return;
    }
    inTurn = (inTurn || offset == order.next()) && order.ahead(reader.position()) < MOST;
    if (inTurn) {
      add(record);
    } // else it is read again, behind what is missing or has to wait
    if (spent < nanos) {
      begin();
    }
  }

  /** Announcements are few, and taken over whatever the time. */
  @Override
  public void leaveTo(long end) {}

  @Override
  public void goOn() {
    spent = 0;
    begin();
  }

  private void begin() {
    hands = true;
    began = System.nanoTime();
    readAnnounced();
  }

  private boolean readAnnounced() {
    boolean more = reader.position() < order.end();
    if (more) {
      reader.readTo(order.end());
    }
    return more;
  }

  @Override
  public SourceRecord next() {
    while (hands) {
      SourceRecord slot = reader.next();
      if (slot != null) {
        return slot;
      }
      hands = reader.position() >= order.end() // else reading stopped for a commit
          && System.nanoTime() - began + spent < nanos
          && order.next() < handedTo
          && readAnnouncements();
      if (hands) {
        readAnnounced();
      } else {
        spent += System.nanoTime() - began;
      }
    }
    return null;
  }

  /** Reads what was handed over before, or to another life; whether any of it was there. */
  private boolean readAnnouncements() {
    long before = order.next();
    try (SlotLog.Reading reading = announcements.read(0, order.next(), handedTo)) {
      while (order.ahead(reader.position()) < MOST) {
        SourceRecord next = reading.next();
        if (next == null) {
          if (reading.isWhole()) {
            order.moveTo(handedTo);
            inTurn = true;
          }
          break;
        }
        add(next);
      }
    }
    return order.next() > before;
  }

  private void add(SourceRecord record) {
    if (record.place() >= firstHandedOver) {
      newFrom = order.end();
      firstHandedOver = NONE;
    }
    order.add(record.place(), record.appended(), Codecs.ANNOUNCEMENT.decode(record.value()));
  }

  @Override
  public long position() {
    return reader.position();
  }

  @Override
  public void rewind(long place) {
    reader.rewind(place);
  }

  @Override
  public boolean isNew(long place) {
    return place >= newFrom;
  }

  @Override
  public long newFrom() {
    return newFrom == NONE ? -1 : newFrom;
  }

  @Override
  public long newAnnounced() {
    return firstHandedOver == NONE ? -1 : firstHandedOver;
  }

  @Override
  public long handedTo() {
    return handedTo;
  }

  @Override
  public boolean isOrder() {
    return true;
  }

  @Override
  public OrderPlace placeAt(long place, boolean inVersion) {
    return order.placeAt(place, inVersion);
  }

  @Override
  public void beginVersion(long place) {
    order.beginVersion(place);
  }

  @Override
  public List<OffsetRange> version(long from, long to) {
    return order.version(to);
  }

  @Override
  public int partitionAt(long place) {
    return order.eventAt(place).partition();
  }

  @Override
  public long offsetAt(long place) {
    return order.eventAt(place).offset();
  }

  @Override
  public void forgetBelow(long place) {
    order.forgetBelow(place);
  }
}
