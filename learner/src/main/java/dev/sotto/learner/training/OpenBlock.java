package dev.sotto.learner.training;

import dev.sotto.learner.mechanism.QuerySchedule;
import java.util.BitSet;

/**
 * Where the open block stands: which query is open, which slot comes next, and which slots were
 * refused as they were read first, so that every later pass leaves them out too.
 */
final class OpenBlock {
  private final QuerySchedule schedule;
  private final long queries;
  private final boolean again;
  private BitSet refused = new BitSet();
  private long number;
  private QuerySchedule.Query query;
  private long next;
  private long read;
  private boolean back; // the open query begins before the slot behind those of the one before

  /**
   * A block at the beginning of one of its queries.
   *
   * @param schedule of all its queries
   * @param number of the query, from 1
   * @param refused the slots that were refused so far, as of {@link #refused()}
   */
  OpenBlock(QuerySchedule schedule, long number, byte[] refused) {
    this.schedule = schedule;
    this.queries = schedule.queries();
    this.again = schedule.readsAgain();
    open(number);
    this.read = schedule.readBefore(number);
    this.refused = BitSet.valueOf(refused);
  }

  private void open(long newNumber) {
    if (newNumber == 1) {
      read = 0;
      refused.clear();
    }
    number = newNumber;
    query = schedule.query(newNumber);
    back = query.first() < next;
    next = query.first();
  }

  /** The number of the open query, from 1. */
  long number() {
    return number;
  }

  /** Slots of the open query. */
  long querySlots() {
    return query.slots();
  }

  /** Whether the block ends with the open query. */
  boolean isLast() {
    return number == queries;
  }

  /** The place in the block of the slot that is to be filled next, from 0. */
  long next() {
    return next;
  }

  /** Whether the open query begins further back than the one before it has ended. */
  boolean goesBack() {
    return back;
  }

  /** Whether that slot has not been read by any query of the block. */
  boolean isNew() {
    return next >= read;
  }

  /** Whether that slot was refused as it was read first. */
  boolean wasRefused() {
    return refused.get((int) next);
  }

  /** That slot has been filled. */
  void filled(boolean refusedNow) {
    if (refusedNow && again) {
      refused.set((int) next);
    }
    next++;
    read = Math.max(read, next);
  }

  /** A number of slots without a record have been filled. */
  void filled(long count) {
    next += count;
    read = Math.max(read, next);
  }

  /** Goes on inside the open query, of which a number of slots are filled. */
  void resume(long filled) {
    filled(filled);
  }

  /** The open query has been answered. */
  void answered() {
    open(isLast() ? 1 : number + 1);
  }

  /** How many slots of the block were refused so far, as far as later passes need to know. */
  int refusals() {
    return refused.cardinality();
  }

  /** The slots that were refused so far, for a restart. */
  byte[] refused() {
    return again ? refused.toByteArray() : new byte[0];
  }
}
