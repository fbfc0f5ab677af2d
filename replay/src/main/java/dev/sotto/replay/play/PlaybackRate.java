package dev.sotto.replay.play;

/** How fast records are played. */
public sealed interface PlaybackRate {
  /** As fast as the cluster takes them. */
  record Fastest() implements PlaybackRate {}

  /**
   * A number of records a second, evenly.
   *
   * @param perSecond above 0 and finite
   */
  record Rate(double perSecond) implements PlaybackRate {
    public Rate {
      requirePositive("a rate", perSecond);
    }
  }

  /**
   * By the records' own timestamps, over all partitions.
   *
   * @param factor above 0 and finite; 1 is the original speed, 60 plays an hour in a minute
   */
  record Speed(double factor) implements PlaybackRate {
    public Speed {
      requirePositive("a speed", factor);
    }
  }

  private static void requirePositive(String what, double value) {
    if (!(value > 0 && value < Double.POSITIVE_INFINITY)) {
      throw new IllegalArgumentException(what + " must be above 0 and finite, but was " + value);
    }
  }
}
