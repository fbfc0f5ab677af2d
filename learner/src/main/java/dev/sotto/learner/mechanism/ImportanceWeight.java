package dev.sotto.learner.mechanism;

import dev.sotto.learner.example.Vectors;

/**
 * The weight w of a gradient that was taken at {@code center + xi}, for the point {@code center +
 * u}: with xi ~ N(0, rho^2 I), the mean of w times the gradient is the gradient at {@code center +
 * u} of the loss convolved with N(0, rho^2 I) (Definition 2, Lemma 1). Its moments depend only on
 * the relative distance t = ||u|| / rho, as ln w ~ N(-t^2 / 2, t^2).
 */
public final class ImportanceWeight {
  /** e^700 is finite. At t = 1 one weight in 10^107000 is larger. */
  private static final double MOST = 700;

  private ImportanceWeight() {}

  /**
   * {@code ln w = (<u, xi> - ||u||^2 / 2) / rho^2}. Two densities are never computed, nor the
   * difference of {@code ||u - xi||^2} and {@code ||xi||^2}: the first overflow, the second cancel.
   *
   * @param offset u; longer where more follows behind it
   * @param perturbation xi
   */
  public static double log(double[] offset, double[] perturbation, double rho) {
    int length = perturbation.length;
    double inner = Vectors.dot(offset, perturbation, length);
    return (inner - 0.5 * Vectors.dot(offset, offset, length)) / rho / rho;
  }

  /** w, at most e^700. */
  public static double of(double[] offset, double[] perturbation, double rho) {
    return StrictMath.exp(Math.min(MOST, log(offset, perturbation, rho)));
  }

  /**
   * E w^p = exp(p (p - 1) t^2 / 2).
   *
   * @param t relative distance, at least 0
   */
  public static double moment(double p, double t) {
    return StrictMath.exp(p * (p - 1) / 2 * t * t);
  }

  /**
   * m_p(t) = e^((p - 1) t^2 / 2) ||N((p - 1) t, 1)||_p. For weights w and w' at points within t rho
   * of the centre, {@code ||w - w'||_p <= m_p(t) ||u - u'|| / rho}: the gradient of w is {@code w
   * (xi - u) / rho^2}, and completing the square moves xi to the mean p u.
   *
   * @param p at least 1
   * @param t at least 0
   */
  public static double differenceFactor(int p, double t) {
    return StrictMath.exp((p - 1) * t * t / 2 + logAbsoluteMoment(p, (p - 1) * t) / p);
  }

  /**
   * ln E|N(m, 1)|^p, by Kummer's series {@code E|Z|^p e^(-m^2/2) 1F1((p+1)/2; 1/2; m^2/2)}, whose
   * terms are positive. Infinite where the sum overflows.
   */
  public static double logAbsoluteMoment(int p, double m) {
    if (p < 1) {
      throw new IllegalArgumentException("the moment's order must be at least 1, but was " + p);
    }
    double atZero = p % 2 == 0 ? 0 : 0.5 * StrictMath.log(2 / Math.PI);
    for (int i = p - 1; i > 1; i -= 2) {
      atZero += StrictMath.log(i);
    }
    double half = m * m / 2;
    double sum = 0;
    double term = 1;
    for (int k = 0; term > sum * 0x1p-60; k++) {
      sum += term;
      term *= (0.5 * (p + 1) + k) / (0.5 + k) * (half / (k + 1));
    }
    return atZero - half + StrictMath.log(sum);
  }
}
