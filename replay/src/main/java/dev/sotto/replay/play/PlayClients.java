package dev.sotto.replay.play;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.settings.ClientConfigs;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Creates the clients of a player from one set of client settings: those without a prefix, then
 * those with the prefix of the client.
 */
final class PlayClients {
  /**
   * In milliseconds. An open transaction of a player that was killed blocks readers at most so
   * long.
   */
  private static final String TRANSACTION_TIMEOUT = "20000";

  /** More than a batch of one record adds to its bytes: 61 for the batch, 21 for the record. */
  private static final int BATCH_OVERHEAD = 128;

  private PlayClients() {}

  /**
   * A consumer that only reads the committed offsets of a group, and gives the producer its
   * metadata.
   */
  static Consumer<byte[], byte[]> group(Map<String, String> clients, String name) {
    Map<String, Object> own = chosen(clients, "consumer.", ConsumerConfig.configNames());
    own.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    own.remove(ConsumerConfig.INTERCEPTOR_CLASSES_CONFIG);
    own.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
    own.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
    own.put(ConsumerConfig.GROUP_ID_CONFIG, name);
    own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    own.put(ConsumerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    // No offset is returned while a transaction that would change it is open.
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return made(
        clients,
        () -> new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
  }

  /**
   * The producer.
   *
   * @param id a second producer with the same id fences the first
   * @param largest bytes of the largest record
   */
  static Producer<byte[], byte[]> producer(Map<String, String> clients, String id, long largest) {
    Map<String, Object> own = chosen(clients, "producer.", ProducerConfig.configNames());
    own.remove(ProducerConfig.INTERCEPTOR_CLASSES_CONFIG);
    own.remove(ProducerConfig.PARTITIONER_CLASS_CONFIG);
    own.remove(ProducerConfig.KEY_SERIALIZER_CLASS_CONFIG);
    own.remove(ProducerConfig.VALUE_SERIALIZER_CLASS_CONFIG);
    own.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    own.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, id);
    own.put(ProducerConfig.TRANSACTION_TIMEOUT_CONFIG, TRANSACTION_TIMEOUT);
    own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    own.put(ProducerConfig.ACKS_CONFIG, "all");
    own.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, "5");
    own.putIfAbsent(ProducerConfig.BATCH_SIZE_CONFIG, Integer.toString(128 << 10));
    own.putIfAbsent(ProducerConfig.MAX_BLOCK_MS_CONFIG, "30000");
    long room = Math.min(Integer.MAX_VALUE, Math.max(1 << 20, 2 * (largest + BATCH_OVERHEAD)));
    own.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Long.toString(room));
    own.putIfAbsent(
        ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(Math.max(32 << 20, 2 * room)));
    return made(
        clients,
        () -> new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  private static Map<String, Object> chosen(
      Map<String, String> clients, String kind, Set<String> names) {
    Map<String, Object> own = ClientConfigs.choose(clients, List.of("", kind), names);
    own.remove("client.id");
    return own;
  }

  private static <T> T made(Map<String, String> clients, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (KafkaException wrong) {
      Throwable root = wrong.getCause() == null ? wrong : wrong.getCause();
      throw new TransientException(
          FailureKind.UNREACHABLE,
          "no client could be made for " + clients.get("bootstrap.servers") + ": "
              + root.getMessage(),
          wrong);
    }
  }
}
