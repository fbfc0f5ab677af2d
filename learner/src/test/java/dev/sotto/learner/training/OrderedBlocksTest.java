package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.BlockOptimizer;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassAlgorithm;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.InMemoryHistories;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.release.HeapTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Blocks whose slots move a point, one after the other. */
class OrderedBlocksTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final byte[] PLACE = {3};
  private static final PathNoise NOISE =
      new PathNoise(2, 2, 0.1, List.of(new Phase(7, 0.4), new Phase(5, 0.1)));

  private static Plan plan(Consumer<TestPlans> more) {
    return TestPlans.plan(b -> {
      b.batch = 12;
      b.mechanism = NOISE;
      b.optimizer = new BlockOptimizer(new OnePassAlgorithm(NOISE, 1));
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      more.accept(b);
    });
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label");
  }

  /** Stopped at every slot, and with a sum that is partly of absent ones. */
  @Test
  void givesTheSameBitsWhereverItIsStopped() {
    Plan plan = plan(b -> {});
    ModelLearner whole = start(plan);
    List<ClosedRound> expected = Streams.feed(whole, Streams.mixed(0, 9, 2));
    assertThat(expected).isEmpty();
    assertThat(whole.fillAbsent(3)).isTrue();
    expected.add(whole.close());
    expected.addAll(Streams.feed(whole, Streams.mixed(12, 24, 2)));
    assertThat(expected).hasSize(2);
    ModelLearner learner = start(plan);
    List<ClosedRound> rounds = new ArrayList<>();
    HeapTable pages = new HeapTable();
    while (rounds.size() < 2) {
      byte[] open = learner.sealOpen(PLACE, pages, 16);
      ModelLearner resumed = ModelLearner.resume(plan, KEY, "model", "label", learner.state());
      if (learner.openSlots() > 0) {
        resumed.resumeOpen(open, PLACE, pages);
      }
      learner = resumed;
      int place = (int) (learner.round() * 12 + learner.nextSlot());
      boolean absent = place >= 9 && place < 12;
      if (absent ? learner.fillAbsent(1) : learner.fill(Streams.mixed(place, 2))) {
        rounds.add(learner.close());
      }
    }
    for (int i = 0; i < 2; i++) {
      assertThat(rounds.get(i).weights()).containsExactly(expected.get(i).weights());
    }
    // The twin: the order of two slots is seen.
    ModelLearner other = start(plan);
    List<Slot> swapped = Streams.mixed(0, 9, 2);
    swapped.add(0, swapped.remove(1));
    Streams.feed(other, swapped);
    other.fillAbsent(3);
    assertThat(other.close().weights()).isNotEqualTo(expected.get(0).weights());
  }

  /** Nearly without noise: averages of the points before each step, phase by phase. */
  @Test
  void learnsFromAveragesOfThePath() {
    Plan plan = plan(b -> b.sigma = 1e-7);
    ModelLearner learner = start(plan);
    double[] x = {0, 0};
    for (int block = 0; block < 3; block++) {
      ClosedRound closed = null;
      double[] y = x.clone();
      double[] sum = {0, 0};
      for (int i = 0; i < 12; i++) {
        Slot slot =
            i == 4 ? Streams.empty(2, RecordStatus.UNREADABLE) : Streams.used(i % 2, 0.3 * i, 1);
        sum[0] += y[0];
        sum[1] += y[1];
        if (i != 4) {
          double norm = Math.hypot(0.3 * i, 1);
          double slope = 1 / (1 + Math.exp(-0.3 * i * y[0] - y[1])) - i % 2;
          double cut = Math.max(-1 / norm, Math.min(1 / norm, slope));
          double eta = Math.min(i < 7 ? 0.4 : 0.1, 8 / (norm * norm));
          y[0] -= eta * cut * 0.3 * i;
          y[1] -= eta * cut;
          double length = Math.hypot(y[0], y[1]);
          if (length > 2) {
            y = new double[] {2 * y[0] / length, 2 * y[1] / length};
          }
        }
        if (i == 6 || i == 11) {
          int slots = i == 6 ? 7 : 5;
          x = new double[] {sum[0] / slots, sum[1] / slots};
          y = x.clone();
          sum = new double[2];
        }
        if (learner.fill(slot)) {
          closed = learner.close();
        }
      }
      assertThat(closed.weights()[0]).isCloseTo(x[0], within(1e-6)); // the noise is 4e-8
      assertThat(closed.weights()[1]).isCloseTo(x[1], within(1e-6));
    }
  }

  @Test
  void costsOneParticipation() {
    Plan plan = plan(b -> {});
    assertThat(plan.mu(1)).isEqualTo(0.25); // s / sigma
    assertThat(plan.mu(1000)).isEqualTo(0.25);
    Plan keyed = plan(b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(4, 1));
    });
    assertThat(keyed.mu(9)).isCloseTo(0.5, within(1e-12));
  }

  @Test
  void letsAUnitIntoOneSlotOfABlock() {
    Plan keyed = plan(b -> {
      b.unit = PrivacyUnit.KEY;
      b.participation = new Participation.Scheduled(new ContributionBound(2, 1));
    });
    ModelLearner learner = ModelLearner.start(keyed, KEY, "m", "l", new InMemoryHistories());
    String units = "abcdbefghcij";
    for (int i = 0; i < 12; i++) {
      Slot slot = Streams.used(i % 2, 0.1 * i, 1);
      slot.unit(units.getBytes(StandardCharsets.US_ASCII), i, 1);
      learner.fill(slot);
      assertThat(slot.verdict() == RecordStatus.NOT_ADMITTED)
          .isEqualTo(units.indexOf(units.charAt(i)) != i);
    }
  }

  @Test
  void refusesWhatItsGuaranteeCannotBear() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(b -> b.loss = Losses.POISSON.make()))
        .withMessageContaining("convexity");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(b -> b.metrics = new PrivateMetrics(4, 2, 10, 1)))
        .withMessageContaining("metrics");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> plan(b ->
            b.mechanism = new QueryNoise(dev.sotto.learner.mechanism.QuerySchedule.onePass(3, 4))))
        .withMessageContaining("the mechanism must be that of the queries");
    Plan plan = plan(b -> {});
    ModelLearner learner = start(plan);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new PartialSumLearner(plan, KEY, learner.runId()))
        .withMessageContaining("no sums of parts");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> learner.merge(new byte[64], PLACE))
        .withMessageContaining("no sums of parts");
  }
}
