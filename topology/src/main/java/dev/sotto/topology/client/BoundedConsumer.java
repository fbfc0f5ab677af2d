package dev.sotto.topology.client;

import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.batch.EventBatch;
import dev.sotto.topology.fetch.BoundedRecords;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;

/**
 * Kafka's consumer, which fetches no more of a partition while as many bytes of it wait as are its
 * share. A partition of which nothing waits is always fetched, so that a task which waits for one
 * partition is never starved by another. Records of some topics come in batches.
 */
final class BoundedConsumer extends BoundedRecords {
  private static final long LEAST_POLL = 1 << 20;

  private final BufferedEvents buffered;
  private final long most;
  private final Set<String> topics;
  private final Map<String, BatchRule> batched;
  private final Set<TopicPartition> held = new HashSet<>(); // by Streams

  /**
   * A consumer of one thread.
   *
   * @param most bytes that may wait, in all partitions; what one fetch brings may come on top
   * @param topics whose records are counted and bounded
   * @param batched those of them whose records come in batches ({@link EventBatch}), and in which
   */
  BoundedConsumer(
      Map<String, Object> config,
      BufferedEvents buffered,
      long most,
      Set<String> topics,
      Map<String, BatchRule> batched) {
    super(config, Math.max(LEAST_POLL, most / 2));
    this.buffered = buffered;
    this.most = most;
    this.topics = topics;
    this.batched = batched;
  }

  @Override
  public ConsumerRecords<byte[], byte[]> poll(Duration timeout) {
    List<TopicPartition> assigned =
        assignment().stream().filter(each -> topics.contains(each.topic())).toList();
    long share = most / Math.max(1, assigned.size());
    List<TopicPartition> full = new ArrayList<>();
    for (TopicPartition each : assigned) {
      if (!held.contains(each) && buffered.bytes(each) >= share) {
        full.add(each);
      }
    }
    super.pause(full);
    try {
      ConsumerRecords<byte[], byte[]> records = super.poll(timeout);
      buffered.polled(records, topics);
      return batches(records);
    } finally {
      full.retainAll(assignment());
      full.removeAll(held);
      super.resume(full);
    }
  }

  private ConsumerRecords<byte[], byte[]> batches(ConsumerRecords<byte[], byte[]> records) {
    if (records.isEmpty()) {
      return records;
    }
    Map<TopicPartition, List<ConsumerRecord<byte[], byte[]>>> batches = new HashMap<>();
    for (TopicPartition each : records.partitions()) {
      List<ConsumerRecord<byte[], byte[]>> all = records.records(each);
      BatchRule rule = batched.get(each.topic());
      batches.put(each, rule == null ? all : EventBatch.batches(all, rule));
    }
    return new ConsumerRecords<>(batches, records.nextOffsets());
  }

  @Override
  public void pause(Collection<TopicPartition> partitions) {
    super.pause(partitions);
    held.addAll(partitions);
  }

  @Override
  public void resume(Collection<TopicPartition> partitions) {
    super.resume(partitions);
    held.removeAll(partitions);
  }

  @Override
  public void subscribe(Collection<String> topics, ConsumerRebalanceListener listener) {
    super.subscribe(topics, new Forgetting(listener));
  }

  @Override
  public void subscribe(Pattern pattern, ConsumerRebalanceListener listener) {
    super.subscribe(pattern, new Forgetting(listener));
  }

  @Override
  public void seek(TopicPartition partition, long offset) {
    forget(List.of(partition));
    super.seek(partition, offset);
  }

  @Override
  public void seek(TopicPartition partition, OffsetAndMetadata offset) {
    forget(List.of(partition));
    super.seek(partition, offset);
  }

  @Override
  public void seekToBeginning(Collection<TopicPartition> partitions) {
    forget(partitions);
    super.seekToBeginning(partitions);
  }

  @Override
  public void seekToEnd(Collection<TopicPartition> partitions) {
    forget(partitions);
    super.seekToEnd(partitions);
  }

  private void forget(Collection<TopicPartition> partitions) {
    buffered.forget(partitions);
  }

  /** What was fetched of a partition that moves is dropped by Streams. */
  private final class Forgetting implements ConsumerRebalanceListener {
    private final ConsumerRebalanceListener listener;

    Forgetting(ConsumerRebalanceListener listener) {
      this.listener = listener;
    }

    private void gone(Collection<TopicPartition> partitions) {
      forget(partitions);
      held.removeAll(partitions);
    }

    @Override
    public void onPartitionsAssigned(Collection<TopicPartition> partitions) {
      gone(partitions);
      listener.onPartitionsAssigned(partitions);
    }

    @Override
    public void onPartitionsRevoked(Collection<TopicPartition> partitions) {
      listener.onPartitionsRevoked(partitions);
      gone(partitions);
    }

    @Override
    public void onPartitionsLost(Collection<TopicPartition> partitions) {
      listener.onPartitionsLost(partitions);
      gone(partitions);
    }
  }
}
