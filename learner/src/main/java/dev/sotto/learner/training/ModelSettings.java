package dev.sotto.learner.training;

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
 */
public record ModelSettings(String features, int dimension, String lossName, Objective objective) {
  public ModelSettings {
    Objects.requireNonNull(features, "features");
    oneLine("lossName", lossName);
    Objects.requireNonNull(objective, "objective");
    objective.inputs(dimension); // refuses a number of weights that no number of features has
  }

  /** The number of features of an example. */
  public int inputs() {
    return objective.inputs(dimension);
  }

  /** The public weights from which learning starts; the caller's to keep. */
  public double[] start() {
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
