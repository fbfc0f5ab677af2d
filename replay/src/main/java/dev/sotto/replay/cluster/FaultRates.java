package dev.sotto.replay.cluster;

/**
 * Which faults a {@link FaultyRun} injects.
 *
 * @param every how often each happens
 * @param instances how many there are
 * @param shortReads whether the log is read again a few records at a time
 * @param single one more fault, after a given turn; null for none. Turns are of one record then
 */
public record FaultRates(Every every, int instances, boolean shortReads, Single single) {
  /** What can happen to an instance. */
  public enum Kind {
    /** It stops, and loses all that it has not committed. */
    CRASH,
    /** Its transaction is aborted. */
    ABORT,
    /** One of its tasks moves to another instance. */
    REBALANCE
  }

  /**
   * Mean numbers of turns between two events; 0 for never. In a turn, one task processes a few
   * records.
   *
   * @param crash an instance loses all that it has not committed
   * @param abort an instance's transaction is aborted, and its tasks start again in the same
   *     processors
   * @param rebalance a task moves to another instance
   * @param commit an instance commits, requested or not; at least 1
   * @param pause time passes, up to two minutes
   */
  public record Every(int crash, int abort, int rebalance, int commit, int pause) {
    public Every {
      if (crash < 0 || abort < 0 || rebalance < 0 || commit < 1 || pause < 0) {
        throw new IllegalArgumentException(
            "numbers of turns must be at least 0, and commit at least 1");
      }
    }
  }

  /**
   * A fault of the instance that has just taken a record.
   *
   * @param turn counted from 1
   */
  public record Single(Kind kind, int turn) {}

  public FaultRates {
    if (instances < 1) {
      throw new IllegalArgumentException("instances must be at least 1, but were " + instances);
    }
  }

  /** Many of all kinds, on three instances; every third seed has short reads. */
  public static FaultRates many(long seed) {
    return new FaultRates(new Every(12, 16, 12, 4, 8), 3, seed % 3 == 0, null);
  }

  /** Commits only, on two instances. */
  public static FaultRates none() {
    return new FaultRates(new Every(0, 0, 0, 5, 0), 2, false, null);
  }

  /** One fault, and commits. */
  public static FaultRates only(Kind kind, int turn) {
    return new FaultRates(new Every(0, 0, 0, 5, 0), 2, turn % 3 == 0, new Single(kind, turn));
  }
}
