package dev.sotto.topology.status;

import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.KafkaClientSupplier;

/**
 * Kafka's own clients, but for producers that report their commits. Under exactly_once_v2 a stream
 * thread has one producer, which it alone commits with, for all of its tasks together.
 */
public final class WatchedClients implements KafkaClientSupplier {
  private final LearnerStatus status;

  /** Clients that tell a status. */
  public WatchedClients(LearnerStatus status) {
    this.status = status;
  }

  @Override
  public Admin getAdmin(Map<String, Object> config) {
    return Admin.create(config);
  }

  @Override
  public Producer<byte[], byte[]> getProducer(Map<String, Object> config) {
    return new WatchedProducer(config, status);
  }

  @Override
  public Consumer<byte[], byte[]> getConsumer(Map<String, Object> config) {
    return new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  @Override
  public Consumer<byte[], byte[]> getRestoreConsumer(Map<String, Object> config) {
    return getConsumer(config);
  }

  @Override
  public Consumer<byte[], byte[]> getGlobalConsumer(Map<String, Object> config) {
    return getConsumer(config);
  }

  private static final class WatchedProducer extends KafkaProducer<byte[], byte[]> {
    private final LearnerStatus status;

    WatchedProducer(Map<String, Object> config, LearnerStatus status) {
      super(config, new ByteArraySerializer(), new ByteArraySerializer());
      this.status = status;
    }

    @Override
    public void commitTransaction() {
      boolean committed = false;
      try {
        super.commitTransaction();
        committed = true;
      } finally {
        if (!committed) {
          status.transactionLost();
        }
      }
      status.transactionCommitted();
    }

    @Override
    public void abortTransaction() {
      status.transactionLost();
      super.abortTransaction();
    }
  }
}
