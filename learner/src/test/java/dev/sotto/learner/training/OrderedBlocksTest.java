package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.mechanism.PathNoise.Phase;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassAlgorithm;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** Blocks whose slots move a point, one after the other. */
class OrderedBlocksTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final byte[] PLACE = {3};
  private static final PathNoise NOISE =
      new PathNoise(2, 2, 0.1, List.of(new Phase(7, 0.4), new Phase(5, 0.1)));

  static Plan plan(Consumer<TestPlans> more) {
    return TestPlans.plan(b -> {
      b.batch = 12;
      b.mechanism = NOISE;
      b.optimizer = new OnePassAlgorithm(NOISE, 1, "");
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      more.accept(b);
    });
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label");
  }

  @Test
  void seesTheOrderOfTwoSlots() {
    List<Slot> slots = Streams.mixed(0, 12, 2);
    double[] before = Streams.feed(start(plan(b -> {})), slots).get(0).weights();
    slots.add(0, slots.remove(1));
    double[] after = Streams.feed(start(plan(b -> {})), slots).get(0).weights();
    assertThat(after).isNotEqualTo(before);
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
