package dev.sotto.topology.log;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Hands out the records of one log, a partition or the {@link SlotOrder} of several, in its order,
 * each once: those that are {@link #offer offered}, and before them those between a stored position
 * and the first of them, which are read again (docs/decisions/0002-the-log-is-the-buffer.md). Of an
 * order none is offered: all of it is read. Not safe for use by several threads.
 *
 * <table>
 *   <caption>States</caption>
 *   <tr><td>STARTED</td><td>the next record may lie behind a gap, which is read first</td></tr>
 *   <tr><td>IN_ORDER</td>
 *       <td>only markers and aborted records lie between records that are offered in
 *       turn</td></tr>
 *   <tr><td>BEHIND</td>
 *       <td>reading stopped for a commit; what is offered meanwhile waits for its turn</td></tr>
 * </table>
 */
public final class SlotReader implements SlotSource {
  private static final long NONE = -1;

  private enum State {
    STARTED,
    IN_ORDER,
    BEHIND
  }

  private final SlotLog log;
  private final RememberedSlots memory; // before the log; null where no slot is read twice
  private final int partition;
  private final long nanos;
  private ReadTime readTime = ReadTime.UNLIMITED;
  private State state = State.STARTED;
  private long position;
  private long reach;

  private boolean reads; // the log, up to an offset
  private long readTo;
  private long deadline;
  private boolean inTime; // the next record is read whatever the deadline
  private SlotLog.Reading reading; // null where it is not open

  private SourceRecord offered; // and not handed out yet; null for none
  private long taken = NONE; // offset behind the slot that was handed out last
  private boolean fromLog; // that slot, and not from an offer

  /**
   * A reader of one partition.
   *
   * @param timeLimit for how long records are read again without a commit in between
   */
  public SlotReader(SlotLog log, int partition, Duration timeLimit) {
    this(log, false, partition, timeLimit);
  }

  /**
   * The same.
   *
   * @param remembers whether it keeps what it hands out, since that is read several times
   */
  public SlotReader(SlotLog log, boolean remembers, int partition, Duration timeLimit) {
    this.memory = remembers ? new RememberedSlots(log) : null;
    this.log = remembers ? memory : log;
    this.partition = partition;
    this.nanos = timeLimit.toNanos();
  }

  /** Reads no longer than a transaction bears. */
  public void within(ReadTime newTime) {
    readTime = newTime;
  }

  /** Starts at a position. */
  public void start(long from) {
    startAgain(from);
    reach = 0;
  }

  /**
   * Starts at a position behind which an earlier life has left records that it was offered, up to
   * an offset.
   */
  public void startBehind(long from, long to) {
    startAgain(from);
    state = State.BEHIND;
    reach = to;
  }

  private void goTo(long place) {
    endReading();
    taken = NONE;
    position = place;
  }

  private void endReading() {
    if (reading != null) {
      reading.close();
      reading = null;
    }
  }

  @Override
  public long position() {
    return position;
  }

  /** Offset behind the last record that was offered, or is known to be there. */
  public long reach() {
    return reach;
  }

  @Override
  public boolean isBehind() {
    return state == State.BEHIND;
  }

  /** Whether a gap may lie before the next record, and nothing waits to be read. */
  public boolean mayHaveGap() {
    return state == State.STARTED;
  }

  /** Says that a gap may lie before the next record. */
  public void expectGap() {
    state = State.STARTED;
  }

  /** Whether the slot that was handed out last was read from the log, and not offered. */
  public boolean isFromLog() {
    return fromLog;
  }

  /** Says that the records below an offset have come: whatever is not offered is read later. */
  public void extendReach(long end) {
    reach = Math.max(reach, end);
  }

  /** Leaves what has come and is not taken yet to a later reading. */
  public void leaveRest() {
    if (position < reach) {
      state = State.BEHIND;
    }
  }

  /**
   * Takes over a record: what is missing before it is handed out next, and then the record. It is
   * dropped where it has been taken already, and where that is not all read in time: then it is
   * read later.
   */
  public void offer(SourceRecord record) {
    offered = record;
    reach = Math.max(reach, record.place() + 1);
    if (state != State.IN_ORDER && position < record.place()) {
      beginToRead(record.place());
    }
  }

  /** Every record below an offset was offered: what is missing is handed out next. */
  public void offeredAllBelow(long to) {
    if (state != State.IN_ORDER && position < to) {
      readTo(to);
    } else {
      state = State.IN_ORDER;
      position = Math.max(position, to);
    }
  }

  /** Hands out next what lies below an offset, whatever was offered. */
  public void readTo(long to) {
    reach = Math.max(reach, to);
    beginToRead(to);
  }

  @Override
  public void goOn() {
    if (state == State.BEHIND) {
      beginToRead(reach);
    }
  }

  private void beginToRead(long to) {
    endReading();
    long time = Math.min(nanos, readTime.left());
    reads = true;
    readTo = to;
    inTime = time > 0 || nanos <= 0;
    deadline = readTime.now() + time;
  }

  @Override
  public SourceRecord next() {
    if (taken != NONE) { // by now
      position = Math.max(position, taken);
      state = fromLog ? state : State.IN_ORDER;
      taken = NONE;
    }
    SourceRecord record = reads ? readNext() : null;
    fromLog = record != null;
    if (record == null && offered != null) {
      record = offered.place() < position ? null : offered;
      offered = null;
    }
    if (record == null) {
      taken = NONE;
      return null;
    }
    taken = Place.behind(record.place());
    if (memory != null) {
      memory.add(record);
    }
    return record;
  }

  /** The next record below the offset up to which the log is read; null behind it. */
  private SourceRecord readNext() {
    if (position < readTo && (inTime || readTime.now() - deadline < 0)) {
      reading = reading == null ? log.read(partition, position, readTo) : reading;
      SourceRecord record = reading.next();
      if (record != null) {
        inTime = false;
        return record;
      }
      if (reading.isWhole()) {
        position = readTo;
      }
    }
    endReading();
    reads = false;
    if (position >= readTo) {
      state = position < reach ? State.STARTED : State.IN_ORDER;
    } else {
      state = State.BEHIND;
      offered = null;
    }
    return null;
  }

  @Override
  public void rewind(long place) {
    goTo(place);
    if (!fromLog) {
      state = State.BEHIND; // a commit first
    }
  }

  /**
   * Everything from a place on is to be handed out again, but not before somebody asks for it
   * ({@link #readTo}) or offers it.
   */
  public void startAgain(long from) {
    goTo(from);
    reads = false;
    state = State.STARTED;
  }

  /** Slots below a place are not read again soon. */
  public void forgetBelow(long place) {
    if (memory != null) {
      memory.forgetBelow(place);
    }
  }

  /** The same of a place that is asked for where any slots are kept alone. */
  public void forgetBelow(LongSupplier place) {
    if (memory != null) {
      memory.forgetBelow(place.getAsLong());
    }
  }

  /** Ends what it keeps open; it is of no use afterwards. */
  public void close() {
    log.close();
  }
}
