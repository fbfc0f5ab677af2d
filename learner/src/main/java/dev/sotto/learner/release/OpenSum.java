package dev.sotto.learner.release;

/**
 * What the slots of one open round, or of one query of a block, have come to so far: exact and
 * secret. Only this package can read it, and it adds noise first. Not safe for use by several
 * threads.
 */
public abstract sealed class OpenSum permits GradientSum, PathSum {
  OpenSum() {}

  /** Fills one slot with nothing. */
  public abstract void addNothing();

  /** Fills a number of slots with nothing. */
  public abstract void addNothing(long count);

  /** How many slots have been filled: a position, not a count of usable examples. */
  public abstract long slots();

  /** Slots of a full one. */
  abstract long room();

  /** Whether every slot has been filled. */
  public final boolean isFull() {
    return slots() == room();
  }

  abstract Lattice lattice();

  /**
   * All that it knows, as a checkpoint keeps it: the numbers themselves, to be changed by nobody.
   */
  abstract double[] numbers();

  /** Takes over what a checkpoint kept. */
  abstract void restore(double[] values, long filled);

  abstract void clear();
}
