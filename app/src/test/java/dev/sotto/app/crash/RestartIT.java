package dev.sotto.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.live.OrderReplay;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;

/**
 * A learner with histories of units is killed, and the next one goes on with the state that it
 * left on disk: at once, since it is the same member of the group, and without reading the
 * changelog from its beginning.
 */
class RestartIT {
  private static final int ROUNDS = 4;

  /** Whoever waited for the session of the member that was killed would lose patience. */
  private static final Duration SESSION = Duration.ofMinutes(10);

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration PAUSE = Duration.ofMillis(50);

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  Path folder;

  @Test
  void goesOnWithTheStateThatAKilledLearnerLeft() throws Exception {
    try (Cluster cluster = Cluster.shared()) {
      Properties config = config(cluster);
      LearnerSettings settings = CrashLearner.settings(config);
      cluster.createTopic(settings.eventTopic(), 1, Map.of());
      send(cluster, settings, 0, ROUNDS);
      LearnerProcess first = LearnerProcess.start(config, folder, "first");
      try {
        await(() -> first.isAlive(), () -> ledger(cluster, settings) == ROUNDS);
      } finally {
        first.kill();
      }
      send(cluster, settings, ROUNDS - 1, ROUNDS + 1); // units that are known, and others
      long histories = Published.read(
              cluster.clients(), Names.changelog(settings.app(), Names.UNITS))
          .size();
      assertThat(histories).isGreaterThan(ROUNDS * CrashLearner.BATCH);
      try (LearnerService next = CrashLearner.service(config)) {
        next.start();
        await(() -> next.failure() == null, () -> ledger(cluster, settings) == ROUNDS + 2);
        assertThat(restored()).isBetween(1L, histories / 2);
      }
      assertThat(Published.of(cluster.clients(), settings.app()).bytes())
          .isEqualTo(
              new OrderReplay(Published.read(cluster.clients(), settings.eventTopic()), List.of())
                  .bytes(settings));
    }
  }

  private Properties config(Cluster cluster) {
    Properties config = new Properties();
    config.putAll(cluster.clients());
    config.setProperty("app", "restarted");
    config.setProperty("layout", "DIRECT");
    config.setProperty("topic", "restarted-events");
    config.setProperty("rule", CrashLearner.Rule.BUDGET.name());
    config.setProperty("model.source", "CONSTANT");
    config.setProperty("state", folder.resolve("state").toString());
    config.setProperty("rocksdb", Integer.toString(1 << 20)); // memtables of 64 KiB
    config.setProperty("kafka.consumer.session.timeout.ms", Long.toString(SESSION.toMillis()));
    config.setProperty("kafka.metrics.recording.level", "DEBUG");
    return config;
  }

  /** Fills rounds, each with units of its own. */
  private static void send(Cluster cluster, LearnerSettings settings, int from, int to) {
    try (var producer = cluster.producer(Map.of("linger.ms", 5))) {
      for (int i = from * CrashLearner.BATCH; i < to * CrashLearner.BATCH; i++) {
        double[] values = new double[CrashLearner.DIMENSION];
        values[i % values.length] = 0.5;
        byte[] unit = ByteBuffer.allocate(Integer.BYTES).putInt(i).array();
        byte[] event = ExampleCodec.encodeDense(null, unit, values, i % 2, 1);
        producer.send(new ProducerRecord<>(settings.eventTopic(), 0, null, event));
      }
    }
  }

  private interface Condition {
    boolean holds() throws Exception;
  }

  private static void await(Condition always, Condition once) {
    Awaitility.await().pollInterval(PAUSE).atMost(PATIENCE).until(() -> {
      assertThat(always.holds()).isTrue();
      return once.holds();
    });
  }

  private static int ledger(Cluster cluster, LearnerSettings settings) {
    String topic = Names.ledger(settings.app());
    return cluster.topics().contains(topic)
        ? Published.read(cluster.clients(), topic).size()
        : 0;
  }

  /** Records that the tasks of this process have read from changelogs. */
  private static long restored() throws JMException {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    double sum = 0;
    for (ObjectName task : server.queryNames(
        new ObjectName("kafka.streams:type=stream-task-metrics,task-id=*,thread-id=restarted-*"),
        null)) {
      sum += (Double) server.getAttribute(task, "restore-total");
    }
    return (long) sum;
  }
}
