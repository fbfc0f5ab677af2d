package dev.sotto.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.live.OrderReplay;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.live.GroupProgress;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.TreeMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A learner is killed once, with a transaction open, while producers abort some of
 * theirs. What it and the next one publish on a real broker is, byte for byte, what the cluster in
 * memory publishes over the same logs. {@link CrashLongIT} kills many times.
 */
abstract class KillContract {
  private static final int PIECE = 300;
  private static final int ROUNDS = 4;
  private static final int LOOKS = 200; // at a transaction, each about a millisecond
  private static final Duration PAUSE = Duration.ofMillis(100);

  private static Cluster cluster;

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  private final Random random = Seed.random(1);
  private KafkaProducer<byte[], byte[]> producer;
  private LearnerProcess learner;
  private int sent;

  @BeforeAll
  static void start() {
    cluster = Cluster.shared();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  abstract Layout layout();

  @Test
  void publishesWhatItsLogsDefine() throws Exception {
    Layout layout = layout();
    Properties config = config(layout);
    LearnerSettings settings = CrashLearner.settings(config);
    int partitions = layout == Layout.DIRECT ? 1 : 2;
    cluster.createTopic(settings.eventTopic(), partitions, Map.of());
    producer = cluster.producer(Map.of("transactional.id", settings.eventTopic() + "-writer"));
    try {
      producer.initTransactions();
      learner = LearnerProcess.start(config, folder, "first");
      Awaitility.await().pollInterval(PAUSE).until(() -> {
        send(settings, partitions);
        return isAlive() && !ledger(settings).isEmpty();
      });
      standInTransaction(settings, partitions);
      learner.kill();
      while (sent < ROUNDS * CrashLearner.BATCH) {
        send(settings, partitions);
      }
      long rounds = fullRounds(layout, Published.read(cluster.clients(), settings.eventTopic()));
      try (LearnerService next = CrashLearner.service(config)) {
        next.start();
        Awaitility.await().pollInterval(PAUSE).until(() -> {
          assertThat(next.failure()).isNull();
          return ledger(settings).size() >= rounds;
        });
      }
    } finally {
      producer.close();
      if (learner != null) {
        learner.kill();
      }
    }
    List<ConsumerRecord<byte[], byte[]>> order = layout == Layout.ORDERED
        ? Published.read(cluster.clients(), Names.order(settings.app()))
        : List.of();
    var events = Published.read(cluster.clients(), settings.eventTopic());
    assertThat(Published.of(cluster.clients(), settings.app()).bytes())
        .isEqualTo(new OrderReplay(events, order).bytes(settings));
  }

  private Properties config(Layout layout) {
    Properties config = new Properties();
    config.putAll(cluster.clients());
    config.setProperty("app", "killed-" + layout.configName());
    config.setProperty("layout", layout.name());
    config.setProperty("topic", "killed-" + layout.configName() + "-events");
    config.setProperty("rule", CrashLearner.Rule.ONCE.name());
    config.setProperty("model.source", "CONSTANT");
    config.setProperty("state", folder.resolve("state").toString());
    return config;
  }

  private boolean isAlive() {
    if (!learner.isAlive()) {
      throw new IllegalStateException(
          "the learner ended with " + learner.exitCode() + "; see " + folder);
    }
    return true;
  }

  /**
   * Sends events until the learner is met with a transaction open, and has it stand still there. The
   * broker is asked again and again while the learner works: a look in step with the learner's own
   * commits would always come between two transactions.
   */
  private void standInTransaction(LearnerSettings settings, int partitions) {
    GroupProgress group = new GroupProgress(cluster.admin(), settings.app());
    Awaitility.await().pollInterval(PAUSE).until(() -> {
      send(settings, partitions);
      for (int i = 0; i < LOOKS && !group.hasOpenTransaction(); i++) {}
      learner.stand();
      boolean open = isAlive() && group.hasOpenTransaction();
      if (!open) {
        learner.goOn();
      }
      return open;
    });
  }

  /** Commits events, behind some that are aborted. */
  private void send(LearnerSettings settings, int partitions) {
    producer.beginTransaction();
    write(settings.eventTopic(), partitions, PIECE / 10);
    producer.flush(); // so that aborted records really lie in the log
    producer.abortTransaction();
    producer.beginTransaction();
    write(settings.eventTopic(), partitions, PIECE);
    producer.commitTransaction();
    sent += PIECE;
  }

  private void write(String topic, int partitions, int count) {
    for (int i = 0; i < count; i++) {
      producer.send(new ProducerRecord<>(topic, i % partitions, null, event()));
    }
  }

  private byte[] event() {
    if (random.nextInt(50) == 0) {
      return new byte[random.nextInt(30)]; // unreadable
    }
    double[] values = random.doubles(CrashLearner.DIMENSION, -0.25, 0.25).toArray();
    return ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
  }

  /** In layout rounds, a round has the same number of offsets of every partition. */
  private long fullRounds(Layout layout, List<ConsumerRecord<byte[], byte[]>> events) {
    if (layout != Layout.ROUNDS) {
      return sent / CrashLearner.BATCH;
    }
    Map<Integer, Long> ends = new TreeMap<>();
    events.forEach(each -> ends.merge(each.partition(), each.offset() + 1, Math::max));
    return ends.values().stream().min(Long::compare).orElseThrow()
        / (CrashLearner.BATCH / ends.size());
  }

  private static List<ConsumerRecord<byte[], byte[]>> ledger(LearnerSettings settings) {
    String topic = Names.ledger(settings.app());
    return cluster.topics().contains(topic) ? Published.read(cluster.clients(), topic) : List.of();
  }
}
