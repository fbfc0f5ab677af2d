package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.settings.ClientConfigs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Writes something to a topic that is written once: of several instances that start together one
 * does it. Each takes the same transactional id, which ends what another has begun, and looks
 * before it writes.
 *
 * @param <T> what is written
 */
public final class WriteOnce<T> {
  private static final int ATTEMPTS = 20;

  /** What is written once. */
  public interface Content<T> {
    /** What a topic holds already; empty where nothing has been written. */
    Optional<T> read();

    /** Looks at what must have been so before anything was written. */
    default void look() {}

    /** What is to be written. */
    List<ProducerRecord<byte[], byte[]>> records();
  }

  private final Map<String, String> clients;
  private final String transactionalId;
  private final String what;

  /**
   * Something of one application.
   *
   * @param clients Kafka client settings
   * @param what is written, and where, for messages
   */
  public WriteOnce(Map<String, String> clients, String transactionalId, String what) {
    this.clients = clients;
    this.transactionalId = transactionalId;
    this.what = what;
  }

  /** What was written, by whomever. */
  public T find(Content<T> content) {
    Optional<T> found = content.read();
    for (int i = 0; found.isEmpty(); i++) {
      try {
        write(content);
      } catch (ProducerFencedException raced) {
        if (i >= ATTEMPTS) {
          throw new SottoException(
              FailureKind.UNEXPECTED,
              "other instances keep starting at the same time; start them one after the other",
              raced);
        }
        pause(50L * (i + 1));
      }
      found = content.read();
    }
    return found.get();
  }

  private void write(Content<T> content) {
    Map<String, Object> config = new HashMap<>(producerSettings(clients));
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      content.look();
      if (content.read().isPresent()) { // a rival's transaction has ended by now
        return;
      }
      List<ProducerRecord<byte[], byte[]>> records = content.records();
      producer.beginTransaction();
      records.forEach(producer::send);
      producer.commitTransaction();
    } catch (ProducerFencedException raced) {
      throw raced;
    } catch (KafkaException failed) {
      if (isFenced(failed)) {
        throw new ProducerFencedException("another instance writes " + what);
      }
      throw new TransientException(
          FailureKind.UNREACHABLE, what + " could not be written: " + failed.getMessage(), failed);
    }
  }

  /** A rival shows in several ways: which one depends on the request that it comes between. */
  private static boolean isFenced(Throwable failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return true;
      }
    }
    return false;
  }

  /** What is set for all clients, then what is set for producers alone. */
  private static Map<String, Object> producerSettings(Map<String, String> clients) {
    Map<String, Object> own =
        ClientConfigs.choose(clients, List.of("", "producer."), ProducerConfig.configNames());
    own.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
    own.put(ProducerConfig.ACKS_CONFIG, "all");
    own.put(ProducerConfig.ENABLE_METRICS_PUSH_CONFIG, false);
    return own;
  }

  private static void pause(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new SottoException(FailureKind.UNEXPECTED, "interrupted while starting", stop);
    }
  }
}
