package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.config.SottoConfig;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Labels that come later, over several partitions, seven waits at once, and beyond their bound. */
@Tag("long")
@Timeout(900)
class LateLabelsLongIT {
  private static final int EVENTS = 200_000;
  private static final int DAYS = 7; // a wait each
  private static Cluster cluster;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    EmbeddedBroker broker =
        EmbeddedBroker.start(BrokerSettings.temporary().withProperties(LateLabelsTrial.BROKER));
    cluster = new Cluster(broker.bootstrapServers(), broker::close);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  /** One model over three partitions, killed five times. */
  @Test
  void joinsSeveralPartitionsThroughKills() throws Exception {
    LateLabelsTrial trial = new LateLabelsTrial(cluster, folder, "three", "layout: ordered\n");
    trial.joinThroughKills(2_400, 3, 5);
    LearnerSettings learner = trial.learner();
    Verification verification = new Verification(
            learner,
            trial.recorded(learner.eventTopic()),
            new PublishedTopics(cluster.clients(), learner.app()))
        .order(trial.order());
    assertThat(verification.run().outcome()).isEqualTo(Outcome.EQUAL);
  }

  /**
   * What was appended in seven times the wait, 120 MB with as many labels without an event as there
   * are events, is there from the start, and the heap is far smaller.
   */
  @Test
  void catchesUpWithSevenWaitsOnASmallHeap() throws Exception {
    LateLabelsTrial trial = new LateLabelsTrial(
        cluster, folder, "week", "layout: direct\nevents.labels.wait.ms: 1000\n");
    trial.createTopics(1);
    long began = System.currentTimeMillis();
    produce(trial);
    long wait = (System.currentTimeMillis() - began) / DAYS;
    trial.set("events.labels.wait.ms", wait);
    BitSet inTime = inTime(trial, wait);
    assertThat(inTime.cardinality()).isBetween(EVENTS / 4, EVENTS * 2 / 3);
    Process process = trial.start("-Xmx80m");
    AtomicInteger events = new AtomicInteger();
    AtomicInteger wrong = new AtomicInteger();
    try {
      String topic = trial.learner().eventTopic();
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> cluster.topics().contains(topic) || !process.isAlive());
      try (CommittedTopic all = new CommittedTopic(cluster.clients(), topic)) {
        long deadline = System.nanoTime() + Duration.ofMinutes(8).toNanos();
        while (events.get() < EVENTS && System.nanoTime() < deadline) {
          assertThat(process.isAlive()).as(Files.readString(trial.log())).isTrue();
          all.follow(Duration.ofMillis(500), each -> {
            int at = events.getAndIncrement();
            LabelledEvent event = LabelledEvent.decode(each.value());
            boolean labelled = event.join() == LabelledEvent.Join.LABELLED;
            if (labelled != inTime.get(at) || event.source().offset() != at) {
              wrong.incrementAndGet();
            }
          });
        }
      }
      assertThat(events).hasValue(EVENTS);
      assertThat(wrong).hasValue(0);
    } finally {
      process.destroyForcibly().waitFor();
    }
  }

  /** Two events in three get a label, up to a wait and a quarter later. */
  private static void produce(LateLabelsTrial trial) {
    Random random = Seed.random(9);
    String filler = "x".repeat(400);
    byte[] value = LateLabelsTrial.bytes("{\"a\":0.5,\"filler\":\"" + filler + "\"}");
    PriorityQueue<long[]> due = new PriorityQueue<>(Comparator.comparingLong(each -> each[0]));
    try (KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of("linger.ms", 5))) {
      for (int i = 0; i < EVENTS; i++) {
        producer.send(new ProducerRecord<>(trial.shown(), LateLabelsTrial.bytes("id-" + i), value));
        label(producer, trial, "nobody-" + i);
        if (random.nextInt(3) > 0) {
          due.add(new long[] {i + random.nextInt(EVENTS * 5 / 4 / DAYS), i});
        }
        while (!due.isEmpty() && due.peek()[0] <= i) {
          label(producer, trial, "id-" + due.remove()[1]);
        }
        if (i % 2_000 == 0) {
          producer.flush(); // or one topic is appended far ahead of the other
        }
      }
      producer.flush();
    }
  }

  private static void label(
      KafkaProducer<byte[], byte[]> producer, LateLabelsTrial trial, String id) {
    producer.send(new ProducerRecord<>(
        trial.clicked(), LateLabelsTrial.bytes(id), LateLabelsTrial.bytes("{\"y\":1}")));
  }

  /** Which events get a label in time, by the times of both logs alone: no id comes again. */
  private static BitSet inTime(LateLabelsTrial trial, long wait) {
    Map<String, Long> labels = new HashMap<>();
    BitSet inTime = new BitSet();
    try (CommittedTopic clicked = new CommittedTopic(cluster.clients(), trial.clicked());
        CommittedTopic shown = new CommittedTopic(cluster.clients(), trial.shown())) {
      clicked.readToEnd(each -> labels.put(id(each.key()), each.timestamp()));
      shown.readToEnd(each -> {
        Long label = labels.get(id(each.key()));
        inTime.set((int) each.offset(), label != null && Math.abs(label - each.timestamp()) < wait);
      });
    }
    return inTime;
  }

  private static String id(byte[] key) {
    return new String(key, StandardCharsets.UTF_8);
  }

  /** The learner stops beyond its bound, and with more space goes on where it was. */
  @Test
  void beyondTheBoundItStopsAndLosesNothing() throws Exception {
    String wait = "layout: direct\nevents.labels.wait.ms: 15000\n";
    LateLabelsTrial trial =
        new LateLabelsTrial(cluster, folder, "full", wait + "events.labels.bytes: 1048576\n");
    trial.createTopics(1);
    SottoConfig small = trial.config();
    try (LearnerService service = new LearnerService(small.learner(), small.service());
        KafkaProducer<byte[], byte[]> producer = cluster.producer(Map.of())) {
      service.start();
      String filler = "x".repeat(1_000);
      for (int i = 0; i < 1_500; i++) {
        producer.send(new ProducerRecord<>(
            trial.shown(),
            LateLabelsTrial.bytes("id-" + i),
            LateLabelsTrial.bytes("{\"a\":0.5,\"filler\":\"" + filler + "\"}")));
      }
      producer.flush();
      Awaitility.await().atMost(Duration.ofSeconds(60)).until(service::hasEnded);
      assertThat(service.failure())
          .hasMessageContaining("events.labels.bytes, 1048576")
          .hasMessageContaining("nothing is lost");
    }
    trial.set("events.labels.bytes", 16 << 20);
    SottoConfig large = trial.config();
    try (LearnerService service = new LearnerService(large.learner(), large.service())) {
      service.start();
      Awaitility.await()
          .atMost(Duration.ofSeconds(90))
          .untilAsserted(() -> assertThat(trial.labelled()).hasSize(1_500));
    }
  }
}
