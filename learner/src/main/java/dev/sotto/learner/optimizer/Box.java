package dev.sotto.learner.optimizer;

/**
 * Psi(w) = ||w||_2^2 / 2 over the box [low, high]^d.
 *
 * @param low below high, or minus infinity
 * @param high above low, or infinity
 */
public record Box(double low, double high) implements Potential, Projection {
  public Box {
    if (!(low < high)) {
      throw new IllegalArgumentException("low must be below high = " + high + ", but was " + low);
    }
  }

  /** w_i = clamp(-eta G_i, low, high). */
  @Override
  public void argmin(double[] gradient, double eta, double[] into) {
    PotentialChecks.arguments(gradient, eta, into);
    for (int i = 0; i < gradient.length; i++) {
      into[i] = PotentialChecks.saturated(Math.max(low, Math.min(high, 0 - eta * gradient[i])));
    }
  }

  @Override
  public void gradient(double[] point, double[] into) {
    System.arraycopy(point, 0, into, 0, point.length);
  }

  /** w_i = clamp(w_i, low, high). */
  @Override
  public void project(double[] point) {
    for (int i = 0; i < point.length; i++) {
      point[i] = PotentialChecks.saturated(Math.max(low, Math.min(high, point[i])));
    }
  }

  /** Psi falls from the corner of the largest magnitude to the point nearest to the origin. */
  @Override
  public double diameter(int dimension) {
    PotentialChecks.dimension(dimension);
    double far = Math.max(Math.abs(low), Math.abs(high));
    if (far == Double.POSITIVE_INFINITY) {
      return far;
    }
    double near = Math.max(0, Math.max(low, -high)); // the box's distance from 0 in one coordinate
    double farther = Math.sqrt(far - near) * Math.sqrt(far + near);
    return Math.sqrt(dimension / 2.0) * farther;
  }

  @Override
  public String describe() {
    return "box min=" + Double.toHexString(low) + " max=" + Double.toHexString(high);
  }
}
