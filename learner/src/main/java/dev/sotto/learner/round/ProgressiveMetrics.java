package dev.sotto.learner.round;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.release.ClippedSum;

/** Measures examples before they are learned from, and adds up figures that only the sealed room can read. */
final class ProgressiveMetrics {
  private final MetricsPlan plan;
  private final ClippedSum sum;
  private final Example figures;

  ProgressiveMetrics(MetricsPlan plan, long batch) {
    this.plan = plan;
    this.sum = new ClippedSum(plan.metering(batch).lattice());
    this.figures = new Example(plan.figures());
  }

  ClippedSum sum() {
    return sum;
  }

  void addNothing() {
    sum.addNothing();
  }

  /** A loss or prediction that is not a number counts as nothing, as an absent one would. */
  void add(Objective.Pass pass, double label) {
    double value = pass.value(label);
    double predicted = unit(pass.predicted());
    if (Double.isNaN(value) || Double.isNaN(predicted)) {
      sum.addNothing();
      return;
    }
    double target = unit(pass.target(label));
    boolean right = pass.isRight(label);
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
