package dev.sotto.topology.admin;

import java.time.Duration;
import java.util.Optional;

/**
 * How fast a partition has grown of late, by the times of its records.
 *
 * @param records at least 1
 * @param span from the first of them to the newest, at least a minute
 */
public record AppendRate(long records, Duration span) {
  private static final Duration LEAST = Duration.ofMinutes(1);

  /** Empty where the span is too short to tell. */
  public static Optional<AppendRate> of(long records, Duration span) {
    return records < 1 || span.compareTo(LEAST) < 0
        ? Optional.empty()
        : Optional.of(new AppendRate(records, span));
  }

  public double perSecond() {
    return records * 1000.0 / span.toMillis();
  }
}
