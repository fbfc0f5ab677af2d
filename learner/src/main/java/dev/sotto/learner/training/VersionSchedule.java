package dev.sotto.learner.training;

/**
 * When a version ends: at the close of the first round at which enough slots have been filled, or
 * enough log time has passed, since the last version; whichever comes first
 * (docs/decisions/0016-versions.md).
 *
 * @param slots since the last version, at least 1
 * @param interval of log time since that of the last version, in milliseconds; 0 where log time
 *     decides nothing
 * @param thinning how versions become rarer in a long run
 */
public record VersionSchedule(long slots, long interval, VersionThinning thinning) {
  /** Every round is a version. */
  public static final VersionSchedule EVERY_ROUND = new VersionSchedule(1, 0);

  /** One whose versions keep their length. */
  public VersionSchedule(long slots, long interval) {
    this(slots, interval, VersionThinning.NONE);
  }

  public VersionSchedule {
    if (slots < 1 || interval < 0) {
      throw new IllegalArgumentException("slots must be at least 1 and interval at least 0, but"
          + " were " + slots + " and " + interval);
    }
  }

  /** The most rounds of a version, of as many slots each; later ones may have more. */
  public long rounds(long batch) {
    return (slots - 1) / batch + 1;
  }

  /** The most rounds of the version that begins after a number of rounds. */
  public long rounds(long batch, long before) {
    return thinning.rounds(rounds(batch), batch, before);
  }

  /** About how many versions a number of rounds have, unless log time ends some earlier. */
  public double versions(long batch, double rounds) {
    return thinning.versions(rounds(batch), batch, rounds);
  }

  /** Whether versions depend on log time, where a round has as many slots. */
  public boolean needsLogTime(long batch) {
    return interval > 0 && rounds(batch) > 1;
  }

  /** In one line, the same for schedules that cut alike; empty where every round is a version. */
  String describe(long batch) {
    return rounds(batch) == 1 ? "" : "rounds " + rounds(batch) + " interval " + interval;
  }
}
