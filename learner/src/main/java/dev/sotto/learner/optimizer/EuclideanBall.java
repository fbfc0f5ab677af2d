package dev.sotto.learner.optimizer;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.memory.CoordinateRanges;

/** Psi(w) = ||w - c||_2^2 / 2 over the l2 ball of a radius around c, or over the whole space. */
public final class EuclideanBall implements Potential, Projection {
  private final double[] center;
  private final double radius;

  /**
   * A ball.
   *
   * @param center finite, copied; null for the origin of any dimension
   * @param radius positive; infinite for the whole space
   */
  public EuclideanBall(double[] center, double radius) {
    PotentialChecks.radius(radius);
    if (center != null && !Vectors.isFinite(center, center.length)) {
      throw new IllegalArgumentException("center must be finite, but has a coordinate that is not");
    }
    this.center = center == null ? null : center.clone();
    this.radius = radius;
  }

  /** w = c - eta G min(1, R / (eta ||G||_2)). */
  @Override
  public void argmin(double[] gradient, double eta, double[] into) {
    PotentialChecks.arguments(gradient, eta, into);
    checkDimension(gradient.length);
    double norm = isWholeSpace() ? 0 : Vectors.norm(gradient, gradient.length);
    boolean outside = eta * norm > radius; // an overflowing product is outside, as it should be
    CoordinateRanges.each(gradient.length, (from, to) -> {
      for (int i = from; i < to; i++) {
        double step = outside ? radius * (gradient[i] / norm) : eta * gradient[i];
        into[i] = PotentialChecks.saturated((center == null ? 0 : center[i]) - step);
      }
    });
  }

  @Override
  public void gradient(double[] point, double[] into) {
    checkDimension(point.length);
    for (int i = 0; i < point.length; i++) {
      into[i] = PotentialChecks.saturated(point[i] - (center == null ? 0 : center[i]));
    }
  }

  /** c + (w - c) min(1, R / ||w - c||_2). */
  @Override
  public void project(double[] point) {
    checkDimension(point.length);
    for (int i = 0; i < point.length; i++) {
      point[i] = PotentialChecks.saturated(point[i]);
    }
    if (radius == Double.POSITIVE_INFINITY) {
      return;
    }
    for (int i = 0; i < point.length; i++) {
      point[i] = PotentialChecks.saturated(point[i] - (center == null ? 0 : center[i]));
    }
    double norm = Vectors.norm(point, point.length);
    boolean outside = norm > radius;
    if (norm == Double.POSITIVE_INFINITY) { // too long for a double, but it has a direction
      for (int i = 0; i < point.length; i++) {
        point[i] *= 0x1p-600;
      }
      norm = Vectors.norm(point, point.length);
    }
    for (int i = 0; i < point.length; i++) {
      double offset = outside ? radius * (point[i] / norm) : point[i];
      point[i] = (center == null ? 0 : center[i]) + offset;
    }
  }

  @Override
  public double diameter(int dimension) {
    PotentialChecks.dimension(dimension);
    checkDimension(dimension);
    return radius / Math.sqrt(2);
  }

  /** Whether it is no ball but the whole space. */
  boolean isWholeSpace() {
    return radius == Double.POSITIVE_INFINITY;
  }

  @Override
  public String describe() {
    return "l2 radius=" + Double.toHexString(radius) + (center == null ? "" : " center=start");
  }

  private void checkDimension(int dimension) {
    if (center != null && center.length != dimension) {
      throw new IllegalArgumentException(
          "gradient must have the center's length " + center.length + ", but had " + dimension);
    }
  }
}
