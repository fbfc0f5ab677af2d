package dev.sotto.topology.trainer;

import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.log.CatchUpReader;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SourceRecord;
import java.time.Duration;

/**
 * Has slots taken as announcements name them: a while at a time, with a commit in between. What is
 * announced depends on the announcements alone, and not on where reading stops for a commit.
 */
final class OrderFollower {
  /** Announcements that are kept and whose slots have not been read. */
  private static final int MOST = 10_000;

  private static final long NONE = Long.MAX_VALUE;

  private final SlotLog announcements;
  private final SlotOrder order;
  private final CatchUpReader reader;
  private final long nanos;
  private long spent; // reading, since the last commit that is known of
  private long handedTo;
  private boolean inTurn; // nothing but markers lies before the next announcement
  private long firstHandedOver = NONE; // offset of an announcement
  private long lettersFrom = NONE; // the place where the slots of that one begin

  /**
   * A follower.
   *
   * @param announcements the order's topic
   * @param order its slots
   * @param reader of those
   * @param timeLimit for how long slots are read without a commit
   */
  OrderFollower(SlotLog announcements, SlotOrder order, CatchUpReader reader, Duration timeLimit) {
    this.announcements = announcements;
    this.order = order;
    this.reader = reader;
    this.nanos = timeLimit.toNanos();
  }

  /**
   * Starts.
   *
   * @param place of the order, at the position or before it
   * @param position the first slot that is not in the stored state
   * @param passed offset up to which an earlier life was handed announcements whose slots it had
   *     not read; at most 0 where there are none
   */
  void start(OrderPlace place, long position, long passed) {
    order.start(place);
    reader.start(position);
    handedTo = Math.max(passed, order.next());
    inTurn = false;
    firstHandedOver = NONE;
    lettersFrom = NONE;
    spent = 0;
  }

  /**
   * Nothing of some slots has been set aside by an earlier life, though it was handed them.
   *
   * @param place of the first; -1 where it is not known
   * @param announced offset of their announcement, where the place is not known
   */
  void lettersFrom(long place, long announced) {
    lettersFrom = place < 0 ? NONE : place;
    firstHandedOver = place < 0 ? announced : NONE;
  }

  /** The place of the first slot that no earlier life has set aside; -1 where it is not known. */
  long newFrom() {
    return lettersFrom == NONE ? -1 : lettersFrom;
  }

  /** Offset of the announcement of that slot, where the place is not known; else -1. */
  long newAnnounced() {
    return firstHandedOver == NONE ? -1 : firstHandedOver;
  }

  /** Whether a slot was not handed to an earlier life, which would have set it aside. */
  boolean isNew(long place) {
    return place >= lettersFrom;
  }

  /** Offset behind the last announcement that was handed over. */
  long handedTo() {
    return handedTo;
  }

  /** Whether slots that were announced wait to be read. */
  boolean isBehind() {
    return reader.position() < order.end() || order.next() < handedTo;
  }

  /** Takes an announcement that was handed over, and its slots, if there is time. */
  void take(SourceRecord record) {
    long offset = record.offset();
    if (lettersFrom == NONE && firstHandedOver == NONE) {
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
      readOn();
    }
  }

  /** Reads on for a while: there has been a commit, or there will be one at once. */
  void goOn() {
    spent = 0;
    readOn();
  }

  private void readOn() {
    long began = System.nanoTime();
    boolean whole = true;
    while (whole && isBehind() && System.nanoTime() - began + spent < nanos) {
      if (reader.position() < order.end()) {
        reader.readTo(order.end());
        whole = reader.position() >= order.end();
      } else {
        whole = readAnnouncements();
      }
    }
    spent += System.nanoTime() - began;
  }

  /** Reads what was handed over before, or to another life; whether any of it was there. */
  private boolean readAnnouncements() {
    long before = order.next();
    boolean all = announcements.read(0, order.next(), handedTo, record -> {
      add(record);
      return order.ahead(reader.position()) < MOST;
    });
    if (all) {
      order.moveTo(handedTo);
      inTurn = true;
    }
    return order.next() > before;
  }

  private void add(SourceRecord record) {
    if (record.offset() >= firstHandedOver) {
      lettersFrom = order.end();
      firstHandedOver = NONE;
    }
    order.add(record.offset(), record.appended(), Codecs.ANNOUNCEMENT.decode(record.value()));
  }
}
