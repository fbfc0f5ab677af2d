package dev.sotto.topology.read;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads stretches of single partitions, and asks where they begin and end. */
public final class PartitionReader implements AutoCloseable {
  /** The isolation level that leaves out what is not committed. */
  public static final String COMMITTED = "read_committed";
  /** The isolation level that sees everything. */
  public static final String UNCOMMITTED = "read_uncommitted";

  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Consumer<byte[], byte[]> consumer;
  private final Object servers;
  private final Set<TopicPartition> assigned = new HashSet<>();

  /** A reader with the client settings of an application. */
  public PartitionReader(Map<String, ?> clients, String isolation) {
    this.servers = clients.get("bootstrap.servers");
    Map<String, Object> config = new HashMap<>(clients);
    // A seek waits for the fetch that is under way: at the end of a log, this long.
    config.put("main.consumer.fetch.max.wait.ms", "10");
    this.consumer = ReaderConfig.consumer(config, isolation);
  }

  /**
   * All partitions of a topic.
   *
   * @throws SottoException where no broker answers, the topic is missing, or reading it is not
   *     allowed
   */
  public List<TopicPartition> partitions(String topic) {
    List<PartitionInfo> found;
    try {
      found = consumer.partitionsFor(topic, PATIENCE);
    } catch (KafkaException failed) {
      throw CommittedTopic.explained(failed, true, topic, servers);
    }
    if (found == null || found.isEmpty()) {
      throw CommittedTopic.missing(topic, servers);
    }
    return found.stream()
        .map(each -> new TopicPartition(topic, each.partition()))
        .toList();
  }

  /** The offset of the first record that is still held. */
  public long beginning(TopicPartition where) {
    return asked(
        where, () -> consumer.beginningOffsets(List.of(where), PATIENCE).get(where));
  }

  /** The offset behind the last record; behind the last committed one for a reader of those. */
  public long end(TopicPartition where) {
    return asked(where, () -> consumer.endOffsets(List.of(where), PATIENCE).get(where));
  }

  /**
   * The first offset of a record that was written at a time or later; the beginning where that is
   * unknown.
   */
  public long at(TopicPartition where, long time) {
    return firstAt(where, time).orElseGet(() -> beginning(where));
  }

  /**
   * The first offset of a record that was written at a time or later; empty where there is none.
   */
  public OptionalLong firstAt(TopicPartition where, long time) {
    return asked(where, () -> {
      var found = consumer.offsetsForTimes(Map.of(where, time), PATIENCE).get(where);
      return found == null ? OptionalLong.empty() : OptionalLong.of(found.offset());
    });
  }

  /** The record at an offset; empty where there is none. */
  public Optional<ConsumerRecord<byte[], byte[]>> record(TopicPartition where, long offset) {
    List<ConsumerRecord<byte[], byte[]>> found = new ArrayList<>();
    read(where, offset, offset + 1, found::add);
    return found.stream().findFirst();
  }

  /**
   * Hands on the records with {@code from <= offset < to}, in order, until the visitor has enough.
   *
   * @param visitor returns whether to go on
   * @return whether all of them were handed on
   * @throws SottoException where reading fails, or stands still
   */
  public boolean read(
      TopicPartition where, long from, long to, Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
    return asked(where, () -> {
      try {
        return OffsetRangeReader.read(consumer, where, from, to, PATIENCE, visitor);
      } catch (TimeoutException still) {
        throw new TransientException(FailureKind.UNREACHABLE, still.getMessage(), still);
      }
    });
  }

  /**
   * The same one after the other; a reading that was begun before is over.
   *
   * @return gives null behind the last
   */
  public Supplier<ConsumerRecord<byte[], byte[]>> records(
      TopicPartition where, long from, long to) {
    OffsetRangeCursor cursor =
        asked(where, () -> new OffsetRangeCursor(consumer, where, from, to, PATIENCE));
    return () -> asked(where, () -> {
      try {
        return cursor.next();
      } catch (TimeoutException still) {
        throw new TransientException(FailureKind.UNREACHABLE, still.getMessage(), still);
      }
    });
  }

  /**
   * Topics once asked for stay assigned, though paused: otherwise each request would wait for
   * metadata.
   */
  private void enter(TopicPartition where) {
    if (assigned.add(where)) {
      consumer.assign(assigned);
      consumer.seek(where, 0);
    }
    consumer.pause(assigned);
    consumer.resume(List.of(where));
  }

  private <T> T asked(TopicPartition where, Supplier<T> request) {
    try {
      enter(where);
      return request.get();
    } catch (KafkaException failed) {
      throw CommittedTopic.explained(failed, true, where.topic(), servers);
    }
  }

  @Override
  public void close() {
    consumer.close();
  }
}
