package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OpenRound;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.log.ForwardingLogs;
import dev.sotto.topology.log.KafkaLogs;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** 2^20 weights on a broker with default limits. */
class LargeModelIT {
  private static final int WEIGHTS = LargeModel.WEIGHTS;
  private static final long SMALL = 64 << 10;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir
  Path folder;

  /**
   * What a version promises: noisy sums, a whole snapshot, and little else, whatever its rounds.
   * The noise is written once: four rounds later it can be drawn again.
   */
  @Test
  void writesAStateAndASnapshotWithEveryVersionAndLittleElse() {
    int rounds = 8;
    int every = 4;
    long sums = 26L * WEIGHTS / 8; // or 24; the noise of so few rounds is drawn again
    long snapshot = (long) Double.BYTES * WEIGHTS;
    try (Cluster cluster = Cluster.shared()) {
      LargeModel model = new LargeModel(
          "cadence",
          Layout.DIRECT,
          Mechanisms.BLT,
          new LargeModel.Rounds(4, every),
          LargeModel.cadence(1000, 1),
          folder.resolve("cadence"),
          cluster.clients());
      cluster.createTopic(model.topic());
      cluster.send(model.topic(), LargeModel.events(4 * rounds, 1));
      try (LearnerService service = model.start()) {
        awaitVersions(model, service, rounds / every);
        Map<String, Long> sent = model.sent();
        assertThat(sent.get("learner-changelog"))
            .isBetween(rounds / every * 3L * WEIGHTS, rounds / every * (sums + SMALL));
        assertThat(sent.get("snapshots"))
            .isBetween(rounds / every * snapshot, rounds / every * (snapshot + SMALL));
        assertThat(sent.get("heads-changelog")).isLessThan(rounds * SMALL);
        assertThat(sent.values().stream().mapToLong(each -> each).sum())
            .isLessThan(rounds * (sums / every + snapshot / every + 2 * SMALL));
      }
      assertThat(Published.of(cluster.clients(), "cadence").models())
          .extracting(each -> each.manifest().version())
          .containsExactly(4L, 8L);
    }
  }

  /** Stopped inside a round that has a checkpoint, and started again where no state is. */
  @Tag("long")
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ORDERED"})
  void goesOnInsideARoundWithTheSameBits(Layout layout) {
    List<byte[]> events = LargeModel.events(32, 2);
    try (Cluster cluster = Cluster.shared()) {
      LargeModel model = new LargeModel(
          "open",
          layout,
          Mechanisms.BLT,
          new LargeModel.Rounds(8, 1),
          LargeModel.cadence(3, 2),
          folder.resolve("first"),
          cluster.clients());
      cluster.createTopic(model.topic());
      cluster.send(model.topic(), events.subList(0, 20));
      try (LearnerService service = model.start()) {
        awaitVersions(model, service, 2);
        Awaitility.await().atMost(PATIENCE).until(() -> open(cluster).isPresent());
      }
      OpenRound open = open(cluster).orElseThrow();
      assertThat(open.round()).isEqualTo(2);
      long pages = sizes(cluster, "learner", "open/").values().stream()
          .mapToLong(each -> each)
          .sum();
      assertThat(
              pages) // a few pages in several checkpoints, 12 bytes a coordinate that was touched
          .isBetween(12L * 2 * LargeModel.FILLED, SMALL);
      cluster.send(model.topic(), events.subList(20, 32));
      List<Long> readAgain = new CopyOnWriteArrayList<>();
      LargeModel moved = model.withFolder(folder.resolve("second"));
      try (LearnerService service = moved.start(new Watched(readAgain))) {
        awaitVersions(moved, service, 4);
      }
      assertThat(readAgain.get(0)).isEqualTo(open.position());
      Published published = Published.of(cluster.clients(), "open");
      assertThat(published.ledger())
          .extracting(LedgerEntry::snapshotDigest)
          .containsExactlyElementsOf(model.expectedDigests(events));
      assertThat(published.models()).hasSize(4).allSatisfy(each -> {
        assertThat(each.weights()).hasSize(WEIGHTS);
        assertThat(each.manifest().chunks()).isEqualTo(16);
      });
      assertThat(Published.read(cluster.clients(), Names.snapshots("open")))
          .hasSize(4 * 17) // a release is always whole
          .allSatisfy(record -> assertThat(record.serializedValueSize()).isLessThan(513 * 1024));
      assertThat(sizes(cluster, "learner", "").values())
          .allSatisfy(size -> assertThat(size).isLessThan(257 << 10));
    }
  }

  /** The last committed checkpoint of a round that is still open. */
  private static Optional<OpenRound> open(Cluster cluster) {
    OpenRound last = null;
    for (var record : Published.read(cluster.clients(), "open-heads-changelog")) {
      if (new String(record.key(), StandardCharsets.UTF_8).equals("open/model")) {
        last = record.value() == null ? null : Codecs.OPEN_ROUND.decode(record.value());
      }
    }
    return Optional.ofNullable(last);
  }

  /** The largest value of each key that begins so, in a changelog. */
  private static Map<String, Integer> sizes(Cluster cluster, String store, String beginning) {
    Map<String, Integer> sizes = new HashMap<>();
    for (var record : Published.read(cluster.clients(), "open-" + store + "-changelog")) {
      String key = new String(record.key(), StandardCharsets.UTF_8);
      if (key.startsWith(beginning)) {
        sizes.merge(key, record.value() == null ? 0 : record.value().length, Math::max);
      }
    }
    return sizes;
  }

  private static void awaitVersions(LargeModel model, LearnerService service, int versions) {
    Awaitility.await().atMost(PATIENCE).pollInterval(Duration.ofMillis(200)).untilAsserted(() -> {
      assertThat(service.failure()).isNull();
      assertThat(Published.read(model.clients(), Names.ledger(model.app())))
          .hasSizeGreaterThanOrEqualTo(versions);
    });
  }

  /** Kafka's logs; it remembers from where slots were read again. */
  private static final class Watched extends ForwardingLogs {
    private final List<Long> from;

    Watched(List<Long> from) {
      super(new KafkaLogs(Duration.ofSeconds(10)));
      this.from = from;
    }

    @Override
    public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
      SlotLog slots = super.source(config, topic, reading);
      return topic.endsWith(".order") ? slots : watched(slots);
    }

    @Override
    public SlotLog events(Map<String, Object> config, String topic, SourceReading reading) {
      return watched(super.events(config, topic, reading));
    }

    private SlotLog watched(SlotLog slots) {
      return (partition, begin, to) -> {
        from.add(begin);
        return slots.read(partition, begin, to);
      };
    }
  }
}
