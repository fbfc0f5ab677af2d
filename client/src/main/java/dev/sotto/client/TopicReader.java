package dev.sotto.client;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

/** Reads committed records of one topic, without a group. For one thread. */
final class TopicReader implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration POLL = Duration.ofMillis(100);
  private static final long SOON_MILLIS = 20;

  private final String topic;
  private final Map<String, Object> settings;
  private final KafkaConsumer<byte[], byte[]> consumer;
  private KafkaConsumer<byte[], byte[]> uncommitted; // null until it is wanted

  /**
   * A reader of a topic.
   *
   * @param clients Kafka client settings; what would change what is read is overridden
   * @param wait how long a broker holds a request for records that are not there yet: a moment
   *     where there is more to ask, since the next request waits behind it
   */
  TopicReader(Map<String, ?> clients, String topic, Duration wait) {
    this.topic = topic;
    Map<String, Object> own = new HashMap<>(clients);
    own.keySet()
        .removeAll(List.of(
            ConsumerConfig.GROUP_ID_CONFIG,
            ConsumerConfig.GROUP_INSTANCE_ID_CONFIG,
            ConsumerConfig.GROUP_PROTOCOL_CONFIG,
            ConsumerConfig.CLIENT_ID_CONFIG,
            ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG,
            ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG));
    own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    own.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, (int) wait.toMillis());
    this.settings = own;
    this.consumer = consumer(own);
  }

  private static KafkaConsumer<byte[], byte[]> consumer(Map<String, Object> settings) {
    return new KafkaConsumer<>(settings, new ByteArrayDeserializer(), new ByteArrayDeserializer());
  }

  /**
   * The topic's partitions.
   *
   * @throws UnknownTopicOrPartitionException where there is no such topic
   */
  List<TopicPartition> partitions() {
    List<PartitionInfo> found = consumer.partitionsFor(topic, PATIENCE);
    if (found == null || found.isEmpty()) {
      throw new UnknownTopicOrPartitionException("topic " + topic + " does not exist");
    }
    return found.stream()
        .map(each -> new TopicPartition(topic, each.partition()))
        .toList();
  }

  Map<TopicPartition, Long> beginnings(List<TopicPartition> partitions) {
    return consumer.beginningOffsets(partitions, PATIENCE);
  }

  /** The offsets behind the last committed records. */
  Map<TopicPartition, Long> ends(List<TopicPartition> partitions) {
    return consumer.endOffsets(partitions, PATIENCE);
  }

  /**
   * What is written by now. Not all of it need be known to be committed: brokers append the markers
   * of a transaction to its partitions one after the other.
   */
  Written written(List<TopicPartition> partitions) {
    if (uncommitted == null) {
      Map<String, Object> all = new HashMap<>(settings);
      all.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_uncommitted");
      uncommitted = consumer(all);
    }
    return new Written(uncommitted.endOffsets(partitions, PATIENCE));
  }

  /** The ends of partitions at one time. */
  final class Written {
    private final Map<TopicPartition, Long> ends;
    private Map<TopicPartition, Long> before = Map.of();
    private Map<TopicPartition, Long> decided = Map.of(); // as it was last asked

    private Written(Map<TopicPartition, Long> ends) {
      this.ends = ends;
    }

    /** Whether it is known of all of it by now whether it was committed. */
    boolean isDecided() {
      before = decided;
      decided = ends(List.copyOf(ends.keySet()));
      return ends.entrySet().stream()
          .allMatch(each -> decided.get(each.getKey()) >= each.getValue());
    }

    /**
     * Whether {@link #isDecided} has seen more the last time than the time before, or another topic
     * of this name.
     */
    boolean hasMoved() {
      return !decided.equals(before);
    }

    /**
     * Waits until it is decided.
     *
     * @return whether it came in time
     */
    boolean await(Duration time) {
      long deadline = System.nanoTime() + time.toNanos();
      while (!isDecided()) {
        if (System.nanoTime() - deadline > 0) {
          return false;
        }
        try {
          Thread.sleep(SOON_MILLIS);
        } catch (InterruptedException ended) {
          throw new InterruptException(ended);
        }
      }
      return true;
    }
  }

  /**
   * Hands on the records with {@code from <= offset < to}, in order.
   *
   * @throws TimeoutException where reading stands still
   */
  void read(
      TopicPartition where, long from, long to, Consumer<ConsumerRecord<byte[], byte[]>> visitor) {
    consumer.assign(List.of(where));
    consumer.seek(where, from);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    long position = from;
    while (position < to) {
      for (ConsumerRecord<byte[], byte[]> each : consumer.poll(POLL)) {
        if (each.offset() < to) {
          visitor.accept(each);
        }
      }
      long now = consumer.position(where, PATIENCE);
      if (now > position) {
        position = now;
        deadline = System.nanoTime() + PATIENCE.toNanos();
      } else if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("reading " + where + " stands still at offset " + position);
      }
    }
  }

  /** From now on {@link #poll} gives what comes at these offsets and later. */
  void follow(Map<TopicPartition, Long> positions) {
    consumer.assign(positions.keySet());
    positions.forEach(consumer::seek);
  }

  ConsumerRecords<byte[], byte[]> poll(Duration most) {
    return consumer.poll(most);
  }

  /** Ends a {@link #poll} of another thread. */
  void wakeUp() {
    consumer.wakeup();
  }

  @Override
  public void close() {
    if (uncommitted != null) {
      uncommitted.close(); // it never fetches, so it is closed even where the thread is interrupted
    }
    consumer.close();
  }
}
