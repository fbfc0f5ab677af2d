package dev.sotto.learner.mechanism.tuning;

/** Minimises a smooth function by the steps of Broyden, Fletcher, Goldfarb and Shanno (1970). */
final class QuasiNewton {
  private static final int MOST_STEPS = 2000;
  private static final double SUFFICIENT = 1e-4; // of the slope's promise (Armijo)
  private static final double FLAT = 1e-15; // a step that gains less, relatively, is none
  private static final double FIRST_STEP = 0.1;
  private static final double SHORTEST = 1e-14;

  /** A function and its gradient. */
  interface Function {
    /** The value at a point, and the gradient there into an array; infinite outside its domain. */
    double at(double[] point, double[] gradient);
  }

  private QuasiNewton() {}

  /** A point near the start where no step gains any more. */
  static double[] minimise(Function function, double[] start) {
    int size = start.length;
    double[] point = start.clone();
    double[] gradient = new double[size];
    double value = function.at(point, gradient);
    double[][] inverse = identity(size); // of the second derivatives, as far as known
    boolean known = false;
    for (int step = 0; step < MOST_STEPS; step++) {
      double[] direction = times(inverse, gradient);
      double slope = dot(direction, gradient);
      double length = known ? 1 : Math.min(1, FIRST_STEP / Math.sqrt(dot(direction, direction)));
      double[] nextGradient = new double[size];
      double[] next = moved(point, direction, length);
      double nextValue = function.at(next, nextGradient);
      while (!(nextValue <= value - SUFFICIENT * length * slope) && length > SHORTEST) {
        length /= 2;
        next = moved(point, direction, length);
        nextValue = function.at(next, nextGradient);
      }
      if (value - nextValue > FLAT * Math.abs(value)) {
        update(inverse, minus(next, point), minus(nextGradient, gradient));
        known = true;
        point = next;
        gradient = nextGradient;
        value = nextValue;
      } else if (known) { // try again down the gradient itself
        inverse = identity(size);
        known = false;
      } else {
        return point;
      }
    }
    return point;
  }

  private static double[] moved(double[] point, double[] direction, double length) {
    double[] moved = new double[point.length];
    for (int i = 0; i < moved.length; i++) {
      moved[i] = point[i] - length * direction[i];
    }
    return moved;
  }

  /**
   * H <- (1 - s y'/y's) H (1 - y s'/y's) + s s'/y's, unless the curvature along the step is not
   * positive.
   */
  private static void update(double[][] inverse, double[] s, double[] y) {
    double curvature = dot(s, y);
    if (!(curvature > 0)) {
      return;
    }
    double[] hy = times(inverse, y);
    double scale = (1 + dot(y, hy) / curvature) / curvature;
    for (int i = 0; i < s.length; i++) {
      for (int j = 0; j < s.length; j++) {
        inverse[i][j] += scale * s[i] * s[j] - (hy[i] * s[j] + s[i] * hy[j]) / curvature;
      }
    }
  }

  private static double[][] identity(int size) {
    double[][] identity = new double[size][size];
    for (int i = 0; i < size; i++) {
      identity[i][i] = 1;
    }
    return identity;
  }

  private static double[] times(double[][] matrix, double[] vector) {
    double[] product = new double[vector.length];
    for (int i = 0; i < product.length; i++) {
      product[i] = dot(matrix[i], vector);
    }
    return product;
  }

  private static double[] minus(double[] a, double[] b) {
    double[] difference = new double[a.length];
    for (int i = 0; i < a.length; i++) {
      difference[i] = a[i] - b[i];
    }
    return difference;
  }

  private static double dot(double[] a, double[] b) {
    double sum = 0;
    for (int i = 0; i < a.length; i++) {
      sum += a[i] * b[i];
    }
    return sum;
  }
}
