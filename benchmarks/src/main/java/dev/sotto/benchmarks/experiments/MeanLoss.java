package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;

/** Means of an objective over a stream, exact and not private. */
final class MeanLoss {
  private MeanLoss() {}

  /** The mean loss, and the share that is right, where labels can be. */
  static double[] of(Objective objective, ExampleStream stream, double[] weights) {
    Objective.Pass pass = objective.pass();
    Example example = new Example(stream.dimension());
    double loss = 0;
    double right = 0;
    for (int i = 0; i < stream.count(); i++) {
      example.clear();
      stream.read(i, example);
      pass.forward(example, weights);
      loss += pass.value(example.label());
      right += pass.isRight(example.label()) ? 1 : 0;
    }
    return new double[] {loss / stream.count(), right / stream.count()};
  }

  /** The norm of the mean gradient of a loss of one score. */
  static double gradientNorm(Objective objective, ExampleStream stream, double[] weights) {
    Objective.Pass pass = objective.pass();
    double[] outer = new double[objective.rows()];
    double[] sum = new double[weights.length];
    Example example = new Example(stream.dimension());
    for (int i = 0; i < stream.count(); i++) {
      example.clear();
      stream.read(i, example);
      pass.forward(example, weights);
      outer[0] = 0;
      pass.backward(example.label(), 1, outer, new double[0]);
      for (int j = 0; j < example.size(); j++) {
        int at = example.isSparse() ? example.indices()[j] : j;
        sum[at] += outer[0] * example.values()[j];
      }
    }
    double squares = 0;
    for (double each : sum) {
      squares += each * each;
    }
    return Math.sqrt(squares) / stream.count();
  }
}
