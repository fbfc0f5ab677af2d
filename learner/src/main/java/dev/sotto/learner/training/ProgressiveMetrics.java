package dev.sotto.learner.training;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.release.ClippedSum;

/** The exact sum of a round's metrics: only the package {@code release} can read it. */
final class ProgressiveMetrics {
  private final PrivateMetrics plan;
  private final ClippedSum sum;
  private final Example figures;

  ProgressiveMetrics(PrivateMetrics plan, long batch) {
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

  /** An example without figures counts as nothing, as an absent one would. */
  void add(Objective.Pass pass, double label) {
    if (plan.measure(pass, label, figures)) {
      sum.add(figures, 1);
    } else {
      sum.addNothing();
    }
  }
}
