package dev.sotto.app.cluster;

import java.time.Duration;

/** Spans of time in words. */
public final class DurationText {
  private DurationText() {}

  /** In the largest unit that is exact: 36 h, 7 days, 1500 ms. */
  public static String words(Duration span) {
    long millis = span.toMillis();
    if (millis == 0 || millis % 1000 != 0) {
      return millis + " ms";
    }
    long seconds = millis / 1000;
    if (seconds % 86_400 == 0 && seconds >= 2 * 86_400) {
      return seconds / 86_400 + " days";
    }
    return seconds % 3600 == 0
        ? seconds / 3600 + " h"
        : seconds % 60 == 0 ? seconds / 60 + " min" : seconds + " s";
  }
}
