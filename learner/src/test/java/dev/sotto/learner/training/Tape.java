package dev.sotto.learner.training;

import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;

/**
 * Publishes the noisy prefix of means itself, so that tests read what others only see through
 * steps.
 */
public record Tape() implements Optimizer {
  @Override
  public OptimizerState start(double[] first) {
    return new Playing(first.clone());
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    if (latest == null) {
      return new Playing(iterates.clone());
    }
    OptimizerState course = start(dimension);
    course.tell(latest);
    return course;
  }

  @Override
  public String describe() {
    return "tape";
  }

  private static final class Playing implements OptimizerState {
    private final double[] weights;
    private boolean restarted;

    Playing(double[] weights) {
      this.weights = weights;
    }

    @Override
    public double[] weights() {
      return weights;
    }

    @Override
    public double[] point() {
      return weights;
    }

    @Override
    public void tell(NoisySum answer) {
      answer.mean(weights);
      restarted = false;
    }

    @Override
    public void restart() {
      restarted = true;
    }

    @Override
    public double[] iterates() {
      return restarted ? weights.clone() : new double[0];
    }
  }
}
