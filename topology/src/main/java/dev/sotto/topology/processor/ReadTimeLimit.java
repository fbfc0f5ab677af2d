package dev.sotto.topology.processor;

import java.time.Duration;
import java.util.Map;

/** For how long records may be read again inside one transaction. */
final class ReadTimeLimit {
  private static final long DEFAULT_TIMEOUT = 10_000;

  private ReadTimeLimit() {}

  /** A quarter of the transaction timeout: the rest is for closing and committing. */
  static Duration of(Map<String, Object> config) {
    Object timeout = config.get("producer.transaction.timeout.ms");
    long millis = timeout == null ? DEFAULT_TIMEOUT : Long.parseLong(timeout.toString());
    return Duration.ofMillis(Math.max(100, millis / 4));
  }
}
