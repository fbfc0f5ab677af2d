package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.batch.EventBatch;
import dev.sotto.topology.client.WatchedClients;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.fetch.TopicIds;
import dev.sotto.topology.read.ReaderConfig;
import dev.sotto.topology.status.LearnerStatus;
import java.time.Duration;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRebalanceListener;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The consumer that a stream thread has: what it fetches, what it hands on, and what it counts. */
class BoundedConsumerIT {
  private static final int LARGE = 8_000;
  private static final int MANY = 40;
  private static final int SHARE = 4; // records, of BOUND
  private static final long BOUND = 64 << 10; // half of it a share; a fetch is a quarter
  private static final long UNBOUNDED = 1L << 30;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  private final LearnerStatus status = new LearnerStatus(LearnerStatus.MOST_MODELS);
  private final Map<TopicPartition, Integer> seen = new HashMap<>();

  /** A topic of two partitions; so many large records in each, one in each batch of the log. */
  private static List<TopicPartition> filled(String topic, int records) {
    cluster.createTopic(topic, 2, Map.of());
    for (int i = 0; i < records; i++) {
      cluster.send(topic, 0, List.of(new byte[LARGE]));
      cluster.send(topic, 1, List.of(new byte[LARGE]));
    }
    return List.of(new TopicPartition(topic, 0), new TopicPartition(topic, 1));
  }

  private Consumer<byte[], byte[]> consumer(long most, Set<String> topics, Set<String> batched) {
    Map<String, BatchRule> rules = new HashMap<>();
    batched.forEach(each -> rules.put(each, BatchRule.ANY));
    Map<String, Object> config = new HashMap<>(cluster.clients());
    config.put("group.id", "bounded-" + topics);
    config.put("auto.offset.reset", "earliest");
    config.put("enable.auto.commit", "false");
    config.put("isolation.level", "read_committed");
    config.put("max.partition.fetch.bytes", "1048576");
    return new WatchedClients(status.threads().buffered(), status, most, 2, topics, rules)
        .getConsumer(config);
  }

  /** It is longer than what was read of the first one, so that offsets tell nothing. */
  @Test
  void readsNothingOfATopicThatWasMadeAgain() {
    TopicPartition where = new TopicPartition("remade", 0);
    cluster.createTopic("remade", 1, Map.of());
    cluster.send("remade", 0, List.of(new byte[1]));
    String id = Cluster.get(cluster
            .admin()
            .describeTopics(List.of("remade"))
            .allTopicNames()
            .toCompletionStage()
            .toCompletableFuture())
        .get("remade")
        .topicId()
        .toString();
    Map<String, Object> config = new HashMap<>(cluster.clients());
    config.put(TopicIds.SETTING, new TopicIds(Map.of("remade", id)).setting());
    try (Consumer<byte[], byte[]> consumer = ReaderConfig.consumer(config, "read_committed")) {
      consumer.assign(List.of(where));
      consumer.seek(where, 0);
      await(consumer, where, 1);
      cluster.deleteTopic("remade");
      cluster.createTopic("remade", 1, Map.of());
      cluster.send("remade", 0, List.of(new byte[2], new byte[2], new byte[2]));
      assertThatThrownBy(() -> await(consumer, where, 2))
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining("topic remade was deleted and made again");
      assertThat(seen.get(where)).isOne();
    }
  }

  /** Polls until a partition has given so many records, however they came. */
  private void await(Consumer<byte[], byte[]> consumer, TopicPartition partition, int records) {
    Awaitility.await()
        .atMost(Duration.ofSeconds(120))
        .pollInterval(Duration.ofMillis(1))
        .until(() -> {
          poll(consumer);
          return count(partition) >= records;
        });
  }

  /** Polls until partitions have given a share, and then until nothing comes any more. */
  private void idle(Consumer<byte[], byte[]> consumer, TopicPartition... open) {
    for (TopicPartition each : open) {
      await(consumer, each, SHARE);
    }
    for (int quiet = 0; quiet < 15; ) {
      quiet = poll(consumer) ? 0 : quiet + 1;
    }
  }

  /** Whether anything came. */
  private boolean poll(Consumer<byte[], byte[]> consumer) {
    ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
    for (ConsumerRecord<byte[], byte[]> each : polled) {
      int records =
          EventBatch.of(each.headers()).map(all -> all.records().size()).orElse(1);
      seen.merge(new TopicPartition(each.topic(), each.partition()), records, Integer::sum);
    }
    return !polled.isEmpty();
  }

  private int count(TopicPartition partition) {
    return seen.getOrDefault(partition, 0);
  }

  @Test
  void fetchesNoMoreOfAPartitionOfWhichItsShareWaits() {
    List<TopicPartition> both = filled("shares", MANY);
    try (Consumer<byte[], byte[]> consumer = consumer(BOUND, Set.of("shares"), Set.of())) {
      consumer.assign(both);
      idle(consumer, both.get(0), both.get(1));
      assertThat(count(both.get(0))).isBetween(SHARE, MANY / 2);
      assertThat(count(both.get(1))).isBetween(SHARE, MANY / 2);
      assertThat(status.threads().buffered().bytes()).isBetween(BOUND, 2 * BOUND);
      assertThat(consumer.paused()).isEmpty(); // Streams has paused none

      int before = count(both.get(1));
      consumer.seek(both.get(0), consumer.position(both.get(0))); // nothing of it waits any more
      int more = count(both.get(0)) + SHARE;
      await(consumer, both.get(0), more);
      assertThat(count(both.get(1))).isEqualTo(before);
    }
  }

