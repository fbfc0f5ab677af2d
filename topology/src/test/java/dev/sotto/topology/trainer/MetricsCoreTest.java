package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testing.Tier;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Metrics of windows through crashes, lost stores and the end of the budget. */
class MetricsCoreTest {
  private static final int RECORDS = 600;
  private static final int BATCH = 13;
  private static final int WINDOW = 4;

  private static Plan plan(double epsilon, double sigma) {
    return World.plan(
        Mechanisms.BINARY_TREE.make(),
        BATCH,
        epsilon,
        new Participation.Once(),
        GenerationSchedule.NONE,
        new PrivateMetrics(sigma, 2, 4, WINDOW));
  }

  private static World world(Plan plan, long checkpointSlots, long stateEvery) {
    return new World(World.settings(plan, checkpointSlots, stateEvery)).fill(RECORDS, 1, 11);
  }

  private static List<NoisyMetrics> windows(World world) {
    return world.committed.stream()
        .filter(each -> each.topic().equals("metrics"))
        .map(each -> Codecs.METRICS.decode(each.value()).noisy())
        .toList();
  }

  private static void assertContiguous(List<NoisyMetrics> windows) {
    long next = 1;
    for (NoisyMetrics window : windows) {
      assertThat(window.firstRound()).isEqualTo(next);
      next = window.lastRound() + 1;
    }
  }

  @Test
  void publishesTheSameWindowsUnderEveryScheduleOfFaults() {
    World undisturbed = world(plan(1e6, 2), 1000, 1).run();
    assertThat(windows(undisturbed)).hasSize(RECORDS / BATCH / WINDOW);
    assertContiguous(windows(undisturbed));
    for (int seed = 0; seed < Tier.choose(3, 20); seed++) {
      World broken = world(plan(1e6, 2), 40, 1 + seed % 6).runWithFaults(seed, 2 + seed % 30);
      assertThat(broken.published()).as("seed %d", seed).isEqualTo(undisturbed.published());
    }
  }

  /**
   * What was written but never committed may be seen by a reader that must not: it must not average
   * noise away.
   */
  @Test
  void neverShowsTwoPayloadsForTheSameWindowEvenUncommitted() {
    for (int seed = 0; seed < Tier.choose(3, 20); seed++) {
      World world = world(plan(1e6, 2), 40, 3).runWithFaults(seed, 10);
      Map<Long, byte[]> seen = new HashMap<>();
      for (World.Output output : world.everything) {
        if (output.topic().equals("metrics")) {
          long first = Codecs.METRICS.decode(output.value()).noisy().firstRound();
          byte[] before = seen.putIfAbsent(first, output.value());
          assertThat(before == null || Arrays.equals(before, output.value())).isTrue();
        }
      }
      assertThat(seen).hasSize(RECORDS / BATCH / WINDOW);
    }
  }

  @Test
  void publishesNoWindowTwiceWhereStoresWereLost() {
    List<String> expected = world(plan(1e6, 2), 1000, 1).run().published();
    World world = world(plan(1e6, 2), 1000, 5);
    world.restart();
    for (int i = 0; i < RECORDS / 2; i++) {
      world.step();
    }
    world.commit();
    world.heads.clear();
    world.arrays.clear();
    world.restart();
    while (world.step()) {
      continue;
    }
    world.commit();
    assertThat(world.published()).isEqualTo(expected);
  }

  /** A window may have noise of both keys: each round of its own. */
  @Test
  void goesOnInTheMiddleOfAWindowAfterARotation() {
    Plan plan = plan(1e6, 2);
    TrainerSettings old = World.settings(plan, 9, 3);
    byte[] secret = new byte[32];
    secret[0] = 1;
    NoiseKey second = NoiseKey.of(secret).withEarlier(List.of(old.key()));
    World world = new World(old).fill(RECORDS, 1, 11);
    world.restart();
    for (int i = 0; i < 30 * BATCH + 5; i++) {
      world.step();
    }
    world.commit();
    world.settings = new TrainerSettings(
        old.app(),
        new LearnerSettings.Run(plan, second, old.run().label()),
        old.source(),
        old.readTimeLimit(),
        old.cadence());
    world.runWithFaults(1, 20);
    Map<Long, String> keyIds = new HashMap<>();
    world.ledger().forEach(entry -> keyIds.put(entry.round(), entry.keyId()));
    assertThat(keyIds.get(29L)).isEqualTo(old.key().id());
    assertThat(keyIds.get(32L)).isEqualTo(second.id());
    ModelKeys keys =
        new ModelKeys(second, old.key().id(), round -> keyIds.getOrDefault(round, second.id()));
    assertThat(windows(world))
        .usingRecursiveComparison()
        .isEqualTo(replayed(
            ModelLearner.start(plan, keys, "model", RunName.ofNoApplication("1"), null), world));
  }

  private static List<NoisyMetrics> replayed(ModelLearner learner, World world) {
    Slot slot = new Slot(World.DIMENSION);
    World.Literal decoder = world.new Literal();
    List<NoisyMetrics> windows = new ArrayList<>();
    world.log.values().forEach(event -> {
      decoder.decode(event.key(), event.value(), slot);
      if (learner.fill(slot)) {
        learner.close().metrics().ifPresent(windows::add);
      }
    });
    return windows;
  }

  @Test
  void closesTheOpenWindowWithTheBudget() {
    // The sixth level of the tree, at round 32, is beyond it.
    double most = plan(1e6, 2).guarantee(31).epsilon();
    World world = world(plan(most, 2), 1000, 1).run();
    assertThat(world.ledger()).hasSize(31);
    List<NoisyMetrics> windows = windows(world);
    assertContiguous(windows);
    assertThat(windows.get(windows.size() - 1).lastRound()).isEqualTo(31);
    assertThat(windows.get(windows.size() - 1).slots()).isEqualTo(3 * BATCH);
    assertThat(windows.get(windows.size() - 1).noiseStd()).isEqualTo(2 * Math.sqrt(3));
  }

  @Test
  void writesLedgersThatPromiseNothingWhereMetricsAreExact() {
    World world = world(plan(Double.POSITIVE_INFINITY, 0), 1000, 1).run();
    LedgerChecker checker = new LedgerChecker();
    long offset = 0;
    for (World.Output output : world.committed) {
      if (output.topic().equals("ledger")) {
        LedgerEntry entry = checker.accept(0, offset++, output.value());
        assertThat(entry.guarantee().epsilon()).isInfinite();
        assertThat(entry.guarantee().mu()).isInfinite();
        assertThat(entry.budgetEpsilon()).isInfinite();
        assertThat(entry.epsilonLeft()).isZero();
        assertThat(entry.terms().metricsRatio()).isInfinite();
        assertThat(entry.last()).isFalse();
      }
    }
    assertThat(offset).isEqualTo(RECORDS / BATCH);
    assertThat(checker.faults()).isEmpty();
    assertThat(windows(world)).allMatch(each -> each.noiseStd() == 0);
  }
}
