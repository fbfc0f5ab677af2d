package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.training.Plan;

/** Means over the later half of a stream, each record under the last version before it. */
final class LaterHalf {
  private LaterHalf() {}

  /**
   * How scores are read as the numbers that labels are.
   *
   * @param raw the same stream with labels as they are
   * @param unit by which a score is multiplied
   * @param origin what is added
   */
  record Scale(ExampleStream raw, double unit, double origin) {}

  /** The mean loss, and 0. */
  static double[] loss(Plan plan, ExampleStream stream, long seed) {
    int half = stream.count() / 2;
    Objective.Pass pass = plan.objective().pass();
    double[] sums = {0, 0};
    LearningPass.weights(plan, stream, seed, (place, example, weights) -> {
      if (place >= half) {
        pass.forward(example, weights);
        sums[0] += pass.value(example.label());
      }
    });
    return over(sums, stream.count() - half);
  }

  /** The mean absolute error, and the mean squared one. */
  static double[] errors(Plan plan, ExampleStream stream, Scale scale, long seed) {
    int half = stream.count() / 2;
    Example raw = new Example(scale.raw().dimension());
    double[] sums = {0, 0};
    LearningPass.weights(plan, stream, seed, (place, example, weights) -> {
      if (place >= half) {
        scale.raw().read(place, raw);
        double error = scale.origin() + scale.unit() * example.dot(weights) - raw.label();
        sums[0] += Math.abs(error);
        sums[1] += error * error;
      }
    });
    return over(sums, stream.count() - half);
  }

  /** The errors where the label is always taken for 0. */
  static double[] ofNothing(ExampleStream stream) {
    Example example = new Example(stream.dimension());
    int half = stream.count() / 2;
    double[] sums = {0, 0};
    for (int i = half; i < stream.count(); i++) {
      stream.read(i, example);
      sums[0] += Math.abs(example.label());
      sums[1] += example.label() * example.label();
    }
    return over(sums, stream.count() - half);
  }

  private static double[] over(double[] sums, double count) {
    return new double[] {sums[0] / count, sums[1] / count};
  }
}
