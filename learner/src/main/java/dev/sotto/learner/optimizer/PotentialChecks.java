package dev.sotto.learner.optimizer;

/** What every potential asks of its arguments, and the one saturation that all of them share. */
final class PotentialChecks {
  private PotentialChecks() {}

  static void arguments(double[] gradient, double eta, double[] into) {
    if (!(eta > 0) || eta == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("eta must be positive and finite, but was " + eta);
    }
    if (into.length != gradient.length) {
      throw new IllegalArgumentException(
          "into must have the gradient's length " + gradient.length + ", but had " + into.length);
    }
  }

  static void dimension(int dimension) {
    if (dimension < 1) {
      throw new IllegalArgumentException("dimension must be at least 1, but was " + dimension);
    }
  }

  static void radius(double radius) {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("radius must be positive, but was " + radius);
    }
  }

  /** The finite number next to this one. */
  static double saturated(double value) {
    return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, value));
  }

  /** The largest magnitude, at least 0. */
  static double largest(double[] vector) {
    double largest = 0;
    for (double entry : vector) {
      largest = Math.max(largest, Math.abs(entry));
    }
    return largest;
  }
}
