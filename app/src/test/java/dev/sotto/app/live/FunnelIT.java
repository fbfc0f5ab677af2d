package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** One model over three partitions: the sequence defines it. */
@Timeout(120)
class FunnelIT {
  private static final int PARTITIONS = 3;
  private static Cluster cluster;

  @TempDir
  Path folder;

  private int sent;

  @BeforeAll
  static void start() {
    cluster = Cluster.embedded();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  @Test
  void putsEveryCommittedEventIntoTheSequenceOnceAndLearnsWhatAReplayLearns() {
    Trial trial = Trial.of("funnel", folder, cluster.clients()).with(Layout.FUNNEL);
    cluster.createTopic(trial.topic(), PARTITIONS, Map.of());
    List<byte[]> events = new ArrayList<>(Trial.events(400, 1));
    events.set(5, null);
    int bad = 1;
    for (int i = 7; i < events.size(); i += 13) {
      events.set(i, new byte[i]);
      bad++;
    }
    try (var producer = cluster.producer(Map.of("transactional.id", "funnel-writer"))) {
      producer.initTransactions();
      try (LearnerService service = trial.start()) {
        write(producer, trial.topic(), events.subList(0, 200));
        trial.awaitRounds(service, 30);
      } // in the middle: what is consumed and not committed comes again
      write(producer, trial.topic(), events.subList(200, 400));
      trial.learnRounds(100);
    }
    Published published = trial.published();
    List<ConsumerRecord<byte[], byte[]>> sequence =
        Published.read(cluster.clients(), Names.sequence("funnel"));
    assertThat(published.ledger()).hasSize(100);
    assertThat(places(sequence, events.size() - bad)).isEqualTo(committed(trial.topic()));
    assertThat(published.letters()).hasSize(bad);
    String topicId = Cluster.get(cluster
            .admin()
            .describeTopics(List.of(Names.sequence("funnel")))
            .allTopicNames()
            .toCompletionStage()
            .toCompletableFuture())
        .get(Names.sequence("funnel"))
        .topicId()
        .toString();
    assertThat(new SequenceReplay(trial.learner(), topicId).of(sequence))
        .isEqualTo(published.bytes());
  }

  /** Committed in small transactions, with an aborted one before each. */
  private void write(KafkaProducer<byte[], byte[]> producer, String topic, List<byte[]> events) {
    for (int from = 0; from < events.size(); from += 25) {
      producer.beginTransaction();
      Trial.events(10, from).forEach(lost -> send(producer, topic, lost));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      events.subList(from, from + 25).forEach(kept -> send(producer, topic, kept));
      producer.commitTransaction();
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] event) {
    producer.send(new ProducerRecord<>(topic, sent++ % PARTITIONS, null, event));
  }

  /** Source offsets by partition, in the order of the sequence. */
  private static Map<Integer, List<Long>> places(
      List<ConsumerRecord<byte[], byte[]>> sequence, int expected) {
    Map<Integer, List<Long>> places = new TreeMap<>();
    SlotCodec codec = new SlotCodec();
    Slot slot = new Slot(Trial.DIMENSION);
    int used = 0;
    for (var record : sequence) {
      used += codec.decode(record.value(), slot) == RecordStatus.USED ? 1 : 0;
      places.computeIfAbsent(codec.partition(), each -> new ArrayList<>()).add(codec.offset());
    }
    assertThat(used).isEqualTo(expected);
    return places;
  }

  private static Map<Integer, List<Long>> committed(String topic) {
    Map<Integer, List<Long>> places = new TreeMap<>();
    Published.read(cluster.clients(), topic)
        .forEach(record -> places
            .computeIfAbsent(record.partition(), each -> new ArrayList<>())
            .add(record.offset()));
    return places;
  }
}
