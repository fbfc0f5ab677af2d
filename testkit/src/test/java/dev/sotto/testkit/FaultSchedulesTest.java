package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Every layout and both algorithms under crashes, aborted transactions and rebalances: always the
 * same bytes.
 */
class FaultSchedulesTest {
  private static final String[] EVERY_ROUND = {"release.every.slots=1"};

  @TempDir
  Path folder;

  /** Schedules of each case. */
  int each() {
    return 2;
  }

  /** Over how many partitions. */
  int[] partitions() {
    return new int[] {1, 3};
  }

  /** Events behind each of which there is a fault of each kind. */
  int events() {
    return 20;
  }

  private LearnerSettings settings(
      String layout, String algorithm, int partitions, String... more) {
    String ids = layout.equals("direct") && partitions > 1 ? "partition" : "constant";
    return Learners.of(
        folder,
        Learners.and(
            Learners.and(Learners.algorithm(algorithm), Learners.and(EVERY_ROUND, more)),
            "layout=" + layout,
            "model.id.source=" + ids,
            "batch.size=" + (layout.equals("direct") ? 6 : 6 * partitions)));
  }

  /** Over one partition, and over several. */
  @ParameterizedTest
  @CsvSource({
    "direct, private-ftrl", "direct, accelerated-dp-srgd",
    "ordered, private-ftrl", "ordered, accelerated-dp-srgd",
    "rounds, private-ftrl", "rounds, accelerated-dp-srgd"
  })
  void publishTheSameBytes(String layout, String algorithm) {
    int crashes = 0;
    int aborts = 0;
    int rebalances = 0;
    for (int partitions : partitions()) {
      FaultSchedules.Summary summary = FaultSchedules.of(
              settings(layout, algorithm, partitions), Learners.events(partitions, 70, partitions))
          .seeds(Seed.of(1000L * partitions), each())
          .assertSameOutput();
      assertThat(summary.rounds()).as("rounds over %d partitions", partitions).isGreaterThan(4);
      crashes += summary.crashes();
      aborts += summary.aborts();
      rebalances += summary.rebalances();
    }
    int schedules = partitions().length * each(); // few may have less, once in 10^6 runs none
    assertThat(crashes).isPositive().isGreaterThan(3 * schedules / 2 - 20);
    assertThat(aborts).isGreaterThan(3 * schedules / 4 - 20);
    assertThat(rebalances).isGreaterThan(3 * schedules / 4 - 20);
  }

  /**
   * Of which one has nearly all events and another none. Nothing waits for a slow one but rounds,
   * which need as many of each.
   */
  @ParameterizedTest
  @CsvSource({
    "direct, private-ftrl, '200 20 0'",
    "ordered, private-ftrl, '200 20 0'",
    "ordered, private-ftrl, '0 20 200'",
    "ordered, accelerated-dp-srgd, '20 200 0'",
    "ordered, private-ftrl, '200 1 0 1'",
    "rounds, private-ftrl, '200 60 200'"
  })
  void publishTheSameBytesOfUnequalPartitions(String layout, String algorithm, String offsets) {
    int[] all = Arrays.stream(offsets.split(" ")).mapToInt(Integer::parseInt).toArray();
    LearnerSettings settings = settings(layout, algorithm, all.length);
    InMemoryRecording events = Learners.lopsided(3, all);
    FaultSchedules.Summary summary =
        FaultSchedules.of(settings, events).seeds(Seed.of(27), each()).assertSameOutput();
    long batch = settings.plan().batch();
    List<RecordedRange> ranges = events.header().ranges();
    long total = ranges.stream().mapToLong(RecordedRange::records).sum();
    long shortest =
        ranges.stream().mapToLong(each -> each.to() - each.from()).min().orElseThrow();
    long rounds = settings.layout().readsEvents()
        ? ranges.stream().mapToLong(each -> each.records() / batch).sum()
        : settings.layout().sumsParts()
            ? shortest / (batch / all.length) // a slot for every offset
            : total / batch;
    assertThat(summary.rounds()).isEqualTo((int) rounds).isGreaterThan(6);
    assertThat(summary.crashes()).isGreaterThanOrEqualTo(Math.max(0, each() - 10));
  }

