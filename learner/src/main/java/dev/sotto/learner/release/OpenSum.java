package dev.sotto.learner.release;

/**
 * What the slots of one open round, or of one query of a block, have come to so far: exact and
 * secret. Only this package can read it, and it adds noise first. Not safe for use by several
 * threads.
 */
public abstract sealed class OpenSum permits GradientSum, PathSum {
  private final Lattice lattice;
  private long room;
  private long slots;

  OpenSum(Lattice lattice, long room) {
    this.lattice = lattice;
    this.room = room;
  }

  /** Fills one slot with nothing. */
  public abstract void addNothing();

  /** Fills a number of slots with nothing. */
  public abstract void addNothing(long count);

  /** How many slots have been filled: a position, not a count of usable examples. */
  public final long slots() {
    return slots;
  }

  /** Slots of a full one. */
  final long room() {
    return room;
  }

  /** It is full at this number of slots, and has none yet. */
  final void begin(long newRoom) {
    if (slots > 0) {
      throw new IllegalStateException("a sum of " + slots + " slots has not been released");
    }
    room = newRoom;
  }

  /** As many slots are filled now. */
  void filled(long count) {
    slots = count;
  }

  final void fillOne() {
    if (slots >= room) {
      throw new IllegalStateException(
          "a round holds " + Math.max(0, room) + " slots, and all are filled");
    }
    filled(slots + 1);
  }

  final void requireRoom(long count) {
    if (count < 0 || count > room - slots) {
      throw new IllegalStateException("a round holds " + room + " slots, and " + slots
          + " are filled: there is no room for " + count);
    }
  }

  /** Whether every slot has been filled. */
  public final boolean isFull() {
    return slots == room;
  }

  final Lattice lattice() {
    return lattice;
  }

  /**
   * All that it knows, as a checkpoint keeps it: the numbers themselves, to be changed by nobody.
   */
  abstract double[] numbers();

  /** Takes over what a checkpoint kept. */
  abstract void restore(double[] values, long filled);

  abstract void clear();
}
