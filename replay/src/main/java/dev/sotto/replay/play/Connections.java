package dev.sotto.replay.play;

import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import java.util.HashMap;
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

/** The clients of a play, from one set of client settings: those without a prefix, then those of its own kind. */
final class Connections {
  /**
   * In milliseconds: how long an open transaction of a player that was killed may hold readers back, where nobody
   * starts it again.
   */
  private static final String TRANSACTION_TIMEOUT = "20000";

  private Connections() {}

  /** A consumer that belongs to a group in name only: it reads what was committed, and lends the producer its name. */
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
    // No offset is given out while a transaction that would change it is open.
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    return made(
        clients,
        () -> new KafkaConsumer<>(own, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
  }

  /**
   * The one who writes.
   *
   * @param id a second producer with the same one puts an end to the first
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
    long room = Math.min(Integer.MAX_VALUE, Math.max(1 << 20, 2 * (largest + Sizes.OVERHEAD)));
    own.putIfAbsent(ProducerConfig.MAX_REQUEST_SIZE_CONFIG, Long.toString(room));
    own.putIfAbsent(
        ProducerConfig.BUFFER_MEMORY_CONFIG, Long.toString(Math.max(32 << 20, 2 * room)));
    return made(
        clients,
        () -> new KafkaProducer<>(own, new ByteArraySerializer(), new ByteArraySerializer()));
  }

  private static Map<String, Object> chosen(
      Map<String, String> clients, String kind, Set<String> names) {
    Map<String, Object> own = new HashMap<>();
    for (String prefix : new String[] {"", kind}) {
      for (String name : names) {
        String value = clients.get(prefix + name);
        if (value != null) {
          own.put(name, value);
        }
      }
    }
    own.remove("client.id");
    return own;
  }

  private static <T> T made(Map<String, String> clients, Supplier<T> maker) {
    try {
      return maker.get();
    } catch (KafkaException wrong) {
      Throwable root = wrong.getCause() == null ? wrong : wrong.getCause();
      throw new StartFailure(
          ExitCode.UNREACHABLE,
          "no client could be made for " + clients.get("bootstrap.servers") + ": "
              + root.getMessage(),
          wrong);
    }
  }
}
