package dev.sotto.evaluation.plan.simulation;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.loss.Loss;
import java.util.Random;

/**
 * Made-up examples, the same for equal seeds: a bias and normal features whose variances fall as
 * 1/i, brought to norm 1 as the product's feature maps do; labels follow from a hidden linear
 * score. The last of them are held out.
 */
final class SyntheticStream {
  private static final int HELD_OUT = 4000;

  private final LabelModel labelModel;
  private final double[][] features;
  private final double[] labels;
  private final double[] truth;
  private final int learned;

  /**
   * A stream.
   *
   * @param learned how many examples there are to learn from
   */
  SyntheticStream(long seed, int dimension, Loss loss, int learned) {
    Random random = new Random(seed);
    this.labelModel = LabelModel.of(loss);
    this.learned = learned;
    this.features = new double[learned + HELD_OUT][];
    for (int i = 0; i < features.length; i++) {
      features[i] = example(random, dimension);
    }
    this.truth = truth(random, dimension);
    this.labels = new double[features.length];
    for (int i = 0; i < labels.length; i++) {
      labels[i] = labelModel.draw(score(truth, i), random);
    }
  }

  private static double[] example(Random random, int dimension) {
    double[] x = new double[dimension];
    x[0] = 1;
    for (int i = 1; i < dimension; i++) {
      x[i] = random.nextGaussian() / Math.sqrt(i);
    }
    double norm = Vectors.norm(x, dimension);
    for (int i = 0; i < dimension; i++) {
      x[i] /= norm;
    }
    return x;
  }

  /** A random direction, as long as gives scores their spread. */
  private double[] truth(Random random, int dimension) {
    double[] direction = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      direction[i] = random.nextGaussian();
    }
    double squares = 0;
    for (int i = 0; i < features.length; i++) {
      double score = score(direction, i);
      squares += score * score;
    }
    double factor = labelModel.spread() / Math.sqrt(squares / features.length);
    for (int i = 0; i < dimension; i++) {
      direction[i] *= factor;
    }
    return direction;
  }

  private double score(double[] weights, int example) {
    return Vectors.dot(features[example], weights, weights.length);
  }

  /** Fills a slot with an example to learn from. */
  void fill(Slot slot, int example) {
    slot.clear();
    double[] values = slot.example().dense();
    System.arraycopy(features[example], 0, values, 0, features[example].length);
    slot.example().label(labels[example]);
    slot.verdict(RecordStatus.USED);
  }

  /** The mean loss over what is held out. */
  double loss(Loss loss, double[] weights) {
    double sum = 0;
    for (int i = learned; i < features.length; i++) {
      sum += loss.value(score(weights, i), labels[i]);
    }
    return sum / (features.length - learned);
  }

  /** The weights that labels follow from. */
  double[] truth() {
    return truth.clone();
  }
}
