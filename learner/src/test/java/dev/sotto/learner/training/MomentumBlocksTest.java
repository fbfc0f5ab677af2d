package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.WindowTree;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.momentum.FullBatchSchedule;
import dev.sotto.learner.optimizer.momentum.SensitivityReducedNsgd;
import dev.sotto.learner.optimizer.momentum.TreeMomentumNsgd;
import dev.sotto.learner.optimizer.momentum.WindowNsgd;
import dev.sotto.learner.optimizer.momentum.WindowSchedule;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Momentum aggregation through the learner. */
class MomentumBlocksTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  private static final FullBatchSchedule SCHEDULE =
      FullBatchSchedule.of(12, new FullBatchSchedule.Steps(5, 0.3), 0.25, 1);
  private static final QuerySchedule PASSES =
      new QuerySchedule(List.of(new QuerySchedule.Segment(0, 12, 3, 1, 4, 1)));

  /** A form of the algorithms, through plans that differ in their noise. */
  record Case(String name, Consumer<TestPlans> form) {
    Plan plan(double sigma) {
      return plan(b -> b.sigma = sigma);
    }

    Plan plan(Consumer<TestPlans> more) {
      return TestPlans.plan(b -> {
        b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
        form.accept(b);
        more.accept(b);
      });
    }

    @Override
    public String toString() {
      return name;
    }
  }

  static List<Case> cases() {
    return List.of(
        new Case("full-batch", b -> {
          SensitivityReducedNsgd optimizer = new SensitivityReducedNsgd(SCHEDULE);
          b.batch = 12;
          b.optimizer = optimizer;
          b.mechanism = new QueryNoise(optimizer.queries());
        }),
        new Case("tree over a block", b -> {
          b.batch = 12;
          b.optimizer = new TreeMomentumNsgd(0.2, 0.75, PASSES);
          b.mechanism = MomentumTree.block(3, 4, 0.75, 2, 1e-3);
        }),
        new Case("windows", b -> {
          WindowNsgd optimizer = new WindowNsgd(new WindowSchedule(12, 3, 4, 1, 0.2, 0.3));
          b.batch = 12;
          b.optimizer = optimizer;
          b.mechanism = new WindowTree(3, 4, 0.25);
        }),
        new Case("endless tree", b -> {
          b.batch = 4;
          b.optimizer = new TreeMomentumNsgd(0.2, 0.75);
          b.mechanism = MomentumTree.endless(0.75, 2, 1e-3);
        }));
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label");
  }

  private static List<double[]> weights(Plan plan, List<Slot> slots) {
    return new InMemoryBlocks(plan, start(plan))
        .fillAll(slots).stream().map(round -> round.weights().clone()).toList();
  }

  private static double[] gradient(Slot slot, double[] w, double radius) {
    double slope = 1 / (1 + Math.exp(-slot.example().dot(w))) - slot.example().label();
    slope *= slot.example().weight();
    return cut(
        new double[] {slope * slot.example().value(0), slope * slot.example().value(1)}, radius);
  }

  private static double[] cut(double[] v, double radius) {
    double norm = Math.hypot(v[0], v[1]);
    double factor = norm <= radius ? 1 : radius / norm;
    return new double[] {factor * v[0], factor * v[1]};
  }

  private static List<Slot> slots(int count) {
    List<Slot> slots = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      Slot slot = Streams.used(i % 3 == 0 ? 1 : 0, Math.sin(7 * i), 1.5 * Math.cos(i * i));
      slot.example().weight(i % 4 == 1 ? 0.5 : 1);
      slots.add(slot);
    }
    return slots;
  }

  private static void step(double[] w, double[] m, double length) {
    double norm = Math.hypot(m[0], m[1]);
    w[0] -= length * m[0] / norm;
    w[1] -= length * m[1] / norm;
  }

  private static double[] changed(Slot slot, double[] w, double[] before, DifferenceClips clips) {
    double[] fresh = gradient(slot, w, clips.gradient());
    double[] change = {0, 0};
    if (before != null) {
      double[] old = gradient(slot, before, clips.gradient());
      change = cut(new double[] {fresh[0] - old[0], fresh[1] - old[1]}, clips.difference());
    }
    return new double[] {
      (1 - clips.share()) * change[0] + clips.share() * fresh[0],
      (1 - clips.share()) * change[1] + clips.share() * fresh[1]
    };
  }

  private static double[] slowFullBatch(List<Slot> slots) {
    double[] w = {0, 0};
    double[] before = null;
    double[] estimate = {0, 0};
    DifferenceClips clips =
        new DifferenceClips(SCHEDULE.clip(), SCHEDULE.difference(), SCHEDULE.share());
    for (int q = 0; q < 5; q++) {
      double[] mean = {0, 0};
      for (Slot slot : slots) {
        double[] each = q == 0 ? gradient(slot, w, 1) : changed(slot, w, before, clips);
        mean[0] += each[0] / slots.size();
        mean[1] += each[1] / slots.size();
      }
      double kept = q == 0 ? 0 : 1 - clips.share();
      estimate = new double[] {kept * estimate[0] + mean[0], kept * estimate[1] + mean[1]};
      before = w.clone();
      step(w, estimate, 0.3);
    }
    return w;
  }

  private static double[] slowMomentum(List<Slot> slots, int batch, int steps, double beta) {
    double[] w = {0, 0};
    double[] sum = {0, 0};
    for (int t = 0; t < steps; t++) {
      sum[0] *= beta;
      sum[1] *= beta;
      for (int i = 0; i < batch; i++) {
        Slot slot = slots.get((t * batch + i) % slots.size());
        double[] each = gradient(slot, w, 1);
        sum[0] += each[0];
        sum[1] += each[1];
      }
      step(w, sum, 0.2);
    }
    return w;
  }

  /** Each batch has a part of the estimate of its own. */
  private static double[] slowWindows(List<Slot> slots) {
    double[] w = {0, 0};
    double[][] points = new double[3][];
    double[][] parts = new double[3][2];
    DifferenceClips clips = new DifferenceClips(1, 0.3, 0.3);
    for (int t = 0; t < 12; t++) {
      int batch = t % 3;
      double[] sum = {0, 0};
      for (Slot slot : slots.subList(4 * batch, 4 * batch + 4)) {
        double[] each = t < 3 ? gradient(slot, w, 1) : changed(slot, w, points[batch], clips);
        sum[0] += each[0];
        sum[1] += each[1];
      }
      for (int i = 0; i < 2; i++) {
        parts[batch][i] = (t < 3 ? 0 : 0.7 * parts[batch][i]) + sum[i];
      }
      points[batch] = w.clone();
      step(
          w,
          new double[] {
            parts[0][0] + parts[1][0] + parts[2][0], parts[0][1] + parts[1][1] + parts[2][1]
          },
          0.2);
    }
    return w;
  }

  /** With hardly any noise, against code that is slow and obvious. */
  @Test
  void stepsAsTheFormulasSay() {
    double[][] expected = {
      slowFullBatch(slots(12)),
      slowMomentum(slots(12), 4, 12, 0.75),
      slowWindows(slots(12)),
      slowMomentum(slots(12), 4, 3, 0.75)
    };
    for (int i = 0; i < expected.length; i++) {
      Plan plan = cases().get(i).plan(1e-6);
      List<double[]> published = weights(plan, slots(12));
      double[] w = published.get(published.size() - 1);
      // The noise of a step is 1e-5 of its direction at most, and shows: the twin of sigma 1.
      assertThat(w).as(cases().get(i).name()).containsExactly(expected[i], within(1e-3));
      double[] noisy = weights(cases().get(i).plan(1), slots(12)).get(published.size() - 1);
      assertThat(noisy[0]).isNotCloseTo(expected[i][0], within(1e-3));
    }
  }

  /** Noise is bound to what it hides: from the round that differs on, all bits do. */
  @ParameterizedTest
  @MethodSource("cases")
  void drawsOtherNoiseForOtherRecords(Case each) {
    Plan plan = each.plan(0.5);
    List<Slot> changed = slots(24);
    changed.set(0, Streams.used(0, 3, 3));
    List<double[]> one = weights(plan, slots(24));
    List<double[]> other = weights(plan, changed);
    for (int i = 0; i < one.size(); i++) {
      assertThat(other.get(i)[0]).isNotEqualTo(one.get(i)[0]);
    }
  }

  @Test
  void learnsNetworks() {
    Objective network = Objectives.named("network(hidden=3 activation=tanh output=squared seed=1)")
        .get();
    int dimension = network.dimension(2);
    Plan plan = TestPlans.plan(b -> {
      SensitivityReducedNsgd optimizer = new SensitivityReducedNsgd(SCHEDULE);
      b.dimension = dimension;
      b.lossName = "network";
      b.objective = network;
      b.sigma = 0.5;
      b.budget = new Budget(Double.POSITIVE_INFINITY, 1e-6);
      b.batch = 12;
      b.optimizer = optimizer;
      b.mechanism = new QueryNoise(optimizer.queries());
    });
    assertThat(weights(plan, slots(24))).hasSize(2).allMatch(w -> Double.isFinite(w[0]));
  }
}
