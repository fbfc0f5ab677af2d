package dev.sotto.topology.read;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.LoginFailure;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.AuthenticationException;
import org.apache.kafka.common.errors.AuthorizationException;
import org.apache.kafka.common.errors.CorruptRecordException;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;

/** A topic's committed records, mostly from its beginning on: uncommitted ones are never shown. */
public final class CommittedTopic implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Consumer<byte[], byte[]> consumer;
  private final List<TopicPartition> partitions;
  private final String topic;
  private final Object servers;

  /**
   * Opens a topic, to be read to its end.
   *
   * @param clients Kafka client settings
   * @throws SottoException where no broker answers, the topic is missing, or reading it is not
   *     allowed
   */
  public CommittedTopic(Map<String, ?> clients, String topic) {
    this(clients, topic, () -> ReaderConfig.toTheEnd(clients, "read_committed"));
  }

  /** Opens a topic that is followed: at its end a fetch waits for records to come. */
  public static CommittedTopic followed(Map<String, ?> clients, String topic) {
    return new CommittedTopic(
        clients, topic, () -> ReaderConfig.consumer(clients, "read_committed"));
  }

  /**
   * The same without what is old.
   *
   * @param offsets of each partition that are read of what is there, at least 0
   */
  public static CommittedTopic followed(Map<String, ?> clients, String topic, long offsets) {
    return followed(clients, topic).skippedTo(offsets);
  }

  /**
   * Opens the end of a topic, to be read to its end.
   *
   * @param offsets of each partition that are looked at, at most: markers of transactions and what
   *     was compacted away take offsets, too
   * @throws SottoException where no broker answers, the topic is missing, or reading it is not
   *     allowed
   */
  public static CommittedTopic ending(Map<String, ?> clients, String topic, long offsets) {
    return new CommittedTopic(clients, topic).skippedTo(offsets);
  }

  private CommittedTopic skippedTo(long offsets) {
    try {
      Map<TopicPartition, Long> from = asked(() -> consumer.beginningOffsets(partitions, PATIENCE));
      asked(() -> consumer.endOffsets(partitions, PATIENCE))
          .forEach((each, end) -> consumer.seek(each, Math.max(from.get(each), end - offsets)));
      return this;
    } catch (RuntimeException failed) {
      close();
      throw failed;
    }
  }

  private CommittedTopic(
      Map<String, ?> clients, String topic, Supplier<Consumer<byte[], byte[]>> opening) {
    this.topic = topic;
    this.servers = clients.get("bootstrap.servers");
    Consumer<byte[], byte[]> opened = null;
    try {
      opened = opening.get();
      List<PartitionInfo> found = opened.partitionsFor(topic, PATIENCE);
      if (found == null || found.isEmpty()) {
        throw missing(topic, servers);
      }
      partitions = found.stream()
          .map(each -> new TopicPartition(topic, each.partition()))
          .toList();
      opened.assign(partitions);
      opened.seekToBeginning(partitions);
      consumer = opened;
    } catch (RuntimeException failed) {
      if (opened != null) {
        opened.close();
      }
      throw explained(failed, opened != null, topic, servers);
    }
  }

  /** That a topic is not there. */
  static SottoException missing(String topic, Object servers) {
    return new SottoException(
        FailureKind.TOPIC,
        "topic " + topic + " does not exist on " + servers
            + "; check app.id, or wait for the learner's first start");
  }

  /** What a failure means to the operator; one that is not Kafka's stays as it is. */
  public static RuntimeException explained(
      RuntimeException failed, boolean open, String topic, Object servers) {
    if (!(failed instanceof KafkaException) || failed instanceof InterruptException) {
      return failed;
    }
    Throwable cause = failed.getCause() == null ? failed : failed.getCause();
    Throwable login = failed instanceof AuthenticationException ? failed : cause;
    if (login instanceof AuthenticationException refused) {
      return new SottoException(
          FailureKind.FORBIDDEN,
          "not allowed to reach the cluster at " + servers + " to read topic " + topic + ": "
              + LoginFailure.words(refused),
          failed);
    }
    if (failed instanceof AuthorizationException || cause instanceof AuthorizationException) {
      return new SottoException(
          FailureKind.FORBIDDEN,
          "not allowed to read topic " + topic
              + "; ask for the permission (Read and Describe are needed)",
          failed);
    }
    if (failed instanceof TimeoutException) {
      return new TransientException(
          FailureKind.UNREACHABLE,
          "no broker answered at " + servers
              + "; check bootstrap.servers, the network and the security settings",
          failed);
    }
    if (failed instanceof InvalidOffsetException || cause instanceof CorruptRecordException) {
      return new SottoException(
          FailureKind.UNVERIFIED,
          "topic " + topic + " cannot be read whole: " + cause.getMessage(),
          failed);
    }
    if (open) {
      return new TransientException(
          FailureKind.UNREACHABLE,
          "reading topic " + topic + " at " + servers + " failed: " + cause.getMessage(),
          failed);
    }
    return new TransientException(
        FailureKind.UNREACHABLE,
        "no client could be made for " + servers + ": " + cause.getMessage(),
        failed);
  }

  /**
   * Hands on what is there, up to the committed end at the time of the call.
   *
   * @throws SottoException where reading fails or stands still
   */
  public void readToEnd(java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    readUntil(record -> {
      visitor.accept(record);
      return false;
    });
  }

  /**
   * The same, until the visitor has enough.
   *
   * @param enough whether it has
   * @throws SottoException where reading fails or stands still
   */
  public void readUntil(Predicate<ConsumerRecord<byte[], byte[]>> enough) {
    Map<TopicPartition, Long> ends = asked(() -> consumer.endOffsets(partitions, PATIENCE));
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (asked(() ->
        partitions.stream().anyMatch(each -> consumer.position(each, PATIENCE) < ends.get(each)))) {
      var records = asked(() -> consumer.poll(Duration.ofMillis(200)));
      for (var record : records) {
        if (enough.test(record)) {
          return;
        }
      }
      if (!records.isEmpty()) {
        deadline = System.nanoTime() + PATIENCE.toNanos();
      } else if (System.nanoTime() - deadline > 0) {
        throw new TransientException(
            FailureKind.UNREACHABLE, "reading " + partitions + " stood still");
      }
    }
  }

  /**
   * Waits for more and hands it on; returns how many records came.
   *
   * @throws SottoException where reading fails
   */
  public int follow(
      Duration wait, java.util.function.Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    var records = asked(() -> consumer.poll(wait));
    records.forEach(visitor);
    return records.count();
  }

  private <T> T asked(Supplier<T> request) {
    try {
      return request.get();
    } catch (KafkaException failed) {
      throw explained(failed, true, topic, servers);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
