package dev.sotto.replay.cluster;

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

/** Metrics of windows, where stores are lost, keys rotated and budgets end. */
class MetricsCoreTest {
  private static final int RECORDS = 600;
  private static final int BATCH = 13;
  private static final int WINDOW = 4;

  private static Plan plan(double epsilon, double sigma) {
    return SmallLearner.plan(
        Mechanisms.BINARY_TREE.make(),
        BATCH,
        epsilon,
        new Participation.Once(),
        GenerationSchedule.NONE,
        new PrivateMetrics(sigma, 2, 4, WINDOW));
  }

  private static OnePartition partition(Plan plan, long checkpointSlots, long stateEvery) {
    return new OnePartition(SmallLearner.settings(plan, checkpointSlots, stateEvery))
        .fill(RECORDS, 1, 11);
  }

  private static List<NoisyMetrics> windows(OnePartition partition) {
    return partition.committed.stream()
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

  /** FaultSchedulesTest has them under faults. */
  @Test
  void publishesAWindowEveryFewRounds() {
    OnePartition undisturbed = partition(plan(1e6, 2), 1000, 1).run();
    assertThat(windows(undisturbed)).hasSize(RECORDS / BATCH / WINDOW);
    assertContiguous(windows(undisturbed));
  }

  /**
   * What was written but never committed may be seen by a reader that must not: it must not average
   * noise away.
   */
  @Test
  void neverShowsTwoPayloadsForTheSameWindowEvenUncommitted() {
    for (int seed = 0; seed < Tier.choose(3, 20); seed++) {
      OnePartition partition = partition(plan(1e6, 2), 40, 3).runWithFaults(seed, 10);
      Map<Long, byte[]> seen = new HashMap<>();
      for (OnePartition.Output output : partition.everything) {
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
    List<String> expected = partition(plan(1e6, 2), 1000, 1).run().published();
    OnePartition partition = partition(plan(1e6, 2), 1000, 5);
    partition.go(RECORDS / 2);
    partition.loseStores();
    assertThat(partition.run().published()).isEqualTo(expected);
  }

  /** A window may have noise of both keys: each round of its own. */
  @Test
  void goesOnInTheMiddleOfAWindowAfterARotation() {
    Plan plan = plan(1e6, 2);
    LearnerSettings old = SmallLearner.settings(plan, 9, 3);
    byte[] secret = new byte[32];
    secret[0] = 1;
    NoiseKey second = NoiseKey.of(secret).withEarlier(List.of(old.key()));
    OnePartition partition = new OnePartition(old).fill(RECORDS, 1, 11);
    partition.go(30 * BATCH + 5);
    partition.settings = old.with(second);
    partition.runWithFaults(1, 20);
    Map<Long, String> keyIds = new HashMap<>();
    partition.ledger().forEach(entry -> keyIds.put(entry.round(), entry.keyId()));
    assertThat(keyIds.get(29L)).isEqualTo(old.key().id());
    assertThat(keyIds.get(32L)).isEqualTo(second.id());
    ModelKeys keys =
        new ModelKeys(second, old.key().id(), round -> keyIds.getOrDefault(round, second.id()));
    assertThat(windows(partition))
        .usingRecursiveComparison()
        .isEqualTo(replayed(
            ModelLearner.start(plan, keys, "model", new RunName(SmallLearner.APP, "1"), null),
            partition));
  }

  private static List<NoisyMetrics> replayed(ModelLearner learner, OnePartition partition) {
    Slot slot = new Slot(SmallLearner.DIMENSION);
    LiteralDecoder decoder = new LiteralDecoder(SmallLearner.DIMENSION);
    List<NoisyMetrics> windows = new ArrayList<>();
    partition.log.values().forEach(event -> {
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
    OnePartition partition = partition(plan(most, 2), 1000, 1).run();
    assertThat(partition.ledger()).hasSize(31);
    List<NoisyMetrics> windows = windows(partition);
    assertContiguous(windows);
    assertThat(windows.get(windows.size() - 1).lastRound()).isEqualTo(31);
    assertThat(windows.get(windows.size() - 1).slots()).isEqualTo(3 * BATCH);
    assertThat(windows.get(windows.size() - 1).noiseStd()).isEqualTo(2 * Math.sqrt(3));
  }

  @Test
  void writesLedgersThatPromiseNothingWhereMetricsAreExact() {
    OnePartition partition =
        partition(plan(Double.POSITIVE_INFINITY, 0), 1000, 1).run();
    LedgerChecker checker = new LedgerChecker();
    long offset = 0;
    for (OnePartition.Output output : partition.committed) {
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
    assertThat(windows(partition)).allMatch(each -> each.noiseStd() == 0);
  }
}
