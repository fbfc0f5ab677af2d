package dev.sotto.replay.cluster;

/**
 * How often what happens, as mean numbers of turns (a turn is a task that processes a few records); 0 for never.
 *
 * @param crash an instance dies with all that it has not committed
 * @param abort an instance's transaction is aborted, and its tasks begin again in the same processors
 * @param rebalance a task moves to another instance
 * @param commit an instance commits, asked to or not
 * @param pause time passes, up to two minutes
 * @param instances how many there are
 * @param shortSlices whether what has to be read again is read in slices of a few records
 * @param single one more, at a turn that is known; null for none. Turns are of one record then
 */
public record Faults(
    int crash,
    int abort,
    int rebalance,
    int commit,
    int pause,
    int instances,
    boolean shortSlices,
    Single single) {
  /** What can happen to an instance. */
  public enum Kind {
    /** It dies with all that it has not committed. */
    CRASH,
    /** Its transaction is aborted. */
    ABORT,
    /** One of its tasks moves to another. */
    REBALANCE
  }

  /**
   * A fault of the instance that has just taken a record.
   *
   * @param turn counted from 1
   */
  public record Single(Kind kind, int turn) {}

  public Faults {
    if (crash < 0 || abort < 0 || rebalance < 0 || commit < 1 || pause < 0 || instances < 1) {
      throw new IllegalArgumentException("faults must come every so many turns, or never (0);"
          + " commits and instances must be at least 1");
    }
  }

  /** Many of all kinds, on three instances; every third seed reads again in short slices. */
  public static Faults many(long seed) {
    return new Faults(12, 16, 12, 4, 8, 3, seed % 3 == 0, null);
  }

  /** None but commits, on two instances. */
  public static Faults none() {
    return new Faults(0, 0, 0, 5, 0, 2, false, null);
  }

  /** None but one, and commits. */
  public static Faults only(Kind kind, int turn) {
    return new Faults(0, 0, 0, 5, 0, 2, turn % 3 == 0, new Single(kind, turn));
  }
}
