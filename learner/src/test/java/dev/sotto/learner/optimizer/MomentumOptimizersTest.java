package dev.sotto.learner.optimizer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.optimizer.momentum.FullBatchSchedule;
import dev.sotto.learner.optimizer.momentum.SensitivityReducedNsgd;
import dev.sotto.learner.optimizer.momentum.TreeMomentumNsgd;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.release.TestAnswers;
import java.util.List;
import org.junit.jupiter.api.Test;

/** docs/development/figures.md, "Momentum": the steps, without noise. */
class MomentumOptimizersTest {
  private static final double[] DATA = {1, 3, -2, 6};

  private static double cut(double value, double radius) {
    return Math.max(-radius, Math.min(radius, value));
  }

  /** What a query of (w - x)^2 / 2 is answered, over all of the data: 3.3 and 4.1 of the page. */
  private static double answer(Optimizer optimizer, long t, double point, double[] earlier) {
    DifferenceClips clips = optimizer.clips(t);
    double sum = 0;
    for (double x : DATA) {
      double gradient = cut(point - x, 2);
      if (clips != null) {
        double before = earlier == null ? gradient : cut(earlier[0] - x, clips.gradient());
        gradient = (1 - clips.share()) * cut(gradient - before, clips.difference())
            + clips.share() * gradient;
      }
      sum += cut(optimizer.scale(t) * gradient, 2);
    }
    return sum / DATA.length;
  }

  /** Check 11, the second half: the estimate is the mean clipped gradient exactly. */
  @Test
  void stepsOverFullBatchesAsThePageSays() {
    FullBatchSchedule schedule = FullBatchSchedule.of(4, new FullBatchSchedule.Steps(4, 0.5), 1, 2);
    SensitivityReducedNsgd optimizer = new SensitivityReducedNsgd(schedule);
    assertThat(schedule.share()).isEqualTo(0.25);
    assertThat(schedule.bound()).isEqualTo(0.875);
    OptimizerState state = optimizer.start(1);
    double[] points = {0, 0.5, 1, 1.5};
    double[] estimates = {-0.75, -0.625, -0.5, -0.25};
    for (int q = 1; q <= 4; q++) {
      assertThat(state.query()).isEqualTo(q);
      assertThat(state.point()[0]).isCloseTo(points[q - 1], within(1e-12));
      assertThat(state.earlier() == null).isEqualTo(q == 1);
      assertThat(optimizer.clips(q) == null).isEqualTo(q == 1);
      double answer = answer(optimizer, q, state.point()[0], state.earlier());
      state.tell(TestAnswers.ofQuery(answer));
      if (q < 4) {
        assertThat(state.iterates()[3]).isCloseTo(estimates[q - 1], within(1e-12));
      }
    }
    assertThat(state.weights()[0]).isCloseTo(2, within(1e-12));
    assertThat(state.query()).isEqualTo(1);
    assertThat(state.earlier()).isNull();
    assertThat(state.iterates()).containsExactly(1, 2); // nothing else goes on to the next block
  }

  @Test
  void asksForPlainGradientsWithoutChanges() {
    SensitivityReducedNsgd plain =
        new SensitivityReducedNsgd(new FullBatchSchedule(4, 3, 2, 0.5, 0.5, 1));
    OptimizerState state = plain.start(1);
    for (int q = 1; q <= 3; q++) {
      assertThat(plain.clips(q)).isNull();
      assertThat(plain.scale(q)).isEqualTo(1);
      assertThat(state.earlier()).isNull();
      state.tell(TestAnswers.ofQuery(q == 2 ? 1.0 : -1.0));
    }
    assertThat(state.weights()[0]).isEqualTo(0.5);
  }

  @Test
  void goesOnInsideABlockWithTheSameBits() {
    SensitivityReducedNsgd optimizer = new SensitivityReducedNsgd(
        FullBatchSchedule.of(4, new FullBatchSchedule.Steps(5, 0.3), 1, 2));
    OptimizerState through = optimizer.start(2);
    OptimizerState stopped = optimizer.start(2);
    for (int i = 0; i < 12; i++) {
      NoisySum answer = TestAnswers.ofQuery(Math.sin(i), Math.cos(3 * i));
      stopped = optimizer.resume(2, stopped.iterates(), null);
      assertThat(stopped.query()).isEqualTo(through.query());
      through.tell(answer);
      stopped.tell(answer);
      assertThat(stopped.iterates()).containsExactly(through.iterates());
    }
    assertThatThrownBy(() -> optimizer.resume(2, new double[5], null))
        .hasMessageContaining("keeps 3 or 7 numbers");
  }

  @Test
  void stepsAlongTheTreesSum() {
    TreeMomentumNsgd optimizer = new TreeMomentumNsgd(0.5, 0.75);
    OptimizerState state = optimizer.start(2);
    state.tell(TestAnswers.ofTree(3, -4));
    assertThat(state.weights()).containsExactly(new double[] {-0.3, 0.4}, within(1e-15));
    state.tell(TestAnswers.ofTree(0, 0));
    assertThat(state.weights()).containsExactly(new double[] {-0.3, 0.4}, within(1e-15));
    assertThat(state.point()).isSameAs(state.weights());
    assertThat(optimizer.isRecursive()).isFalse();
    assertThat(optimizer.clips(3)).isNull();
  }

  /** Check 14; the tree's sums are those of the page over alpha = 0.25. */
  @Test
  void carriesTheNoisySumIntoTheNextTree() {
    TreeMomentumNsgd optimizer = new TreeMomentumNsgd(0.5, 0.75);
    OptimizerState state = optimizer.start(1);
    state.tell(TestAnswers.ofTree(1)); // [1, 1]
    state.tell(TestAnswers.ofTree(2.75 + 0.5 / 0.25)); // [1, 2] of 1, 2, and its noise
    state.restart();
    assertThat(0.25 * state.iterates()[2]).isCloseTo(1.1875, within(1e-12));
    double[] next = {-1 + 0.2 / 0.25, 3.25 + 0.3 / 0.25}; // of -1 and 4
    double[] expected = {0.840625, 1.78046875};
    for (int steps = 1; steps <= 2; steps++) {
      OptimizerState again = optimizer.resume(1, state.iterates(), null);
      for (int i = 0; i < steps; i++) {
        again.tell(TestAnswers.ofTree(next[i]));
        again = steps == 1 || i == 1 ? again : optimizer.resume(1, again.iterates(), null);
      }
      again.restart();
      assertThat(0.25 * again.iterates()[2]).isCloseTo(expected[steps - 1], within(1e-12));
    }
  }

  @Test
  void beginsEveryBlockAtTheFirstQuery() {
    QuerySchedule queries = new QuerySchedule(List.of(new QuerySchedule.Segment(0, 8, 4, 1, 2, 1)));
    TreeMomentumNsgd optimizer = new TreeMomentumNsgd(0.5, 0.75, queries);
    OptimizerState state = optimizer.start(1);
    for (int i = 0; i < 19; i++) {
      assertThat(state.query()).isEqualTo(i % 8 + 1);
      state = optimizer.resume(1, state.iterates(), null);
      state.tell(TestAnswers.ofTree(i % 3 - 1.2));
    }
    assertThat(state.iterates()).hasSize(2);
  }

  @Test
  void refusesWhatIsNoStep() {
    assertThatThrownBy(() -> new TreeMomentumNsgd(0, 0.5)).hasMessageContaining("step must");
    assertThatThrownBy(() -> new TreeMomentumNsgd(1, 1)).hasMessageContaining("beta must");
  }
}
