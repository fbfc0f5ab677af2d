package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SourceRecord;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Slots as announcements name them: a while at a time, with a commit in between. What is announced
 * depends on the announcements alone, and not on where reading stops for a commit.
 *
 * <table>
 *   <caption>Where an announcement is</caption>
 *   <tr><td>below {@code order.nextAnnouncement()}</td><td>in the order: its slots are handed out,
 *       or are next</td></tr>
 *   <tr><td>from there to {@code handedTo}</td><td>left: it was handed over as there was no room,
 *       or to an earlier life, and is read again from the topic once the slots before it are
 *       taken</td></tr>
 *   <tr><td>behind</td><td>still to be handed over</td></tr>
 * </table>
 *
 * <p>One that is handed over enters the order at once if it is in turn: no other is left before it,
 * and there is room.
 */
final class OrderedSource implements TrainerSource {
  /** Announcements that are kept and whose slots have not been read. */
  private static final int MOST = 10_000;

  private final SlotLog announcements;
  private final SlotOrder order;
  private final SlotReader reader;
  private final ReadStopwatch time;
  private final NewSlots newSlots = new NewSlots();
  private ReadTime readTime = ReadTime.UNLIMITED;
  private long handedTo;
  private boolean inTurn; // nothing but markers lies before the next announcement

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
    this.time = new ReadStopwatch(timeLimit, () -> readTime.now());
  }

  @Override
  public void within(ReadTime newTime) {
    readTime = newTime;
    reader.within(newTime);
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
    handedTo = Math.max(passed, order.nextAnnouncement());
    inTurn = false;
    time.restart();
    newSlots.start(head);
  }

  @Override
  public boolean isBehind() {
    return reader.position() < order.end() || order.nextAnnouncement() < handedTo;
  }

  /** Takes over an announcement, whose slots are handed out if there is time. */
  @Override
  public void offer(SourceRecord record, long end) {
    long offset = record.place();
    newSlots.handedOver(offset);
    handedTo = Math.max(handedTo, Place.behind(offset));
    if (offset < order.nextAnnouncement()) {
      return;
    }
    inTurn = (inTurn || offset == order.nextAnnouncement()) && hasRoom();
    if (inTurn) {
      add(record);
    }
    if (time.isLeft()) {
      begin();
    }
  }

  private boolean hasRoom() {
    return order.ahead(reader.position()) < MOST;
  }

  /** Announcements are few, and taken over whatever the time. */
  @Override
  public void leaveTo(long end) {}

  @Override
  public void goOn() {
    time.restart();
    begin();
  }

  private void begin() {
    time.begin();
    readAnnouncedSlots();
  }

  private void readAnnouncedSlots() {
    if (reader.position() < order.end()) {
      reader.readTo(order.end());
    }
  }

  @Override
  public SourceRecord next() {
    while (time.reads()) {
      SourceRecord slot = reader.next();
      if (slot != null) {
        return slot;
      }
      if (hasMore()) {
        readAnnouncedSlots();
      } else {
        time.end();
      }
    }
    return null;
  }

  /** Whether announcements that were left have entered the order, behind the last slot of it. */
  private boolean hasMore() {
    boolean stopped = reader.position() < order.end(); // for a commit
    return !stopped && time.isLeft() && order.nextAnnouncement() < handedTo && readLeft();
  }

  /** Reads announcements that were left, as far as there is room; whether there was any. */
  private boolean readLeft() {
    long before = order.nextAnnouncement();
    try (SlotLog.Reading reading = announcements.read(0, order.nextAnnouncement(), handedTo)) {
      while (hasRoom()) {
        SourceRecord next = reading.next();
        if (next != null) {
          add(next);
          continue;
        }
        if (reading.isWhole()) {
          order.passAnnouncementsBelow(handedTo);
          inTurn = true;
        }
        break;
      }
    }
    return order.nextAnnouncement() > before;
  }

  private void add(SourceRecord record) {
    newSlots.added(record.place(), order.end());
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
    return newSlots.has(place);
  }

  @Override
  public long newFrom() {
    return newSlots.place();
  }

  @Override
  public long newAnnounced() {
    return newSlots.announced();
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

  @Override
  public void closedBelow(LongSupplier place) {
    reader.forgetBelow(place);
  }

  @Override
  public void close() {
    reader.close();
  }
}
