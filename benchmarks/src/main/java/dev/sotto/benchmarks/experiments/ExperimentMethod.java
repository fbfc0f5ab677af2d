package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;

/** An algorithm with a rule for its steps, and what its one number means. */
enum ExperimentMethod {
  /** Steps m D / (Gbar sqrt(t)): m is the multiplier of {@link PrivateFtrl#stepScale}. */
  FTRL("FTRL", "decreasing") {
    @Override
    Optimizer optimizer(double radius, double step, double scale, long rounds) {
      return new PrivateFtrl(ball(radius), new StepSize.Decreasing(step * scale));
    }
  },
  /** Steps m D / (Gbar sqrt(T)). */
  FTRL_FIXED("FTRL, fixed steps", "fixed") {
    @Override
    Optimizer optimizer(double radius, double step, double scale, long rounds) {
      return new PrivateFtrl(ball(radius), new StepSize.Fixed(step * scale, rounds));
    }
  },
  /** The number is beta. */
  ACCELERATED("accelerated", "beta") {
    @Override
    Optimizer optimizer(double radius, double step, double scale, long rounds) {
      return new AcceleratedDpSrgd(ball(radius), step, true, Gradients.RECURSIVE);
    }
  },
  /** The number is beta. */
  UNACCELERATED("unaccelerated", "beta") {
    @Override
    Optimizer optimizer(double radius, double step, double scale, long rounds) {
      return new AcceleratedDpSrgd(ball(radius), step, false, Gradients.RECURSIVE);
    }
  },
  /** Accelerated; the number is beta. */
  INDEPENDENT_GRADIENTS("independent gradients", "beta") {
    @Override
    Optimizer optimizer(double radius, double step, double scale, long rounds) {
      return new AcceleratedDpSrgd(ball(radius), step, true, Gradients.INDEPENDENT);
    }
  };

  final String label;
  final String steps;

  ExperimentMethod(String label, String steps) {
    this.label = label;
    this.steps = steps;
  }

  /**
   * The algorithm over the ball around the origin.
   *
   * @param scale D / Gbar
   */
  abstract Optimizer optimizer(double radius, double step, double scale, long rounds);

  boolean isFtrl() {
    return this == FTRL || this == FTRL_FIXED;
  }

  private static EuclideanBall ball(double radius) {
    return new EuclideanBall(null, radius);
  }
}
