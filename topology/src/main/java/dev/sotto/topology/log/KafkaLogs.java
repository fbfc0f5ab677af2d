package dev.sotto.topology.log;

import dev.sotto.learner.example.Slot;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.read.CommittedTopic;
import java.time.Duration;
import java.util.Map;

/**
 * Readers of a real cluster's logs.
 *
 * @param transactionTimeout of the application's producer: gaps are read again within half of it,
 *     and the ledger's end is awaited somewhat longer than it
 */
public record KafkaLogs(Duration transactionTimeout) implements Logs {
  @Override
  public SlotLog slots(Map<String, Object> config, String topic, String modelHeader) {
    return new KafkaSlotLog(config, topic, modelHeader, transactionTimeout.dividedBy(2));
  }

  @Override
  public boolean sequenceHolds(
      Map<String, Object> config, String sequence, SequencedSlotDecoder decoder, int partition) {
    Slot slot = new Slot(decoder.dimension());
    boolean[] found = new boolean[1];
    try (CommittedTopic topic = new CommittedTopic(config, sequence)) {
      topic.readToEnd(record -> {
        decoder.decode(record.key(), record.value(), slot);
        found[0] |= decoder.partition() == partition;
      });
    }
    return found[0];
  }

  @Override
  public PointLog points(
      Map<String, Object> config, String control, TopicCipher cipher, String events) {
    return new KafkaPointLog(config, control, cipher, events, transactionTimeout.dividedBy(2));
  }

  @Override
  public LedgerLog ledger(Map<String, Object> config, String topic) {
    return new KafkaLedgerLog(config, topic, transactionTimeout.plusSeconds(10));
  }
}
