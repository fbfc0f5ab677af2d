package dev.sotto.learner.round;

import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.release.ClippedSum;

/** Measures examples before they are learned from, and adds up figures that only the sealed room can read. */
final class ProgressiveMetrics {
  private final MetricsPlan plan;
  private final Loss loss;
  private final ClippedSum sum;
  private final double[] figures;

  ProgressiveMetrics(MetricsPlan plan, Loss loss, long batch) {
    this.plan = plan;
    this.loss = loss;
    this.sum = new ClippedSum(plan.metering(batch).lattice());
    this.figures = new double[plan.figures()];
  }

  ClippedSum sum() {
    return sum;
  }

  void addNothing() {
    sum.addNothing();
  }

  /** A score or loss that is not finite counts as nothing, as an absent example would. */
  void add(double score, double label) {
    double value = loss.value(score, label);
    double predicted = unit(loss.predict(score));
    if (!(Math.abs(score) < Double.POSITIVE_INFINITY) || Double.isNaN(value)) {
      sum.addNothing();
      return;
    }
    double target = unit(label);
    int bin = Math.min(plan.bins() - 1, (int) (predicted * plan.bins()));
    figures[0] = unit(value / plan.lossBound());
    figures[1] = predicted >= 0.5 == target >= 0.5 ? 1 : 0;
    figures[2 + 2 * bin] = 1;
    figures[3 + 2 * bin] = target;
    sum.add(figures);
    figures[2 + 2 * bin] = 0;
    figures[3 + 2 * bin] = 0;
  }

  private static double unit(double value) {
    return Math.max(0, Math.min(1, value));
  }
}
