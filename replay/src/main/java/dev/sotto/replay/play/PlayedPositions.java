package dev.sotto.replay.play;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * The number of records of each partition that a topic holds already. It is stored as committed
 * offsets of a consumer group, in the transaction of the records that it counts, so neither exists
 * without the other. Every commit names all partitions, so that none expires before the others.
 */
final class PlayedPositions {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final int DIGITS = 32;

  private final String name;
  private final String topic;
  private final String mark;
  private final SortedMap<Integer, Long> counts = new TreeMap<>();

  /**
   * Nothing played yet.
   *
   * @param topicId of the topic: commits for an earlier topic of the same name do not count
   */
  PlayedPositions(String topic, String topicId, RecordingSummary summary) {
    this.topic = topic;
    this.name = name(topic, summary.identity());
    this.mark = "records played into " + topicId;
    summary.records().keySet().forEach(each -> counts.put(each, 0L));
  }

  /**
   * The name of group and producer for one recording and one topic. Whoever may list groups sees
   * it.
   */
  static String name(String topic, String identity) {
    return "sotto-play." + topic + "." + identity.substring(0, Math.min(DIGITS, identity.length()));
  }

  /** The name. */
  String name() {
    return name;
  }

  /**
   * Reads what was committed; false where nothing was. No transaction of another player may be
   * open.
   *
   * @param group a consumer of the group of this name
   * @throws SottoException where only some partitions are committed
   */
  boolean read(Consumer<byte[], byte[]> group) {
    SortedMap<Integer, Long> found = new TreeMap<>();
    group.committed(offsets().keySet(), PATIENCE).forEach((partition, offset) -> {
      if (offset != null && offset.metadata().equals(mark)) {
        found.put(partition.partition(), offset.offset());
      }
    });
    if (found.isEmpty()) {
      return false;
    }
    if (found.size() < counts.size()) {
      throw new SottoException(
          FailureKind.TOPIC,
          "group " + name + " says of partitions " + found.keySet() + " of " + topic
              + " how much was played into them, but nothing of the others; look at what the"
              + " topic holds, then delete"
              + " the group or play from the beginning: --restart");
    }
    counts.putAll(found);
    return true;
  }

  /** One more record of a partition. */
  void add(int partition) {
    counts.merge(partition, 1L, Long::sum);
  }

  /** The number in all. */
  long total() {
    return counts.values().stream().mapToLong(Long::longValue).sum();
  }

  /** The number of each partition; a copy. */
  Map<Integer, Long> counts() {
    return Map.copyOf(counts);
  }

  /** What to commit. */
  Map<TopicPartition, OffsetAndMetadata> offsets() {
    Map<TopicPartition, OffsetAndMetadata> offsets = new HashMap<>();
    counts.forEach((partition, count) -> offsets.put(
        new TopicPartition(topic, partition),
        new OffsetAndMetadata(count, Optional.empty(), mark)));
    return offsets;
  }
}
