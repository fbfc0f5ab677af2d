package dev.sotto.topology.client;

import dev.sotto.topology.batch.BatchRule;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

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
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new WatchedProducer(config, listener);
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

  private static final class WatchedProducer extends KafkaProducer<byte[], byte[]> {
    private final TransactionListener listener;

    WatchedProducer(Map<String, Object> config, TransactionListener listener) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.listener = listener;
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
