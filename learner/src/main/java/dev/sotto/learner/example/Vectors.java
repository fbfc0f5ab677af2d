package dev.sotto.learner.example;

/**
 * Inner products and norms of plain arrays. Every sum runs in one fixed order, four partial sums
 * side by side, so that the same input gives the same bits on every machine and Java version.
 */
public final class Vectors {
  private static final double TINY = 1e-280;
  private static final double HUGE = 1e280;

  private Vectors() {}

  /** The inner product of the first {@code length} entries. */
  public static double dot(double[] a, double[] b, int length) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < length; i += 4) {
      s0 += a[i] * b[i];
      s1 += a[i + 1] * b[i + 1];
      s2 += a[i + 2] * b[i + 2];
      s3 += a[i + 3] * b[i + 3];
    }
    for (; i < length; i++) {
      s0 += a[i] * b[i];
    }
    return (s0 + s1) + (s2 + s3);
  }

  /** The same with the entries of {@code b} that begin at {@code from}. */
  public static double dot(double[] a, double[] b, int from, int length) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < length; i += 4) {
      s0 += a[i] * b[from + i];
      s1 += a[i + 1] * b[from + i + 1];
      s2 += a[i + 2] * b[from + i + 2];
      s3 += a[i + 3] * b[from + i + 3];
    }
    for (; i < length; i++) {
      s0 += a[i] * b[from + i];
    }
    return (s0 + s1) + (s2 + s3);
  }

  /**
   * The l2 norm of the first {@code length} entries. Where squares would overflow or underflow, it
   * is taken after division by the largest magnitude (docs/privacy.md, "Clipping and exact sums").
   *
   * @return NaN or infinity exactly where an entry is NaN or infinite, or the norm itself overflows
   */
  public static double norm(double[] a, int length) {
    double squares = dot(a, a, length);
    if (squares > TINY && squares < HUGE) {
      return Math.sqrt(squares);
    }
    return scaledNorm(a, length);
  }

  /**
   * The l1 norm of the first {@code length} entries.
   *
   * @return NaN or infinity exactly where an entry is NaN or infinite, or the norm itself overflows
   */
  public static double l1Norm(double[] a, int length) {
    double s0 = 0;
    double s1 = 0;
    double s2 = 0;
    double s3 = 0;
    int i = 0;
    for (; i + 3 < length; i += 4) {
      s0 += Math.abs(a[i]);
      s1 += Math.abs(a[i + 1]);
      s2 += Math.abs(a[i + 2]);
      s3 += Math.abs(a[i + 3]);
    }
    for (; i < length; i++) {
      s0 += Math.abs(a[i]);
    }
    return (s0 + s1) + (s2 + s3);
  }

  private static double scaledNorm(double[] a, int length) {
    double largest = 0;
    for (int i = 0; i < length; i++) {
      double magnitude = Math.abs(a[i]);
      if (!Double.isFinite(magnitude)) {
        return magnitude;
      }
      largest = Math.max(largest, magnitude);
    }
    if (largest == 0) {
      return 0;
    }
    double sum = 0;
    for (int i = 0; i < length; i++) {
      double scaled = a[i] / largest;
      sum += scaled * scaled;
    }
    return largest * Math.sqrt(sum);
  }

  /** Divides the entries from one up to another. */
  public static void divide(double[] a, double divisor, int from, int to) {
    double inverse = 1 / divisor;
    if (Math.scalb(1.0, Math.getExponent(divisor)) == divisor && Double.isFinite(inverse)) {
      for (int i = from; i < to; i++) {
        a[i] *= inverse; // a power of two: the same bits, sooner
      }
      return;
    }
    for (int i = from; i < to; i++) {
      a[i] /= divisor;
    }
  }

  /** Whether none of the first {@code length} entries is NaN or infinite. */
  public static boolean isFinite(double[] a, int length) {
    for (int i = 0; i < length; i++) {
      if (!Double.isFinite(a[i])) {
        return false;
      }
    }
    return true;
  }
}
