package dev.sotto.learner.accounting;

import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.learner.example.NormalTail;

/**
 * The Renyi divergence of the sampled Gaussian mechanism for every real order above 1 (Mironov,
 * Talwar and Zhang 2019, "Renyi Differential Privacy of the Sampled Gaussian Mechanism"): ln A /
 * (alpha - 1), A = E[r(z)^alpha] over z ~ N(0, sigma^2), r = 1 + y, y = rate (e^((z - 1/2) /
 * sigma^2) - 1). By their Theorem 5 this order, removal, is the worse one.
 *
 * <p>Their series alternates for fractional alpha. As E[y] = 0 we have instead A - 1 = E[g(y)] with
 * g = (1+y)^alpha - 1 - alpha y at least 0: a sum of positive terms by the trapezoidal rule,
 * relatively precise for however small a rate.
 *
 * <p>Error of the rule with step h: the integrand is analytic for |Im z| below d = min(2 sigma, 3
 * sigma^2), there |r| is at most its value on the axis and the Gaussian grows by at most e^2, so
 * the error is at most 2 e^2 (A + 1 + 2 alpha) e^(-2 pi d / h) / (1 - e^(-2 pi d / h)); h =
 * min(sigma, sigma^2) / 8 makes it less than 1e-40 (A + 1 + 2 alpha). It and bounds on both tails
 * are added.
 */
final class SampledGaussianRenyi {
  private static final double REACH = 13;
  private static final double LOG_REACH_TAIL =
      NormalTail.logDensity(REACH) + StrictMath.log(NormalTail.mills(REACH));
  private static final double NEGLIGIBLE = -45; // e^-45 = 3e-20
  private static final double LOG_RULE_ERROR = -90; // above ln 1e-40
  private static final double SLACK = 0x1p-36;
  private static final double MOST_NODES = 1 << 22;

  private final SampledGaussian pair;
  private final double order;

  /**
   * ln of the sum so far, as peak + ln(scaled), and how large the parts of the peak's logarithm
   * were.
   */
  private double peak = Double.NEGATIVE_INFINITY;

  private double scaled;
  private double magnitude;

  private SampledGaussianRenyi(SampledGaussian pair, double order) {
    this.pair = pair;
    this.order = order;
  }

  /**
   * Never below the true divergence; above it by at most a relative 1e-10 while rate / sigma is
   * above 1e-12. Where the rule would take more than 2^22 terms (order over 2^19 min(sigma,
   * sigma^2), about) it is by the convexity of (1 - rate + rate x)^alpha in x instead, which is
   * coarser.
   */
  static double divergence(SampledGaussian pair, double order) {
    double sigma = pair.noiseMultiplier();
    double unsampled = RenyiDivergences.gaussian(1 / sigma, order);
    if (pair.rate() == 0) {
      return 0;
    }
    if (pair.rate() == 1 || order == Double.POSITIVE_INFINITY) {
      return unsampled;
    }
    double step = Math.min(sigma, sigma * sigma) / 8;
    double log = (order + 2 * REACH * sigma) / step > MOST_NODES
        ? convexBound(pair.rate(), (order - 1) * unsampled)
        : new SampledGaussianRenyi(pair, order).logMoment(step);
    return Math.min(unsampled, log / (order - 1));
  }

  /** ln(1 - rate + rate e^log), rounded up. */
  private static double convexBound(double rate, double log) {
    double bound = log < 30
        ? StrictMath.log1p(rate * StrictMath.expm1(log))
        : log + StrictMath.log(rate) + StrictMath.log1p((1 - rate) / rate * StrictMath.exp(-log));
    return bound + SLACK * Math.abs(bound) + 0x1p-50 * log;
  }

  private double logMoment(double step) {
    double sigma = pair.noiseMultiplier();
    double logStep = StrictMath.log(step / sigma);
    double left = -REACH * sigma;
    for (long k = 0; ; k++) {
      double z = left + k * step;
      double loss = pair.loss(z);
      double rise = order * loss;
      double density = NormalTail.logDensity(z / sigma);
      add(logStep + density + logExcess(loss), Math.abs(rise) + Math.abs(density));
      // Beyond z the logarithm of density e^rise falls at least as fast as (order - z) / sigma^2.
      double past = (z - order) / sigma;
      double tail = density + rise - StrictMath.log(past);
      if (past > 40 || past > 8 && tail < logSum() + NEGLIGIBLE) {
        add(tail, 0);
        break;
      }
    }
    add(LOG_REACH_TAIL + logExcess(StrictMath.log1p(-pair.rate())), 0);
    double error = SLACK + 0x1p-49 * magnitude;
    double sum = logSum();
    double rule = LOG_RULE_ERROR + StrictMath.log(2 + 2 * order); // the share of A - 1 is in SLACK
    double log = Math.max(sum, rule) + StrictMath.log1p(StrictMath.exp(-Math.abs(sum - rule)));
    log += StrictMath.log1p(error);
    return log > 30 ? log + StrictMath.exp(-log) : StrictMath.log1p(StrictMath.exp(log));
  }

  private void add(double log, double parts) {
    if (log > peak) {
      scaled = scaled * StrictMath.exp(peak - log) + 1;
      peak = log;
      magnitude = parts;
    } else {
      scaled += StrictMath.exp(log - peak);
    }
  }

  private double logSum() {
    return peak + StrictMath.log(scaled);
  }

  /** ln g of y = e^logRatio - 1. */
  private double logExcess(double logRatio) {
    double y = StrictMath.expm1(logRatio);
    if (Math.abs(order * y) < 0.1) {
      double term = 1;
      double sum = 1;
      for (int k = 2; Math.abs(term) > 0x1p-60; k++) {
        term *= (order - k) / (k + 1) * y;
        sum += term;
      }
      return StrictMath.log(order * (order - 1) / 2 * sum) + 2 * StrictMath.log(Math.abs(y));
    }
    double rise = order * logRatio;
    if (rise < 1) { // as (1 + y) ((1 + y)^(alpha-1) - 1) - (alpha-1) y: near 1 no order cancels
      double power = StrictMath.exp(logRatio) * StrictMath.expm1((order - 1) * logRatio);
      return StrictMath.log(power - (order - 1) * y);
    }
    double line = StrictMath.log1p(-(order - 1) * StrictMath.expm1(-logRatio));
    return rise + StrictMath.log(-StrictMath.expm1(line - (order - 1) * logRatio));
  }
}
