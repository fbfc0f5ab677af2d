package dev.sotto.learner.training;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.release.ClippedSum;
import java.util.Optional;

/** The exact sum of a round's metrics: only the package {@code release} can read it. */
interface RoundMetrics {
  /** No metrics. */
  RoundMetrics NONE = new RoundMetrics() {
    @Override
    public Optional<ClippedSum> sum() {
      return Optional.empty();
    }

    @Override
    public void add(Objective.Pass pass, double label) {}

    @Override
    public void addNothing(long count) {}
  };

  /** Of a plan. */
  static RoundMetrics of(Plan plan) {
    return plan.metrics() == null ? NONE : new Progressive(plan.metrics(), plan.batch());
  }

  /** The sum; empty without metrics. */
  Optional<ClippedSum> sum();

  /** Fills a slot with what a pass over its example says, before it is learned from. */
  void add(Objective.Pass pass, double label);

  /** Fills a number of slots with nothing. */
  void addNothing(long count);

  /** Progressive validation. */
  final class Progressive implements RoundMetrics {
    private final PrivateMetrics plan;
    private final ClippedSum sum;
    private final Optional<ClippedSum> all;
    private final Example figures;

    private Progressive(PrivateMetrics plan, long batch) {
      this.plan = plan;
      this.sum = new ClippedSum(plan.metering(batch).lattice());
      this.all = Optional.of(sum);
      this.figures = new Example(plan.figures());
    }

    @Override
    public Optional<ClippedSum> sum() {
      return all;
    }

    /** An example without figures counts as nothing, as an absent one would. */
    @Override
    public void add(Objective.Pass pass, double label) {
      if (plan.measure(pass, label, figures)) {
        sum.add(figures, 1);
      } else {
        sum.addNothing();
      }
    }

    @Override
    public void addNothing(long count) {
      sum.addNothing(count);
    }
  }
}
