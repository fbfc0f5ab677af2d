package dev.sotto.learner.accounting;

import dev.sotto.learner.example.NormalTail;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.function.DoubleUnaryOperator;

/** Renyi moments A = E_Q[(P/Q)^alpha] = e^((alpha-1) divergence) in slow and obvious ways. */
final class SlowRenyi {
  private static final MathContext DIGITS = new MathContext(100);

  private SlowRenyi() {}

  /** e^((alpha-1) divergence) of a claimed divergence. */
  static BigDecimal moment(double divergence, double order) {
    BigDecimal power = new BigDecimal(order).subtract(BigDecimal.ONE);
    return SlowGaussian.exp(power.multiply(new BigDecimal(divergence), DIGITS));
  }

  static BigDecimal laplace(double epsilon, double order) {
    BigDecimal alpha = new BigDecimal(order);
    BigDecimal less = alpha.subtract(BigDecimal.ONE);
    BigDecimal shift = new BigDecimal(epsilon);
    BigDecimal rise = SlowGaussian.exp(less.multiply(shift, DIGITS)).multiply(alpha, DIGITS);
    BigDecimal fall =
        SlowGaussian.exp(alpha.negate().multiply(shift, DIGITS)).multiply(less, DIGITS);
    return rise.add(fall).divide(alpha.add(less), DIGITS);
  }

  static BigDecimal randomizedResponse(double epsilon, double order) {
    BigDecimal alpha = new BigDecimal(order);
    BigDecimal less = alpha.subtract(BigDecimal.ONE);
    BigDecimal shift = new BigDecimal(epsilon);
    BigDecimal up = SlowGaussian.exp(alpha.multiply(shift, DIGITS));
    BigDecimal down = SlowGaussian.exp(less.negate().multiply(shift, DIGITS));
    BigDecimal whole = BigDecimal.ONE.add(SlowGaussian.exp(shift));
    return up.add(down).divide(whole, DIGITS);
  }

  /** The binomial sum for whole orders (Mironov, Talwar and Zhang 2019, equation 6). */
  static BigDecimal sampledGaussian(double rate, double sigma, int order) {
    BigDecimal taken = new BigDecimal(rate);
    BigDecimal left = BigDecimal.ONE.subtract(taken);
    BigDecimal twice = new BigDecimal(sigma).pow(2).multiply(BigDecimal.valueOf(2));
    BigDecimal choose = BigDecimal.ONE;
    BigDecimal sum = BigDecimal.ZERO;
    for (int j = 0; j <= order; j++) {
      BigDecimal power = BigDecimal.valueOf((long) j * j - j).divide(twice, DIGITS);
      sum = sum.add(
          choose
              .multiply(left.pow(order - j), DIGITS)
              .multiply(taken.pow(j), DIGITS)
              .multiply(SlowGaussian.exp(power), DIGITS),
          DIGITS);
      choose = choose.multiply(BigDecimal.valueOf(order - j)).divide(BigDecimal.valueOf(j + 1));
    }
    return sum;
  }

  /**
   * A - 1 for fractional orders by the published series with complementary error functions (their
   * section 3.3), plain doubles.
   */
  static double sampledGaussianSeries(double rate, double sigma, double order) {
    double place = sigma * sigma * Math.log(1 / rate - 1) + 0.5;
    double choose = 1;
    double sum = 0;
    for (int i = 0; i < 20_000; i++) {
      double other = order - i;
      double below = Math.exp(other * Math.log1p(-rate)
          + i * Math.log(rate)
          + (i * (i - 1.0)) / (2 * sigma * sigma)
          + logTail((i - place) / sigma));
      double above = Math.exp(i * Math.log1p(-rate)
          + other * Math.log(rate)
          + other * (other - 1) / (2 * sigma * sigma)
          + logTail((place - other) / sigma));
      sum += choose * (below + above);
      choose *= other / (i + 1);
    }
    return sum - 1;
  }

  /** ln Phi(-x). */
  private static double logTail(double x) {
    return x > -5
        ? NormalTail.logDensity(x) + Math.log(NormalTail.mills(x))
        : Math.log1p(-Math.exp(NormalTail.logDensity(x)) * NormalTail.mills(-x));
  }

  /** The divergence of e^logP from e^logQ by Simpson's rule. */
  static double integrated(
      DoubleUnaryOperator logP, DoubleUnaryOperator logQ, double order, double from, double to) {
    int steps = 40_000;
    double width = (to - from) / steps;
    double[] logs = new double[steps + 1];
    double peak = Double.NEGATIVE_INFINITY;
    for (int i = 0; i <= steps; i++) {
      double x = from + i * width;
      logs[i] = order * logP.applyAsDouble(x) + (1 - order) * logQ.applyAsDouble(x);
      peak = Math.max(peak, logs[i]);
    }
    double sum = 0;
    for (int i = 0; i <= steps; i++) {
      int weight = i == 0 || i == steps ? 1 : i % 2 == 0 ? 2 : 4;
      sum += weight * Math.exp(logs[i] - peak);
    }
    return (peak + Math.log(sum * width / 3)) / (order - 1);
  }
}
