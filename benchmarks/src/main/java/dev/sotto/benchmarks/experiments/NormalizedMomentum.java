package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;

/**
 * Normalised descent along decayed sums of noisy means, each with noise of its own: what a tree is
 * compared with. With beta 0 it is plain normalised gradient descent.
 */
record NormalizedMomentum(double step, double beta) implements Optimizer {
  @Override
  public OptimizerState start(double[] first) {
    double[] weights = first.clone();
    double[] sum = new double[first.length];
    double[] mean = new double[first.length];
    return new OptimizerState() {
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
        answer.lastMean(mean);
        for (int i = 0; i < sum.length; i++) {
          sum[i] = beta * sum[i] + mean[i];
        }
        double norm = Vectors.norm(sum, sum.length);
        for (int i = 0; norm > 0 && i < sum.length; i++) {
          weights[i] -= step * sum[i] / norm;
        }
      }

      @Override
      public void restart() {}

      @Override
      public double[] iterates() {
        throw new UnsupportedOperationException("experiments do not stop half way");
      }
    };
  }

  @Override
  public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
    throw new UnsupportedOperationException("experiments do not stop half way");
  }

  @Override
  public String describe() {
    return "step=" + step + " beta=" + beta;
  }
}
