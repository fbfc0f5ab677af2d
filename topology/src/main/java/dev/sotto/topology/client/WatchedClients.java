package dev.sotto.topology.client;

import dev.sotto.topology.batch.BatchRule;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerGroupMetadata;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;
import org.apache.kafka.streams.errors.MissingSourceTopicException;

/**
 * Kafka's own clients, but for consumers that bound the bytes that wait and hand on events in
 * batches, and producers that report their commits. Under exactly_once_v2 a stream
 * thread has one producer, which it alone commits with, for all of its tasks together.
 */
public final class WatchedClients implements KafkaClientSupplier {
  /** A fetch of less is not worth the way; a batch that is longer comes whole all the same. */
  private static final long LEAST_FETCH = 16_384;

  private final BufferedEvents buffered;
  private final TransactionListener listener;
  private final long most;
  private final int partitions;
  private final Set<String> topics;
  private final Map<String, BatchRule> batched;
  private volatile Map<String, Object> adminConfig = Map.of();

  /**
   * Clients of one instance.
   *
   * @param buffered counts what waits
   * @param listener hears of transactions
   * @param most bytes of records that may wait in one thread; one fetch of each partition, half as
   *     many bytes in all, may come on top
   * @param partitions from which a thread may have to fetch, at least 1
   * @param topics whose records are counted, until a {@link WatchedProcessor} has taken them; of
   *     others as many wait as Streams lets wait
   * @param batched those of them whose records come in batches, which a {@link WatchedProcessor}
   *     takes apart, and which of their records may be together
   */
  public WatchedClients(
      BufferedEvents buffered,
      TransactionListener listener,
      long most,
      int partitions,
      Set<String> topics,
      Map<String, BatchRule> batched) {
    this.buffered = buffered;
    this.listener = listener;
    this.most = most;
    this.partitions = partitions;
    this.topics = Set.copyOf(topics);
    this.batched = Map.copyOf(batched);
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    adminConfig = Map.copyOf(config);
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new WatchedProducer(config, listener, this::gone);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    Map<String, Object> bounded = new HashMap<>(config);
    long configured = Long.parseLong(
        config.get(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG).toString());
    long fetched = Math.min(configured, Math.max(LEAST_FETCH, most / 2 / partitions));
    bounded.put(ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, (int) fetched);
    return new BoundedConsumer(bounded, buffered, most, topics, batched);
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getRestoreConsumer(config);
  }

  /** Those of the topics that the cluster says are gone; none where it says nothing. */
  private Set<String> gone(Set<String> read) {
    Set<String> gone = new TreeSet<>();
    try (Admin admin = Admin.create(adminConfig)) {
      admin.describeTopics(read).topicNameValues().forEach((topic, description) -> {
        try {
          description.get();
        } catch (ExecutionException failed) {
          if (failed.getCause() instanceof UnknownTopicOrPartitionException) {
            gone.add(topic);
          }
        } catch (InterruptedException stop) {
          Thread.currentThread().interrupt();
        }
      });
    }
    return gone;
  }

  private static final class WatchedProducer extends KafkaProducer<byte[], byte[]> {
    private final TransactionListener listener;
    private final UnaryOperator<Set<String>> gone;

    WatchedProducer(
        Map<String, Object> config,
        TransactionListener listener,
        UnaryOperator<Set<String>> gone) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.listener = listener;
      this.gone = gone;
    }

    /** Brokers never take offsets of a topic that was deleted, and Streams would try for minutes. */
    @Override
    public void sendOffsetsToTransaction(
        Map<TopicPartition, OffsetAndMetadata> offsets, ConsumerGroupMetadata group) {
      try {
        super.sendOffsetsToTransaction(offsets, group);
      } catch (TimeoutException late) {
        Set<String> missing = gone.apply(
            offsets.keySet().stream().map(TopicPartition::topic).collect(Collectors.toSet()));
        if (!missing.isEmpty()) {
          MissingSourceTopicException deleted =
              new MissingSourceTopicException("offsets of " + missing + " cannot be committed");
          deleted.initCause(late);
          throw deleted;
        }
        throw late;
      }
    }

    @Override
    public void beginTransaction() {
      super.beginTransaction();
      listener.transactionBegan();
    }

    @Override
    public void commitTransaction() {
      boolean committed = false;
      try {
        super.commitTransaction();
        committed = true;
      } finally {
        if (!committed) {
          listener.transactionLost();
        }
      }
      listener.transactionCommitted();
    }

    @Override
    public void abortTransaction() {
      listener.transactionLost();
      super.abortTransaction();
    }
  }
}
