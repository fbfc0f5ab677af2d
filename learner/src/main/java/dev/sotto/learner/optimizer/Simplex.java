package dev.sotto.learner.optimizer;

/**
 * Psi(w) = R sum w_i ln(w_i / R) over the simplex of size R: coordinates at least 0 that sum to R.
 * The factor R makes it 1-strongly convex in l1.
 *
 * @param size R, positive and finite
 */
public record Simplex(double size) implements Potential {
  public Simplex {
    if (!(size > 0) || size == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("size must be positive and finite, but was " + size);
    }
  }

  /** w = R softmax(-eta G / R), every exponent relative to the largest. */
  @Override
  public void argmin(double[] gradient, double eta, double[] into) {
    PotentialChecks.arguments(gradient, eta, into);
    double smallest = Double.POSITIVE_INFINITY;
    for (double entry : gradient) {
      smallest = Math.min(smallest, entry);
    }
    double sum = 0; // at least 1
    for (int i = 0; i < gradient.length; i++) {
      // In this order: 0 stays 0, and an overflow means a weight of 0. The halves of a difference
      // never overflow where it does itself.
      double half = eta * (gradient[i] / 2 - smallest / 2) / size;
      into[i] = StrictMath.exp(-2 * half);
      sum += into[i];
    }
    for (int i = 0; i < into.length; i++) {
      into[i] = size * (into[i] / sum);
    }
  }

  /** R ln(w_i / R), but for a constant; a weight of 0 counts as the smallest normal number. */
  @Override
  public void gradient(double[] point, double[] into) {
    for (int i = 0; i < point.length; i++) {
      into[i] = size * StrictMath.log(Math.max(Double.MIN_NORMAL, point[i] / size));
    }
  }

  /** R sqrt(ln d): from a corner, where Psi is 0, down to the middle. */
  @Override
  public double diameter(int dimension) {
    PotentialChecks.dimension(dimension);
    return size * Math.sqrt(StrictMath.log(dimension));
  }

  @Override
  public String describe() {
    return "simplex radius=" + Double.toHexString(size);
  }
}
