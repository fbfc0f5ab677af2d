package dev.sotto.connectors.stream;

/**
 * How many lines are due by now at a steady rate. What could not be sent in time is sent later, not
 * dropped.
 */
final class SteadyRate {
  private static final double NANOS = 1e9;

  private final double perSecond;
  private final long began;
  private long taken;

  /**
   * Starts to count.
   *
   * @param perSecond lines a second; 0: no limit
   * @param now in nanoseconds, of any origin
   */
  SteadyRate(double perSecond, long now) {
    this.perSecond = perSecond;
    this.began = now;
  }

  /** Lines due and not yet taken, at most {@code most}. */
  int due(int most, long now) {
    if (perSecond == 0) {
      return most;
    }
    double due = Math.floor((now - began) / NANOS * perSecond) - taken;
    return (int) Math.max(0, Math.min(most, due));
  }

  void took(int lines) {
    taken += lines;
  }

  /** How long to wait for the next line, at least 1 and at most {@code most} milliseconds. */
  long pauseMs(long most) {
    return perSecond == 0 ? most : Math.max(1, Math.min(most, (long) (1000 / perSecond)));
  }
}
