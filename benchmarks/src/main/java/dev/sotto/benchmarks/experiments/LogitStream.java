package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Loss;
import java.util.Arrays;
import java.util.Random;

/**
 * A stream with a known distribution: x = a u with u uniform on the unit sphere and a positive
 * diagonal matrix a of largest entry 1, and P(y = 1) = sigmoid(x.v). The logistic risk is least at
 * v, and its excess over that is known exactly ({@link SphereRisk}), so nothing is held out and no
 * test labels add noise.
 */
final class LogitStream implements ExampleStream {
  private static final Loss LOSS = new Logistic();

  private final int dimension;
  private final double[] features;
  private final byte[] labels;
  private final SphereRisk risk;

  private LogitStream(int dimension, double[] features, byte[] labels, SphereRisk risk) {
    this.dimension = dimension;
    this.features = features;
    this.labels = labels;
    this.risk = risk;
  }

  /**
   * A drawn stream.
   *
   * @param axes the diagonal of a; its length is the dimension
   * @param norm of the minimiser, whose direction is drawn
   */
  static LogitStream draw(int count, double[] axes, double norm, long seed) {
    Random random = new Random(seed);
    int dimension = axes.length;
    double[] minimiser = direction(random, dimension);
    for (int j = 0; j < dimension; j++) {
      minimiser[j] *= norm;
    }
    double[] features = new double[Math.multiplyExact(count, dimension)];
    byte[] labels = new byte[count];
    for (int i = 0; i < count; i++) {
      double[] x = direction(random, dimension);
      double score = 0;
      for (int j = 0; j < dimension; j++) {
        x[j] *= axes[j];
        score += x[j] * minimiser[j];
      }
      System.arraycopy(x, 0, features, i * dimension, dimension);
      labels[i] = (byte) (random.nextDouble() < LOSS.predict(score) ? 1 : 0);
    }
    return new LogitStream(dimension, features, labels, new SphereRisk(axes, minimiser));
  }

  /** a = 1: directions of a Gaussian vector. */
  static double[] even(int dimension) {
    double[] axes = new double[dimension];
    Arrays.fill(axes, 1);
    return axes;
  }

  /** Eigenvalues of E[x x'] that fall geometrically, from the first to a share of it. */
  static double[] uneven(int dimension, double leastShare) {
    double[] axes = new double[dimension];
    for (int j = 0; j < dimension; j++) {
      axes[j] = Math.sqrt(Math.pow(leastShare, j / (dimension - 1.0)));
    }
    return axes;
  }

  private static double[] direction(Random random, int dimension) {
    double[] u = new double[dimension];
    double squares = 0;
    for (int j = 0; j < dimension; j++) {
      u[j] = random.nextGaussian();
      squares += u[j] * u[j];
    }
    double norm = Math.sqrt(squares);
    for (int j = 0; j < dimension; j++) {
      u[j] /= norm;
    }
    return u;
  }

  /** The population risk of weights, less the smallest. */
  double excess(double[] weights) {
    return risk.excess(weights);
  }

  @Override
  public int count() {
    return labels.length;
  }

  @Override
  public int dimension() {
    return dimension;
  }

  @Override
  public void read(int place, Example into) {
    System.arraycopy(features, place * dimension, into.dense(), 0, dimension);
    into.label(labels[place]);
  }
}
