package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.ServiceSettings;
import dev.sotto.topology.status.LifecyclePhase;
import dev.sotto.topology.status.ModelStatus;
import dev.sotto.topology.status.ThreadStatus;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Two instances of two threads, and a model in each of four partitions: each is told of where its
 * task runs.
 */
class MonitoringMoveIT {
  private static final int PARTITIONS = 4;

  @TempDir
  Path folder;

  private LearnerService service(Trial trial, String name) {
    LearnerSettings settings = new LearnerSettings(
        trial.app(),
        Layout.DIRECT,
        new LearnerSettings.Events(
            trial.topic(),
            new ModelIdRule(ModelIdRule.Source.PARTITION, "m"),
            trial.learner().decoder()),
        new LearnerSettings.Run(trial.plan(), NoiseKey.of(trial.key()), "1"),
        Cadence.everyVersion());
    ServiceSettings where = new ServiceSettings(
        trial.clients(),
        folder.resolve(name),
        new ServiceSettings.FirstStart((short) 1, false, Duration.ofDays(1)),
        2,
        Duration.ofSeconds(10));
    return new LearnerService(settings, where);
  }

  /** The same number of events to each partition. */
  private static void send(Cluster cluster, String topic, int each) {
    try (var producer = cluster.producer(Map.of())) {
      List<byte[]> events = Trial.events(each, Seed.random(each).nextLong());
      for (int partition = 0; partition < PARTITIONS; partition++) {
        for (byte[] event : events) {
          producer.send(new ProducerRecord<>(topic, partition, null, event));
        }
      }
      producer.flush();
    }
  }

  private static Map<String, Long> rounds(LearnerService service) {
    return service.status().models().stream()
        .collect(Collectors.toMap(
            ModelStatus::modelId, ModelStatus::round, (one, other) -> -1L, TreeMap::new));
  }

  private static int activeTasks(LearnerService service) {
    return service.threads().stream().mapToInt(ThreadStatus::activeTasks).sum();
  }

  private static Map<String, Long> all(long round) {
    return IntStream.range(0, PARTITIONS)
        .boxed()
        .collect(Collectors.toMap(p -> "m-" + p, p -> round, (one, other) -> -1L, TreeMap::new));
  }

  private static void await(Runnable assertions) {
    Awaitility.await()
        .atMost(Trial.PATIENCE.multipliedBy(2))
        .pollInterval(Duration.ofMillis(100))
        .untilAsserted(assertions::run);
  }

  @Test
  void tellsOfAModelWhereItsTaskRuns() {
    try (Cluster cluster = Cluster.shared()) {
      Trial trial = Trial.of("moving", folder, cluster.clients());
      cluster.createTopic(trial.topic(), PARTITIONS, Map.of());
      LearnerService first = service(trial, "first");
      try (LearnerService second = service(trial, "second")) {
        first.start();
        await(() -> assertThat(first.threads()) // else one of them may learn everything
            .hasSize(2)
            .allMatch(each -> each.activeTasks() == 2));
        send(cluster, trial.topic(), 10);
        await(() -> assertThat(rounds(first)).isEqualTo(all(2)));
        assertThat(first.threads()).hasSize(2);
        assertThat(first.status().transactions()).hasSize(2);
        assertThat(first.status().roundsCommitted()).isEqualTo(2 * PARTITIONS);

        second.start();
        await(() -> {
          assertThat(second.phase()).isEqualTo(LifecyclePhase.RUNNING);
          assertThat(first.phase()).isEqualTo(LifecyclePhase.RUNNING);
          assertThat(activeTasks(first)).isEqualTo(2);
          assertThat(activeTasks(second)).isEqualTo(2);
          Map<String, Long> both = rounds(first);
          assertThat(both).hasSize(2);
          both.putAll(rounds(second)); // told from restored state: no record has come yet
          assertThat(both).isEqualTo(all(2));
        });
        Set<String> moved = rounds(second).keySet();
        send(cluster, trial.topic(), 4);
        await(() -> {
          Map<String, Long> both = rounds(first);
          both.putAll(rounds(second));
          assertThat(both).isEqualTo(all(3));
          assertThat(rounds(second).keySet()).isEqualTo(moved);
        });
        assertThat(second.status().roundsCommitted()).isEqualTo(2);

        first.close();
        await(() -> assertThat(rounds(second)).isEqualTo(all(3)));
        assertThat(first.status().models()).isEmpty();
      } finally {
        first.close();
      }
    }
  }
}
