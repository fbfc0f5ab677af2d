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
 */
public record Faults(
    int crash,
    int abort,
    int rebalance,
    int commit,
    int pause,
    int instances,
    boolean shortSlices) {
  public Faults {
    if (crash < 0 || abort < 0 || rebalance < 0 || commit < 1 || pause < 0 || instances < 1) {
      throw new IllegalArgumentException("faults must come every so many turns, or never (0);"
          + " commits and instances must be at least 1");
    }
  }

  /** Many of all kinds, on three instances; every third seed reads again in short slices. */
  public static Faults many(long seed) {
    return new Faults(12, 16, 12, 4, 8, 3, seed % 3 == 0);
  }
}
