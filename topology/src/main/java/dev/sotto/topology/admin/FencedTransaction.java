package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.settings.ClientConfigs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.InvalidProducerEpochException;
import org.apache.kafka.common.errors.ProducerFencedException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/**
 * Transactions of several processes that exclude each other: all take the same transactional id, so
 * that each ends what another has begun. What is read after the beginning, and found unchanged, is
 * unchanged when the transaction commits.
 */
public final class FencedTransaction {
  private final Map<String, String> clients;
  private final String transactionalId;
  private final String what;

  /**
   * A transaction that may be run again and again.
   *
   * @param clients Kafka client settings
   * @param what is written, and where, for messages
   */
  public FencedTransaction(Map<String, String> clients, String transactionalId, String what) {
    this.clients = clients;
    this.transactionalId = transactionalId;
    this.what = what;
  }

  /**
   * Ends what rivals have begun, asks for records, and commits them.
   *
   * @param records decides after the rivals have ended; none where there is nothing to write
   * @throws ProducerFencedException where a rival began meanwhile: nothing was written
   * @throws SottoException where writing is not allowed or no broker answers
   */
  public void run(Supplier<List<ProducerRecord<byte[], byte[]>>> records) {
    Map<String, Object> config = new HashMap<>(producerSettings(clients));
    config.put(ProducerConfig.TRANSACTIONAL_ID_CONFIG, transactionalId);
    try (var producer =
        new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer())) {
      producer.initTransactions();
      List<ProducerRecord<byte[], byte[]>> decided = records.get();
      if (decided.isEmpty()) {
        return;
      }
      producer.beginTransaction();
      decided.forEach(producer::send);
      producer.commitTransaction();
    } catch (ProducerFencedException raced) {
      throw raced;
    } catch (KafkaException failed) {
      throw explained(failed);
    }
  }

  private RuntimeException explained(KafkaException failed) {
    for (Throwable cause = failed; cause != null; cause = cause.getCause()) {
      // A rival shows in several ways: which one depends on the request that it comes between.
      if (cause instanceof ProducerFencedException
          || cause instanceof InvalidProducerEpochException) {
        return new ProducerFencedException("another instance writes " + what);
      }
      if (cause instanceof AuthorizationException || cause instanceof AuthenticationException) {
        return new SottoException(
            FailureKind.FORBIDDEN,
            "not allowed to write " + what + ": " + cause.getMessage()
                + "; needed are Write on the topic, and Write and Describe on the transactional id "
                + transactionalId,
            failed);
      }
    }
    return new TransientException(
        FailureKind.UNREACHABLE, what + " could not be written: " + failed.getMessage(), failed);
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
}