  /** The twin: without a bound all of it comes. */
  @Test
  void fetchesAllWhereThereIsRoom() {
    List<TopicPartition> both = filled("room", MANY);
    try (Consumer<byte[], byte[]> consumer = consumer(UNBOUNDED, Set.of("room"), Set.of())) {
      consumer.assign(both);
      await(consumer, both.get(0), MANY);
      await(consumer, both.get(1), MANY);
    }
  }

  @Test
  void keepsPausedWhatStreamsHasPaused() {
    List<TopicPartition> both = filled("paused", MANY);
    try (Consumer<byte[], byte[]> consumer = consumer(BOUND, Set.of("paused"), Set.of())) {
      consumer.assign(both);
      consumer.pause(List.of(both.get(0)));
      idle(consumer, both.get(1));
      assertThat(count(both.get(0))).isZero();
      assertThat(count(both.get(1))).isBetween(SHARE, MANY / 2);
      assertThat(consumer.paused()).containsExactly(both.get(0));

      consumer.pause(List.of(both.get(1))); // of which its share waits, too
      consumer.resume(List.of(both.get(0)));
      idle(consumer, both.get(0));
      assertThat(count(both.get(0))).isBetween(SHARE, MANY / 2);
      assertThat(consumer.paused()).containsExactly(both.get(1));

      int before = count(both.get(1));
      consumer.seek(both.get(1), consumer.position(both.get(1)));
      idle(consumer);
      assertThat(count(both.get(1))).as("paused by Streams alone").isEqualTo(before);
      consumer.resume(List.of(both.get(1)));
      await(consumer, both.get(1), before + SHARE);
    }
  }

  @Test
  void putsRecordsOfSomeTopicsTogetherAndNoOthers() {
    cluster.createTopic("together");
    cluster.createTopic("apart");
    List<byte[]> values = Collections.nCopies(20, new byte[10]);
    cluster.send("together", values);
    cluster.send("apart", values);
    List<TopicPartition> both =
        List.of(new TopicPartition("together", 0), new TopicPartition("apart", 0));
    Map<String, Integer> records = new HashMap<>();
    Map<String, Integer> handed = new HashMap<>();
    Map<TopicPartition, Long> next = new HashMap<>();
    try (Consumer<byte[], byte[]> consumer =
        consumer(UNBOUNDED, Set.of("together", "apart"), Set.of("together"))) {
      consumer.assign(both);
      Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
        polled.nextOffsets().forEach((where, offset) -> next.put(where, offset.offset()));
        polled.forEach(each -> {
          int size =
              EventBatch.of(each.headers()).map(all -> all.records().size()).orElse(1);
          handed.merge(each.topic(), 1, Integer::sum);
          records.merge(each.topic(), size, Integer::sum);
        });
        return records.equals(Map.of("together", 20, "apart", 20));
      });
    }
    assertThat(handed.get("apart")).isEqualTo(20);
    assertThat(handed.get("together")).isLessThan(20);
    assertThat(next).isEqualTo(Map.of(both.get(0), 20L, both.get(1), 20L));
  }

  /** Streams commits behind records that were aborted only if it is told where they end. */
  @Test
  void tellsWhereItStandsAlsoWithoutARecord() {
    cluster.createTopic("aborted");
    try (KafkaProducer<byte[], byte[]> producer =
        cluster.producer(Map.of("transactional.id", "aborted-writer"))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>("aborted", 0, null, new byte[10]));
      producer.flush();
      producer.abortTransaction();
    }
    TopicPartition partition = new TopicPartition("aborted", 0);
    try (Consumer<byte[], byte[]> consumer =
        consumer(BOUND, Set.of("aborted"), Set.of("aborted"))) {
      consumer.assign(List.of(partition));
      Awaitility.await().atMost(Duration.ofSeconds(120)).until(() -> {
        ConsumerRecords<byte[], byte[]> polled = consumer.poll(Duration.ofMillis(100));
        assertThat(polled.isEmpty()).isTrue();
        return polled.nextOffsets().containsKey(partition)
            && polled.nextOffsets().get(partition).offset() == 2; // the record, and the marker
      });
    }
  }

  @Test
  void forgetsWhatWaitsOfPartitionsThatMove() {
    List<TopicPartition> both = filled("moved", 10);
    ConsumerRebalanceListener nothing = new ConsumerRebalanceListener() {
      @Override
      public void onPartitionsRevoked(Collection<TopicPartition> partitions) {}

      @Override
      public void onPartitionsAssigned(Collection<TopicPartition> partitions) {}
    };
    try (Consumer<byte[], byte[]> consumer = consumer(BOUND, Set.of("moved"), Set.of("moved"))) {
      consumer.subscribe(List.of("moved"), nothing);
      await(consumer, both.get(0), 2);
      assertThat(status.threads().buffered().bytes()).isPositive();
      consumer.unsubscribe();
      assertThat(status.threads().buffered().bytes()).isZero();
    }
  }
}
