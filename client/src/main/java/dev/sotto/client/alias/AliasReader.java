package dev.sotto.client.alias;

import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.topic.PublishedTopicNames;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.consumer.InvalidOffsetException;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.PartitionInfo;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the aliases of an application, and follows them: read-committed, without a group. A topic
 * that does not exist yet has no aliases, and is looked for again; one that was made anew is read
 * from its beginning. A record that cannot be read is passed over: the last good one stays in
 * force. Not safe for use by several threads.
 */
public final class AliasReader implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(AliasReader.class);
  private static final Duration PATIENCE = Duration.ofSeconds(20);
  private static final Duration STEP = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final TopicPartition where;
  private final SortedMap<String, ModelAlias> aliases = new TreeMap<>();
  private boolean assigned;

  /**
   * A reader of one application's aliases.
   *
   * @param clients Kafka client settings, {@code bootstrap.servers} at least
   * @param app the learner's {@code app.id}
   */
  public AliasReader(Map<String, ?> clients, String app) {
    this(
        new KafkaConsumer<>(
            settings(clients), new ByteArrayDeserializer(), new ByteArrayDeserializer()),
        app);
  }

  AliasReader(Consumer<byte[], byte[]> consumer, String app) {
    this.consumer = consumer;
    this.where = new TopicPartition(PublishedTopicNames.aliases(app), 0);
  }

  private static Map<String, Object> settings(Map<String, ?> clients) {
    Map<String, Object> own = new HashMap<>(clients);
    own.keySet().retainAll(ConsumerConfig.configNames());
    clients.forEach((name, value) -> {
      if (name.startsWith("config.providers")) {
        own.put(name, value);
      }
    });
    own.remove(ConsumerConfig.GROUP_ID_CONFIG);
    own.remove(ConsumerConfig.GROUP_INSTANCE_ID_CONFIG);
    own.remove(ConsumerConfig.GROUP_PROTOCOL_CONFIG);
    own.remove(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG);
    own.remove(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG);
    own.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
    own.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none");
    own.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
    own.put(ConsumerConfig.ISOLATION_LEVEL_CONFIG, "read_committed");
    own.put(ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, 100);
    return own;
  }

  /**
   * Reads up to the committed end at the time of the call; then {@link #aliases()} are all there
   * are.
   *
   * @throws KafkaException where no broker answers or reading is not allowed
   */
  public AliasReader readToEnd() {
    if (!find(PATIENCE)) {
      return this;
    }
    long end = consumer.endOffsets(List.of(where), PATIENCE).get(where);
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (consumer.position(where, PATIENCE) < end) {
      poll(STEP);
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("reading " + where + " stood still at offset "
            + consumer.position(where) + " of " + end);
      }
    }
    return this;
  }

  /**
   * Waits for changes, and takes them in.
   *
   * @param wait for how long, at most; where the topic does not exist, for how long it is looked
   *     for
   * @return whether any alias changed
   * @throws KafkaException where reading fails; it may be called again
   */
  public boolean poll(Duration wait) {
    if (!await(wait)) {
      return false;
    }
    ConsumerRecords<byte[], byte[]> records;
    try {
      records = consumer.poll(wait);
    } catch (InvalidOffsetException anew) {
      LOG.warn("topic {} was made anew or cut off; it is read from its beginning", where.topic());
      aliases.clear();
      consumer.seekToBeginning(List.of(where));
      return true;
    }
    boolean changed = false;
    for (ConsumerRecord<byte[], byte[]> record : records) {
      changed |= accept(record);
    }
    return changed;
  }

  /** A topic that is missing is asked for again and again: the answer comes at once. */
  private boolean await(Duration wait) {
    long deadline = System.nanoTime() + wait.toNanos();
    while (!find(PATIENCE)) {
      long left = deadline - System.nanoTime();
      if (left <= 0) {
        return false;
      }
      try {
        Thread.sleep(Math.min(STEP.toMillis(), 1 + left / 1_000_000));
      } catch (InterruptedException stop) {
        Thread.currentThread().interrupt();
        throw new InterruptException(stop);
      }
    }
    return true;
  }

  private boolean find(Duration wait) {
    if (assigned) {
      return true;
    }
    List<PartitionInfo> found = consumer.partitionsFor(where.topic(), wait);
    if (found == null || found.isEmpty()) {
      return false;
    }
    consumer.assign(List.of(where));
    consumer.seekToBeginning(List.of(where));
    assigned = true;
    return true;
  }

  private boolean accept(ConsumerRecord<byte[], byte[]> record) {
    try {
      if (record.value() == null) {
        return record.key() != null && aliases.remove(text(record.key())) != null;
      }
      ModelAlias alias = Codecs.ALIAS.decode(record.value()).at(record.timestamp());
      aliases.put(alias.alias(), alias);
      return true;
    } catch (UnreadableRecordException unreadable) {
      LOG.warn("{} at offset {}: {}", where, record.offset(), unreadable.getMessage());
      return false;
    }
  }

  private static String text(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** All aliases as far as they have been read, by name; deleted ones too, which name nothing. */
  public SortedMap<String, ModelAlias> aliases() {
    return new TreeMap<>(aliases);
  }

  /** What an alias names; empty where there is no such alias. */
  public Optional<AliasTarget> target(String alias) {
    return Optional.ofNullable(aliases.get(alias)).flatMap(ModelAlias::target);
  }

  @Override
  public void close() {
    consumer.close();
  }
}
