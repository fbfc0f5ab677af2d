package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.Vectors;
import java.util.Arrays;
import java.util.Random;

/**
 * Made-up examples of an absolute loss: features a uniform on the sphere, labels {@code <a, x*> +
 * 0.05 t_3} with equal coordinates in x* and a norm of 0.7.
 */
final class AbsoluteStream implements ExampleStream {
  private static final double NORM = 0.7;
  private static final double NOISE = 0.05;

  private final double[][] features;
  private final double[] labels;

  AbsoluteStream(int examples, int dimension, long seed) {
    Random random = new Random(seed);
    features = new double[examples][];
    labels = new double[examples];
    double[] truth = truth(dimension);
    for (int i = 0; i < examples; i++) {
      features[i] = direction(random, dimension);
      labels[i] = Vectors.dot(features[i], truth, dimension) + NOISE * student(random);
    }
  }

  /** x*. */
  static double[] truth(int dimension) {
    double[] truth = new double[dimension];
    Arrays.fill(truth, NORM / Math.sqrt(dimension));
    return truth;
  }

  /** A vector of norm 1. */
  static double[] direction(Random random, int dimension) {
    double[] direction = new double[dimension];
    for (int i = 0; i < dimension; i++) {
      direction[i] = random.nextGaussian();
    }
    double norm = Vectors.norm(direction, dimension);
    for (int i = 0; i < dimension; i++) {
      direction[i] /= norm;
    }
    return direction;
  }

  /** Of 3 degrees of freedom. */
  private static double student(Random random) {
    double squares = 0;
    for (int i = 0; i < 3; i++) {
      double each = random.nextGaussian();
      squares += each * each;
    }
    return random.nextGaussian() / Math.sqrt(squares / 3);
  }

  double[] features(int place) {
    return features[place];
  }

  double label(int place) {
    return labels[place];
  }

  @Override
  public int count() {
    return labels.length;
  }

  @Override
  public int dimension() {
    return features[0].length;
  }

  @Override
  public void read(int place, Example into) {
    int dimension = features[place].length;
    System.arraycopy(features[place], 0, into.dense(), 0, dimension);
    into.label(labels[place]);
  }

  /** The mean absolute error. */
  double loss(double[] weights) {
    double sum = 0;
    for (int i = 0; i < labels.length; i++) {
      sum += Math.abs(Vectors.dot(features[i], weights, weights.length) - labels[i]);
    }
    return sum / labels.length;
  }

  /** The smallest mean loss, within 1e-5, by descent along subgradients with falling steps. */
  double least() {
    double[] x = truth(dimension());
    double least = loss(x);
    double[] gradient = new double[x.length];
    for (int step = 0; step < 400; step++) {
      Arrays.fill(gradient, 0);
      for (int i = 0; i < labels.length; i++) {
        double sign = Math.signum(Vectors.dot(features[i], x, x.length) - labels[i]);
        for (int j = 0; j < x.length; j++) {
          gradient[j] += sign * features[i][j];
        }
      }
      double length = 0.5 / (1 + 0.05 * step) / labels.length;
      for (int j = 0; j < x.length; j++) {
        x[j] -= length * gradient[j];
      }
      least = Math.min(least, loss(x));
    }
    return least;
  }
}
