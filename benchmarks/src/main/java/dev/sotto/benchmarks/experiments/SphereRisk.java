package dev.sotto.benchmarks.experiments;

/**
 * The excess logistic risk where x = a u, u uniform on the unit sphere of d >= 5 dimensions, and
 * P(y = 1) = sigmoid(x.v): the mean Kullback-Leibler divergence between two Bernoulli distributions
 * of logits u.(av) and u.(aw). Of u only its part r (cos, sin) in the plane of the two matters: its
 * angle is uniform, and r^2 has density (d/2 - 1)(1 - r^2)^(d/2 - 2) on [0, 1]. So a Gauss-Legendre
 * rule in r^2 and a trapezoid in the angle are exact to about ten digits; no sample is drawn.
 */
final class SphereRisk {
  private static final int ANGLES =
      32; // over half a turn: the other half is the same, both logits negated
  private static final int RADII = 48;

  private final double[] axes;
  private final double[] truth; // av
  private final double truthNorm;
  private final double[] radii = new double[RADII];
  private final double[] shares = new double[RADII];

  SphereRisk(double[] axes, double[] minimiser) {
    this.axes = axes.clone();
    this.truth = stretched(minimiser);
    this.truthNorm = norm(truth);
    double half = axes.length / 2.0;
    for (int i = 0; i < RADII; i++) {
      double[] node = legendre(i);
      double square = (1 + node[0]) / 2;
      radii[i] = Math.sqrt(square);
      shares[i] = node[1] / 2 * (half - 1) * Math.pow(1 - square, half - 2);
    }
  }

  /** Non-negative but for rounding; 0 at the minimiser. */
  double excess(double[] weights) {
    double[] other = stretched(weights);
    double along = 0;
    for (int j = 0; j < other.length; j++) {
      along += other[j] * truth[j] / truthNorm;
    }
    double norm = norm(other);
    double across = Math.sqrt(Math.max(0, norm * norm - along * along));
    double sum = 0;
    for (int k = 0; k < ANGLES; k++) {
      double angle = Math.PI * k / ANGLES;
      double cos = Math.cos(angle);
      double sin = Math.sin(angle);
      for (int i = 0; i < RADII; i++) {
        double logit = radii[i] * cos * truthNorm;
        double guess = radii[i] * (cos * along + sin * across);
        sum += shares[i] * divergence(logit, guess);
      }
    }
    return sum / ANGLES;
  }

  private static double divergence(double logit, double guess) {
    return softplus(guess) - softplus(logit) - (guess - logit) / (1 + Math.exp(-logit));
  }

  private static double softplus(double s) {
    return Math.max(s, 0) + Math.log1p(Math.exp(-Math.abs(s)));
  }

  private double[] stretched(double[] weights) {
    double[] result = new double[axes.length];
    for (int j = 0; j < axes.length; j++) {
      result[j] = axes[j] * weights[j];
    }
    return result;
  }

  private static double norm(double[] vector) {
    double squares = 0;
    for (double each : vector) {
      squares += each * each;
    }
    return Math.sqrt(squares);
  }

  /** The node of a number, and its weight, on [-1, 1], by Newton's method. */
  private static double[] legendre(int number) {
    double x = Math.cos(Math.PI * (number + 0.75) / (RADII + 0.5));
    double slope = 1;
    for (int step = 0; step < 100; step++) {
      double before = 1;
      double value = x;
      for (int k = 2; k <= RADII; k++) {
        double next = ((2 * k - 1) * x * value - (k - 1) * before) / k;
        before = value;
        value = next;
      }
      slope = RADII * (x * value - before) / (x * x - 1);
      x -= value / slope;
    }
    return new double[] {x, 2 / ((1 - x * x) * slope * slope)};
  }
}
