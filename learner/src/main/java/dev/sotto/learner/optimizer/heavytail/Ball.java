package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.example.Vectors;

/**
 * The set W of an algorithm: an l2 ball. Its diameter is the D of the schedules.
 *
 * @param center finite, not changed; null for the origin of any dimension
 * @param radius positive; infinite for the whole space
 */
public record Ball(double[] center, double radius) {
  public Ball {
    if (!(radius > 0)) {
      throw new IllegalArgumentException("radius must be positive, but was " + radius);
    }
  }

  /** The whole space. */
  public static Ball all() {
    return new Ball(null, Double.POSITIVE_INFINITY);
  }

  /** c + (w - c) min(1, R / ||w - c||). */
  public void project(double[] point) {
    project(point, center, radius);
  }

  /** The same for a center that changes; coordinates that overflow stop at the largest double. */
  public static void project(double[] point, double[] center, double radius) {
    double[] offset = point;
    for (int i = 0; i < point.length; i++) {
      point[i] = finite(finite(point[i]) - (center == null ? 0 : center[i]));
    }
    double norm = Vectors.norm(offset, offset.length);
    double shrink = 1;
    if (norm == Double.POSITIVE_INFINITY) { // too long for a double, but it has a direction
      shrink = 0x1p-600;
      for (int i = 0; i < offset.length; i++) {
        offset[i] *= shrink;
      }
      norm = Vectors.norm(offset, offset.length);
    }
    boolean outside = norm / shrink > radius;
    for (int i = 0; i < point.length; i++) {
      double inside = outside ? radius * (offset[i] / norm) : offset[i] / shrink;
      point[i] = finite(inside + (center == null ? 0 : center[i]));
    }
  }

  private static double finite(double value) {
    return Math.max(-Double.MAX_VALUE, Math.min(Double.MAX_VALUE, value));
  }

  /** In one line, the same for equal sets of one start. */
  public String describe() {
    return "radius=" + Double.toHexString(radius) + (center == null ? "" : " center=start");
  }
}