  /** Everything else that is kept over a restart. */
  @ParameterizedTest
  @CsvSource({
    "direct, 'privacy.unit=key unit.from=key privacy.mechanism=blt'",
    "ordered, 'privacy.unit=key unit.from=key privacy.mechanism=blt'",
    "ordered, 'state.every.rounds=3'",
    "ordered, 'candidates.a.ftrl.steps=decreasing candidates.b.ftrl.steps=auto metrics.share=0.1'",
    "direct, 'candidates.a.ftrl.radius=2 candidates.b.ftrl.radius=1 state.every.rounds=3'",
    "direct, 'candidates.a.ftrl.radius=2 candidates.b.ftrl.radius=1 privacy.unit=key unit.from=key"
        + " privacy.mechanism=blt'",
    "rounds, 'state.every.rounds=3 rounds.lag=1'",
    "rounds, 'metrics.share=0.1 metrics.window.rounds=2'",
    "direct, 'metrics.share=0.1 metrics.window.rounds=2 model.id.source=key'",
    "direct, 'privacy.generations=doubling privacy.generations.rounds=2'"
  })
  void publishTheSameBytesWhateverIsKept(String layout, String more) {
    int partitions = layout.equals("direct") ? 1 : 3;
    LearnerSettings settings = settings(layout, "private-ftrl", partitions, more.split(" "));
    FaultSchedules.Summary summary = FaultSchedules.of(settings, Learners.events(partitions, 90, 5))
        .seeds(Seed.of(7), each())
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(4);
    assertThat(summary.crashes()).isGreaterThanOrEqualTo(Math.max(0, each() - 10));
  }

  /** The state of every mechanism, and histories of units under every rule. */
  @ParameterizedTest
  @CsvSource({
    "'privacy.mechanism=independent'",
    "'privacy.mechanism=laplace'",
    "'privacy.mechanism=blt state.every.rounds=3'",
    "'privacy.contribution=first-of-id unit.from=key'",
    "'privacy.contribution=first-of-id unit.from=key privacy.mechanism=blt"
        + " privacy.generations=doubling privacy.generations.rounds=2'",
    "'privacy.unit=key unit.from=key privacy.mechanism=blt privacy.contribution=schedule"
        + " privacy.contribution.most=3 privacy.contribution.separation=4'",
    "'privacy.unit=key unit.from=key privacy.mechanism=independent privacy.contribution=schedule"
        + " privacy.contribution.most=5 privacy.contribution.separation=2"
        + " privacy.generations=constant privacy.generations.rounds=3 metrics.share=0.1'",
    "'privacy.unit=key unit.from=key privacy.mechanism=independent state.every.rounds=4'",
    "'privacy.unit=key unit.from=key privacy.mechanism=independent privacy.generations=constant"
        + " privacy.generations.rounds=3 metrics.share=0.1'"
  })
  void publishTheSameBytesUnderEveryMechanismAndRule(String more) {
    LearnerSettings settings = Learners.ofAnyMechanism(
        folder, Learners.and(Learners.and(EVERY_ROUND, more.split(" ")), "batch.size=6"));
    FaultSchedules.Summary summary = FaultSchedules.of(settings, Learners.events(1, 90, 5))
        .seeds(Seed.of(7), each())
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(4);
  }

  /** More weights than features, and points that a state must keep. */
  @ParameterizedTest
  @CsvSource({
    "private-ftrl, 'loss=softmax loss.classes=2'",
    "accelerated-dp-srgd, 'loss=softmax loss.classes=3'",
    "accelerated-dp-srgd, 'loss=network network.hidden=3 network.output=softmax loss.classes=2'"
  })
  void publishTheSameBytesOfSeveralScores(String algorithm, String more) {
    LearnerSettings settings = settings("direct", algorithm, 1, more.split(" "));
    FaultSchedules.Summary summary = FaultSchedules.of(settings, Learners.events(1, 90, 5))
        .seeds(Seed.of(7), each())
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(4);
  }

