package dev.sotto.learner.round;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.release.ClippedSum;

/** Measures examples before they are learned from, and adds up figures that only the sealed room can read. */
final class ProgressiveMetrics {
  private final MetricsPlan plan;
  private final Loss loss;
  private final ClippedSum sum;
  private final Example figures;

  ProgressiveMetrics(MetricsPlan plan, Loss loss, long batch) {
    this.plan = plan;
    this.loss = loss;
    this.sum = new ClippedSum(plan.metering(batch).lattice());
    this.figures = new Example(plan.figures());
  }

  ClippedSum sum() {
    return sum;
  }

  void addNothing() {
    sum.addNothing();
  }

  /** A score or loss that is not a number, or a score that is not finite, counts as nothing, as an absent one would. */
  void add(double score, double label) {
    double value = loss.value(score, label);
    if (!(Math.abs(score) < Double.POSITIVE_INFINITY) || Double.isNaN(value)) {
      sum.addNothing();
      return;
    }
    double predicted = unit(loss.predict(score));
    double target = unit(label);
    boolean right = predicted >= 0.5 == target >= 0.5;
    int bin = Math.min(plan.bins() - 1, (int) (predicted * plan.bins()));
    figures.reserve(4);
    put(0, NoisyMetrics.LOSS, unit(value / plan.lossBound()));
    put(1, right ? NoisyMetrics.RIGHT : NoisyMetrics.WRONG, 1);
    put(2, NoisyMetrics.negatives(bin), 1 - target);
    put(3, NoisyMetrics.positives(bin), target);
    figures.ascending(4);
    sum.add(figures, 1);
  }

  private void put(int place, int figure, double value) {
    figures.indices()[place] = figure;
    figures.values()[place] = value;
  }

  private static double unit(double value) {
    return Math.max(0, Math.min(1, value));
  }
}
