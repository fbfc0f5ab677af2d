package dev.sotto.topology.log;

import java.time.Duration;

/**
 * Takes the records of one partition in the order of the log, each once: the records that Streams
 * hands over, and before them those between a stored position and the first of them, which are read
 * again (docs/decisions/0002-the-log-is-the-buffer.md). Not safe for use by several threads.
 *
 * <table>
 *   <caption>States</caption>
 *   <tr><td>STARTED</td><td>the next record may lie behind a gap, which is read first</td></tr>
 *   <tr><td>IN_ORDER</td><td>only markers and aborted records lie between records that are handed over in turn</td></tr>
 *   <tr><td>BEHIND</td><td>reading stopped for a commit; what is handed over meanwhile waits for its turn</td></tr>
 * </table>
 */
public final class CatchUpReader {
  /** Takes what is read. */
  public interface Visitor {
    /**
     * Takes one record. {@link #position} is still that of the records before.
     *
     * @param again whether it comes from the log, and not from Streams
     */
    void record(SourceRecord record, boolean again);

    /** Every record below the position has been taken. */
    default void moved(long position) {}

    /**
     * A reading stopped half-way, or the rest of one is done: what must survive is written now and
     * committed soon.
     */
    void pieceDone();
  }

  private static final long NOWHERE = -1;

  private enum State {
    STARTED,
    IN_ORDER,
    BEHIND
  }

  private final SlotLog log;
  private final int partition;
  private final long nanos;
  private final Visitor visitor;
  private ReadBudget budget = ReadBudget.UNLIMITED;
  private State state = State.STARTED;
  private long position;
  private long reach;
  private long rewindTo = NOWHERE;
  private long startTo = NOWHERE;

  /**
   * A reader of one partition.
   *
   * @param timeLimit for how long records are read again without a commit in between
   */
  public CatchUpReader(SlotLog log, int partition, Duration timeLimit, Visitor visitor) {
    this.log = log;
    this.partition = partition;
    this.nanos = timeLimit.toNanos();
    this.visitor = visitor;
  }

  /** Reads no longer than a transaction bears. */
  public void within(ReadBudget newBudget) {
    budget = newBudget;
  }

  /** Starts at a position. */
  public void start(long from) {
    state = State.STARTED;
    position = from;
    reach = 0;
  }

  /**
   * Starts at a position behind which an earlier life has left records that it was handed, up to an
   * offset.
   */
  public void startBehind(long from, long handedTo) {
    state = State.BEHIND;
    position = from;
    reach = handedTo;
  }

  /** Offset behind the last record that was taken. */
  public long position() {
    return position;
  }

  /** Offset behind the last record that was handed over. */
  public long reach() {
    return reach;
  }

  /** Whether records that were handed over still wait to be read again. */
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

  /** Says that every record below an offset was handed over: whatever is not taken is read. */
  public void handedOver(long end) {
    reach = Math.max(reach, end);
  }

  /** Leaves what was handed over and not taken yet to a later reading. */
  public void leaveRest() {
    if (position < reach) {
      state = State.BEHIND;
      visitor.pieceDone();
    }
  }

  /**
   * Takes a record that was handed over, and before it what is missing.
   *
   * @return whether it was its turn; else it has been taken already, or is read again later
   */
  public boolean take(SourceRecord record) {
    long offset = record.offset();
    reach = Math.max(reach, offset + 1);
    if (state != State.IN_ORDER && position < offset && !read(offset)) {
      return false;
    }
    if (offset < position) {
      return false;
    }
    boolean caughtUp = state == State.BEHIND;
    boolean rewound = !visit(record, false);
    boolean again = isStartedAgain();
    state = again ? State.STARTED : rewound ? State.BEHIND : State.IN_ORDER;
    if (caughtUp || rewound) {
      visitor.pieceDone();
    }
    return true;
  }

  /**
   * To be called while a record is visited: the records from an offset on are taken again, and then
   * those behind this one.
   *
   * @param to an offset that has been taken before
   */
  public void rewind(long to) {
    rewindTo = to;
  }

  /**
   * To be called while a position is told: everything from an offset on is taken again, but not
   * before somebody asks for it ({@link #readTo}) or hands it over.
   */
  public void startAgain(long from) {
    startTo = from;
  }

  private boolean isStartedAgain() {
    if (startTo == NOWHERE) {
      return false;
    }
    long handedOver = reach; // it still is to be taken, behind what is taken again
    start(startTo);
    reach = handedOver;
    startTo = NOWHERE;
    return true;
  }

  /** Takes what is missing below an offset, up to which everything was handed over. */
  public void takeUpTo(long to) {
    if (state != State.IN_ORDER && position < to) {
      readTo(to);
    } else {
      state = State.IN_ORDER;
      moveTo(to);
      isStartedAgain();
    }
  }

  /** Reads again up to an offset, whatever was handed over. */
  public void readTo(long to) {
    reach = Math.max(reach, to);
    read(to);
  }

  /** Reads on for a while where it {@link #isBehind}; whether it has caught up now. */
  public boolean readOn() {
    return state == State.BEHIND && read(reach);
  }

  /**
   * Reads up to an offset, but not for longer than a transaction bears; the rest is left for
   * {@link #readOn}.
   */
  private boolean read(long to) {
    long time = Math.min(nanos, budget.left());
    if (time <= 0 && nanos > 0 && position < to) {
      state = State.BEHIND;
      visitor.pieceDone();
      return false;
    }
    boolean wasBehind = state == State.BEHIND;
    long deadline = System.nanoTime() + time;
    boolean all;
    boolean[] rewound = {false};
    do {
      rewound[0] = false;
      all = position >= to
          || log.read(partition, position, to, record -> {
            rewound[0] = !visit(record, true);
            return !rewound[0] && startTo == NOWHERE && System.nanoTime() - deadline < 0;
          });
    } while (rewound[0] && System.nanoTime() - deadline < 0);
    // Time may be up at the very last record.
    boolean whole = !rewound[0] && (all || position >= to);
    if (whole && startTo == NOWHERE) {
      moveTo(to);
    }
    state = !whole ? State.BEHIND : position < reach ? State.STARTED : State.IN_ORDER;
    if (isStartedAgain()) {
      whole = true;
    }
    if (wasBehind || !whole) {
      visitor.pieceDone();
    }
    return whole;
  }

  /** Whether what follows is the next record, and not one that is taken again. */
  private boolean visit(SourceRecord record, boolean again) {
    rewindTo = NOWHERE;
    visitor.record(record, again);
    if (rewindTo == NOWHERE) {
      moveTo(record.offset() + 1);
      return true;
    }
    position = rewindTo;
    return false;
  }

  private void moveTo(long to) {
    position = Math.max(position, to);
    visitor.moved(position);
  }
}