  /** More models than the heap has room for, or than there may be. */
  @ParameterizedTest
  @CsvSource({
    "1, 'privacy.mechanism=binary-tree'",
    "1, 'privacy.mechanism=blt privacy.unit=key unit.from=key state.every.rounds=3'",
    "1000000000, 'models.most=3'"
  })
  void publishTheSameBytesOfModelsThatTakeTurns(long modelBytes, String more) {
    LearnerSettings roomy = Learners.ofAnyMechanism(
        folder,
        Learners.and(
            Learners.and(EVERY_ROUND, more.split(" ")), "model.id.source=key", "batch.size=4"));
    Cadence usual = roomy.cadence();
    LearnerSettings narrow = new LearnerSettings(
        roomy.app(),
        roomy.layout(),
        roomy.events(),
        roomy.run(),
        new Cadence(
            usual.checkpointSlots(), usual.checkpointInterval(), usual.stateEvery(), modelBytes),
        roomy.encryption());
    FaultSchedules.Summary summary = FaultSchedules.of(narrow, Learners.events(1, 120, 5))
        .seeds(Seed.of(7), each())
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(4);
  }

  /** Versions of several rounds, cut by slots, by log time, by generations, or by whole windows. */
  @ParameterizedTest
  @CsvSource({
    "direct, 'release.every.slots=20'",
    "direct, 'release.every.slots=20 state.every.rounds=9'",
    "direct, 'release.every.slots=35 release.interval.ms=25'",
    "direct, 'release.every.slots=20 privacy.generations=doubling privacy.generations.rounds=2'",
    "direct, 'release.every.slots=20 privacy.unit=key unit.from=key privacy.mechanism=blt'",
    "direct, 'release.every.slots=20 release.interval.ms=30 model.id.source=key'",
    "direct, 'release.every.slots=13 metrics.share=0.1 metrics.window.rounds=5'",
    "direct, 'release.every.slots=20 release.interval.ms=40 model.id.source=key privacy.unit=key"
        + " unit.from=key privacy.mechanism=blt privacy.generations=constant"
        + " privacy.generations.rounds=4 metrics.share=0.1 metrics.window.rounds=3'",
    "direct, 'release.every.slots=1000000'",
    "ordered, 'release.every.slots=50'",
    "ordered, 'release.every.slots=50 state.every.rounds=7'",
    "ordered, 'release.every.slots=500 release.interval.ms=30'",
    "rounds, 'release.every.slots=54'",
    "rounds, 'release.every.slots=50 rounds.lag=1 state.every.rounds=5'",
    "rounds, 'release.every.slots=40 metrics.share=0.1 metrics.window.rounds=2'"
  })
  void publishTheSameVersionsOfSeveralRounds(String layout, String more) {
    int partitions = layout.equals("direct") ? 1 : 3;
    boolean never = more.contains("1000000");
    LearnerSettings settings = settings(layout, "private-ftrl", partitions, more.split(" "));
    FaultSchedules.Summary summary = FaultSchedules.of(settings, Learners.events(partitions, 90, 5))
        .seeds(Seed.of(17), each())
        .assertSameOutput();
    if (never) {
      assertThat(summary.rounds()).isZero();
    } else {
      assertThat(summary.rounds()).isGreaterThan(4);
    }
    assertThat(summary.crashes()).isGreaterThanOrEqualTo(Math.max(0, each() - 10));
  }

  @ParameterizedTest
  @CsvSource({"direct, 1", "ordered, 3", "rounds, 3"})
  void publishTheSameBytesUnderEncryption(String layout, int partitions) {
    settings(layout, "private-ftrl", partitions); // makes the keys
    LearnerSettings settings = settings(
        layout, "private-ftrl", partitions, "encryption.key.file=" + folder.resolve("keyset.json"));
    FaultSchedules.of(settings, Learners.events(partitions, 60, 6))
        .seeds(Seed.of(0), each())
        .assertSameOutput();
  }

