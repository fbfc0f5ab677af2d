package dev.sotto.learner.training;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import java.util.Objects;

/**
 * What is learned: weights of features under a loss.
 *
 * @param features the public feature map in its canonical text
 * @param dimension the number of weights
 * @param lossName name and parameters of the loss, in one line
 * @param objective the loss of every example
 * @param warmStart published weights from which learning starts; null where it starts where the
 *     objective does
 * @param ranges of numbers without bounds
 */
public record ModelSettings(
    String features,
    int dimension,
    String lossName,
    Objective objective,
    double[] warmStart,
    RangeSettings ranges) {
  public ModelSettings {
    Objects.requireNonNull(features, "features");
    oneLine("lossName", lossName);
    Objects.requireNonNull(objective, "objective");
    Objects.requireNonNull(ranges, "ranges");
    objective.inputs(dimension); // refuses a number of weights that no number of features has
    if (warmStart != null) {
      warmStart = warmStart.clone();
      if (warmStart.length != dimension || !Vectors.isFinite(warmStart, dimension)) {
        throw new IllegalArgumentException("a warm start must be " + dimension
            + " finite weights, but was " + warmStart.length
            + (warmStart.length == dimension ? " with one that is not finite" : ""));
      }
    }
  }

  /** The number of features of an example. */
  public int inputs() {
    return objective.inputs(dimension);
  }

  /** The public weights from which learning starts; the caller's to keep. */
  public double[] start() {
    if (warmStart != null) {
      return warmStart.clone();
    }
    double[] weights = new double[dimension];
    objective.start(weights);
    return weights;
  }

  /**
   * The loss of one score.
   *
   * @throws IllegalArgumentException where the objective has several
   */
  public Loss loss() {
    if (objective instanceof SingleScore single) {
      return single.loss();
    }
    throw new IllegalArgumentException(
        "this needs a loss of one score, but " + lossName + " has several");
  }

  /** A fingerprint's lines can be told apart from the last one upwards, whatever features holds. */
  static void oneLine(String name, String text) {
    if (Objects.requireNonNull(text, name).indexOf('\n') >= 0) {
      throw new IllegalArgumentException(name + " must be one line, but was " + text);
    }
  }
}
