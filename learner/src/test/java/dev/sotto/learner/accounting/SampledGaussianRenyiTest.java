package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import java.math.BigDecimal;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Test;

class SampledGaussianRenyiTest {
  private static final double[] RATES = {1e-9, 1e-4, 0.01, 0.2, 0.5, 0.9, 0.999};
  private static final double[] SIGMAS = {0.2, 0.5, 1, 2.5, 40};

  private static double divergence(double rate, double sigma, double order) {
    return SampledGaussianRenyi.divergence(new SampledGaussian(rate, sigma), order);
  }

  @Test
  void boundsWholeOrdersFromAboveAndClosely() {
    for (double rate : RATES) {
      for (double sigma : SIGMAS) {
        for (int order : new int[] {2, 3, 4, 8, 26, 100}) {
          double claimed = divergence(rate, sigma, order);
          BigDecimal exact = SlowRenyi.sampledGaussian(rate, sigma, order);
          assertThat(SlowRenyi.moment(claimed, order))
              .as("%s %s %s", rate, sigma, order)
              .isGreaterThanOrEqualTo(exact);
          assertThat(SlowRenyi.moment(claimed * (1 - 1e-10), order)).isLessThan(exact);
        }
      }
    }
  }

  @Test
  void agreesWithThePublishedSeriesAtFractionalOrders() {
    for (double rate : new double[] {1e-3, 0.01, 0.2, 0.5}) {
      for (double sigma : new double[] {0.5, 1, 2.5}) {
        for (double order : new double[] {1.1, 1.5, 2.5, 3.999, 7.3, 20.5}) {
          double series = SlowRenyi.sampledGaussianSeries(rate, sigma, order);
          double ours = StrictMath.expm1((order - 1) * divergence(rate, sigma, order));
          // The series is a difference from 1 and stops after 20,000 terms of i^(-order-2).
          assertThat(ours)
              .as("%s %s %s", rate, sigma, order)
              .isCloseTo(series, within(1e-9 * series + 1e-11));
        }
      }
    }
  }

  /** ln((1-rate) N(0, sigma^2) + rate N(1, sigma^2)) less constants that both densities share. */
  private static DoubleUnaryOperator mixture(double rate, double sigma) {
    return x -> {
      double out = Math.log1p(-rate) - x * x / (2 * sigma * sigma);
      double in = Math.log(rate) - (x - 1) * (x - 1) / (2 * sigma * sigma);
      double more = Math.max(in, out);
      return more + Math.log1p(Math.exp(-Math.abs(in - out))) - constant(sigma);
    };
  }

  private static DoubleUnaryOperator noise(double sigma) {
    return x -> -x * x / (2 * sigma * sigma) - constant(sigma);
  }

  private static double constant(double sigma) {
    return Math.log(sigma * Math.sqrt(2 * Math.PI));
  }

  @Test
  void boundsTheIntegralsOfBothOrders() {
    boolean additionIsLess = false;
    for (double rate : new double[] {0.01, 0.1, 0.5, 0.9}) {
      for (double sigma : new double[] {0.7, 1, 4}) {
        for (double order : new double[] {1.25, 2, 3.5, 12}) {
          double reach = 12 * sigma + order;
          DoubleUnaryOperator with = mixture(rate, sigma);
          DoubleUnaryOperator without = noise(sigma);
          double removal = SlowRenyi.integrated(with, without, order, -reach, 1 + reach);
          double addition = SlowRenyi.integrated(without, with, order, -reach, 1 + reach);
          double claimed = divergence(rate, sigma, order);
          assertThat(claimed).as("removal").isCloseTo(removal, within(1e-9 * removal + 1e-10));
          assertThat(claimed).as("addition").isGreaterThanOrEqualTo(addition - 1e-10);
          additionIsLess |= addition < 0.9 * claimed;
        }
      }
    }
    assertThat(additionIsLess)
        .as("a curve of additions alone, the broken twin, would have been caught")
        .isTrue();
  }

  @Test
  void isTheGaussianWhereEverythingIsTaken() {
    for (double order : new double[] {1.5, 2, 30}) {
      double whole = RenyiDivergences.gaussian(1 / 1.7, order);
      assertThat(divergence(1, 1.7, order)).isEqualTo(whole);
      assertThat(divergence(1 - 1e-13, 1.7, order)).isCloseTo(whole, within(1e-10));
    }
  }

  @Test
  void goesToNothingWithTheRate() {
    for (double order : new double[] {1.5, 2, 5}) {
      assertThat(divergence(0, 1, order)).isZero();
      for (double rate = 0.1; rate > 1e-14; rate /= 10) {
        double quadratic = order * rate * rate * Math.expm1(1) / 2; // the first term, at sigma 1
        assertThat(divergence(rate, 1, order)).isBetween(0.5 * quadratic, 200 * quadratic);
        if (rate < 1e-6) {
          assertThat(divergence(rate, 1, order)).isCloseTo(quadratic, within(1e-3 * quadratic));
        }
      }
      assertThat(divergence(1e-300, 1, order)).isBetween(0.0, 1e-30);
    }
  }

  @Test
  void risesWithOrderAndRateAndFallsWithNoise() {
    for (double order = 1.05; order < 40; order *= 1.13) {
      for (double rate = 1e-4; rate < 0.9; rate *= 3) {
        double here = divergence(rate, 1.3, order);
        assertThat(divergence(rate, 1.3, order * 1.01)).isGreaterThan(here);
        assertThat(divergence(rate * 1.01, 1.3, order)).isGreaterThan(here);
        assertThat(divergence(rate, 1.31, order)).isLessThan(here);
      }
    }
  }

  @Test
  void staysABoundWhereTheSumWouldBeTooLong() {
    for (int order : new int[] {2, 3, 40}) {
      double claimed = divergence(0.01, 1e-3, order);
      BigDecimal exact = SlowRenyi.sampledGaussian(0.01, 1e-3, order);
      assertThat(SlowRenyi.moment(claimed, order)).isGreaterThanOrEqualTo(exact);
      assertThat(claimed).isLessThanOrEqualTo(RenyiDivergences.gaussian(1e3, order));
    }
    assertThat(divergence(0.01, 1, 1e9)).isBetween(4.99e8, 5.01e8);
    assertThat(divergence(0.01, 1, Double.POSITIVE_INFINITY)).isEqualTo(Double.POSITIVE_INFINITY);
  }
}
