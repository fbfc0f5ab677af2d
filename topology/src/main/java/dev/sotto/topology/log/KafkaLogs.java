package dev.sotto.topology.log;

import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Readers of a real cluster's logs.
 *
 * @param transactionTimeout of the application's producer: gaps are read again within half of it,
 *     and the ledger's end is awaited somewhat longer than it
 */
public record KafkaLogs(Duration transactionTimeout) implements Logs {
  /**
   * The most memory of this process for events that an order announces, of a number of partitions.
   */
  public static long bytesOfEvents(int partitions) {
    return EventReader.bytes(Runtime.getRuntime().maxMemory(), partitions);
  }

  @Override
  public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
    return new KafkaSlotLog(config, topic, reading, transactionTimeout.dividedBy(2));
  }

  @Override
  public SlotLog events(Map<String, Object> config, String topic, SourceReading reading) {
    return new EventReader(config, topic, reading, transactionTimeout.dividedBy(2));
  }

  @Override
  public Announcing announce(
      Map<String, Object> config, Announcing.Topics topics, OrderPlace place) {
    return new KafkaAnnouncer(config, topics, place, transactionTimeout.dividedBy(2));
  }

  @Override
  public long groupPosition(Map<String, Object> config, String group, String topic, int partition) {
    try (var consumer = ReaderConfig.consumer(config, "read_committed", group)) {
      return groupPosition(consumer, new TopicPartition(topic, partition));
    }
  }

  @Override
  public int partitions(Map<String, Object> config, String topic) {
    try (var consumer = ReaderConfig.consumer(config, "read_committed")) {
      return consumer.partitionsFor(topic).size();
    }
  }

  /** Where the group of a consumer stands. */
  static long groupPosition(Consumer<?, ?> consumer, TopicPartition where) {
    OffsetAndMetadata committed = consumer.committed(Set.of(where)).get(where);
    return committed == null
        ? consumer.beginningOffsets(List.of(where)).get(where)
        : committed.offset();
  }

  @Override
  public ReadEnd end(Map<String, Object> config, String topic) {
    return new KafkaReadEnd(config, topic);
  }

  @Override
  public Optional<byte[]> last(Map<String, Object> config, String topic, int partition) {
    return new KafkaLedgerLog(config, topic, transactionTimeout).lastCommitted(partition);
  }

  @Override
  public boolean hasRecords(Map<String, Object> config, String topic, int partition) {
    TopicPartition where = new TopicPartition(topic, partition);
    try (var consumer = ReaderConfig.consumer(config, "read_uncommitted")) {
      return consumer.endOffsets(List.of(where)).get(where) > 0;
    }
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
