package dev.sotto.topology.processor;

import dev.sotto.topology.client.OpenTransactions;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.status.LearnerStatus;
import java.time.Duration;
import java.util.Map;

/** For how long records may be read again inside one transaction. */
final class ReadTimeLimit {
  private static final long DEFAULT_TIMEOUT = 10_000;

  private ReadTimeLimit() {}

  /**
   * What is left of it to a task: its share of the thread's open transaction.
   *
   * @param task the same object each time
   */
  static ReadTime left(Map<String, Object> config, LearnerStatus status, Object task) {
    long limit = of(config).toNanos();
    OpenTransactions transactions = status.threads().transactions();
    return new ReadTime() {
      @Override
      public long left() {
        return transactions.left(limit, task);
      }

      @Override
      public long now() {
        return transactions.now();
      }
    };
  }

  /** A quarter of the transaction timeout: the rest is for closing and committing. */
  static Duration of(Map<String, Object> config) {
    Object timeout = config.get("producer.transaction.timeout.ms");
    long millis = timeout == null ? DEFAULT_TIMEOUT : Long.parseLong(timeout.toString());
    return Duration.ofMillis(Math.max(100, millis / 4));
  }
}
