package dev.sotto.topology;

import dev.sotto.topology.core.LedgerLog;
import dev.sotto.topology.core.SlotLog;
import java.time.Duration;
import java.util.Map;

/**
 * Readers of a real cluster's logs.
 *
 * @param transactionTimeout of the application's producer: gaps are read again within half of it, and the
 *     ledger's end is awaited somewhat longer than it
 */
public record KafkaLogs(Duration transactionTimeout) implements Logs {
  @Override
  public SlotLog slots(Map<String, Object> config, String topic, String modelHeader) {
    return new KafkaSlotLog(config, topic, modelHeader, transactionTimeout.dividedBy(2));
  }

  @Override
  public LedgerLog ledger(Map<String, Object> config, String topic) {
    return new KafkaLedgerLog(config, topic, transactionTimeout.plusSeconds(10));
  }
}