  /**
   * The budget ends it: what was paid for is published, the last version says so, and nothing comes
   * behind it.
   */
  @ParameterizedTest
  @CsvSource({"direct, 1, 0", "ordered, 3, 0", "rounds, 2, 0", "rounds, 2, 1"})
  void stopAtTheBudget(String layout, int partitions, int lag) {
    String[] lags = layout.equals("rounds") ? new String[] {"rounds.lag=" + lag} : new String[0];
    double afterFive =
        settings(layout, "private-ftrl", partitions, lags).plan().guarantee(5).epsilon();
    LearnerSettings poor = settings(
        layout,
        "private-ftrl",
        partitions,
        Learners.and(lags, "privacy.epsilon=" + afterFive * 1.000001));
    int allowed = 0;
    while (poor.plan().allows(allowed + 1)) {
      allowed++;
    }
    InMemoryRecording events = Learners.events(partitions, 100, 11);
    FaultSchedules.Summary summary =
        FaultSchedules.of(poor, events).seeds(Seed.of(0), each()).assertSameOutput();
    assertThat(summary.rounds()).isEqualTo(allowed).isBetween(5, 12);
    Replay.Result result = new Replay(poor, events).run(new OutputListener() {});
    assertThat(result.newest().get("model").last()).isTrue();
    assertThat(result.newest().get("model").round()).isEqualTo(allowed);
  }

  /** A decoder that is no function of the record: after a crash it says something else. */
  @ParameterizedTest
  @CsvSource({"direct, 1", "rounds, 2"})
  void noticeADecoderWithState(String layout, int partitions) {
    LearnerSettings settings = settings(layout, "private-ftrl", partitions);
    AtomicInteger calls = new AtomicInteger();
    EventDecoder honest = settings.decoder().get();
    EventDecoder forgetful = new EventDecoder() {
      @Override
      public int dimension() {
        return honest.dimension();
      }

      @Override
      public RecordStatus decode(byte[] key, byte[] value, Slot into) {
        RecordStatus status = honest.decode(key, value, into);
        if (status == RecordStatus.USED && calls.getAndIncrement() % 5 == 0) {
          into.example().label(1 - into.example().label());
        }
        return status;
      }
    };
    FaultSchedules schedules =
        FaultSchedules.of(settings.with(() -> forgetful), Learners.events(partitions, 70, 7));
    assertThatThrownBy(() -> schedules.seeds(0, 5).assertSameOutput())
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("the schedule of seed ");
  }

  /** A fault of each kind behind every single record that any task takes. */
  @ParameterizedTest
  @CsvSource({
    "direct, 1, private-ftrl",
    "ordered, 2, private-ftrl",
    "rounds, 2, private-ftrl",
    "rounds, 2, accelerated-dp-srgd"
  })
  void publishTheSameBytesWhereverAFaultComes(String layout, int partitions, String algorithm) {
    FaultSchedules.Summary summary = FaultSchedules.of(
            settings(layout, algorithm, partitions),
            Learners.events(partitions, events() / partitions, 9))
        .assertSameOutputForEachFault();
    assertThat(summary.schedules()).isGreaterThan(events());
    assertThat(summary.crashes()).isBetween(summary.schedules() / 5, summary.schedules() / 2);
    assertThat(summary.aborts()).isGreaterThanOrEqualTo(summary.schedules() / 5);
    assertThat(summary.rebalances()).isPositive();
  }

  /** Without faults a schedule is but another order. */
  @Test
  void agreeWithoutFaults() {
    LearnerSettings settings = settings("rounds", "private-ftrl", 3);
    assertThat(settings.layout()).isEqualTo(Layout.ROUNDS);
    FaultSchedules.Summary summary = FaultSchedules.of(settings, Learners.events(3, 70, 8))
        .faults(seed -> FaultRates.none())
        .seeds(Seed.of(0), each())
        .assertSameOutput();
    assertThat(summary.crashes() + summary.aborts() + summary.rebalances()).isZero();
  }
}
