package dev.sotto.replay.play;

import java.util.function.LongSupplier;

/** Says when the next record is due. */
final class PlaybackClock {
  private static final double SECOND = 1e9;
  private static final double MILLISECOND = 1e6;

  private final PlaybackRate pace;
  private final LongSupplier nanos;
  private boolean begun;
  private long start;
  private long firstTimestamp;
  private double sent;

  /**
   * A clock that starts with the first record.
   *
   * @param nanos the time in nanoseconds
   */
  PlaybackClock(PlaybackRate pace, LongSupplier nanos) {
    this.pace = pace;
    this.nanos = nanos;
  }

  /**
   * How many nanoseconds there are until a record of this timestamp (milliseconds) is due; 0 if it
   * is.
   */
  long untilDue(long timestamp) {
    long now = nanos.getAsLong();
    if (!begun) {
      begun = true;
      start = now;
      firstTimestamp = timestamp;
    }
    double due = dueAfterStart(timestamp, now);
    return Math.max(0, (long) (due - (now - start)));
  }

  private double dueAfterStart(long timestamp, long now) {
    if (pace instanceof PlaybackRate.Rate rate) {
      double due = sent * SECOND / rate.perSecond();
      if (now - start - due > SECOND) { // a pause of the cluster is not made up for
        start = now;
        sent = 0;
        return 0;
      }
      return due;
    }
    if (pace instanceof PlaybackRate.Speed speed) {
      return ((double) timestamp - firstTimestamp) * MILLISECOND / speed.factor();
    }
    return 0;
  }

  /** The record that was due has been sent. */
  void sent() {
    sent++;
  }
}
