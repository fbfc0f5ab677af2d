package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import dev.sotto.learner.accounting.PrivacyLossGrid.Side;
import dev.sotto.learner.example.NormalTail;
import dev.sotto.testing.Seed;
import java.util.Random;
import java.util.function.DoubleUnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Check 10 of the page of the paper, and deltas of few sums by closed forms and integrals. */
class SampledLossesTest {
  static final double DELTA = 1e-6;

  private static PrivacyLossDistribution sums(double rate, double sigma, long number) {
    return PrivacyLossDistribution.of(new SampledGaussian(rate, sigma)).times(number);
  }

  /**
   * The page's accountant: (1 / (a - 1)) ln sum of C(a, j) (1 - q)^(a - j) q^j e^((j^2 - j) / (2
   * sigma^2)) for whole a, and the best of e + ln(1 - 1/a) - (ln delta + ln a) / (a - 1).
   */
  static double renyi(double rate, double sigma, long number) {
    double best = Double.POSITIVE_INFINITY;
    for (int a = 2; a <= 64; a++) {
      double[] logs = new double[a + 1];
      double choose = 0;
      for (int j = 0; j <= a; j++) {
        logs[j] = choose
            + (a - j) * Math.log1p(-rate)
            + j * Math.log(rate)
            + j * (j - 1) / (2 * sigma * sigma);
        choose += Math.log(a - j) - Math.log(j + 1);
      }
      double most = java.util.Arrays.stream(logs).max().orElseThrow();
      double sum =
          java.util.Arrays.stream(logs).map(each -> Math.exp(each - most)).sum();
      double curve = number * (most + Math.log(sum)) / (a - 1);
      best =
          Math.min(best, curve + Math.log1p(-1.0 / a) - (Math.log(DELTA) + Math.log(a)) / (a - 1));
    }
    return best;
  }

  @ParameterizedTest
  @CsvSource({ // rate, sigma, sums, by Renyi divergences, by the distribution of the loss, its
    // error
    "0.01, 2,     1000, 0.783, 0.721, 0.003",
    "0.05, 4.946, 448,  1.000, 0.925, 0.001"
  })
  void meetsTheNumbersOfThePage(
      double rate, double sigma, long number, double renyi, double epsilon, double error) {
    assertThat(renyi(rate, sigma, number)).isCloseTo(renyi, within(6e-4));
    assertThat(sums(rate, sigma, number).epsilon(DELTA)).isCloseTo(epsilon, within(error));
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({"0.01, 1, 1000, 2.437, 2.125, 0.003", "0.02, 3, 2000, 1.450, 1.345, 0.004"})
  void meetsMoreNumbersOfThePage(
      double rate, double sigma, long number, double renyi, double epsilon, double error) {
    meetsTheNumbersOfThePage(rate, sigma, number, renyi, epsilon, error);
  }

  /**
   * One subset for all points of a query is one sampled sum of root M times the norm; 0.72 and 0.21
   * would be claimed for as many subsets as points, falsely.
   */
  @ParameterizedTest
  @CsvSource("2, 4.10, 0.72") // sigma, true, claimed
  void chargesASharedSubsetMoreThanItsPointsApart(double sigma, double truth, double claimed) {
    PrivacyLossDistribution shared = sums(0.01, sigma / Math.sqrt(10), 100);
    PrivacyLossDistribution apart = sums(0.01, sigma, 1000);
    assertThat(shared.epsilon(DELTA)).isCloseTo(truth, within(0.006));
    assertThat(apart.epsilon(DELTA)).isCloseTo(claimed, within(0.007));
    PrivacyLossDistribution least = PrivacyLossDistribution.below(
            new SampledGaussian(0.01, sigma / Math.sqrt(10)))
        .times(100);
    assertThat(least.epsilon(DELTA)).as("surely false").isGreaterThan(apart.epsilon(DELTA));
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource("6, 0.246, 0.21") // 0.204 for 0.21
  void chargesASharedSubsetMoreUnderMuchNoise(double sigma, double truth, double claimed) {
    chargesASharedSubsetMoreThanItsPointsApart(sigma, truth, claimed);
  }

  private static double tail(double x) {
    return x < 0 ? 1 - tail(-x) : Math.exp(NormalTail.logDensity(x)) * NormalTail.mills(x);
  }

  /** delta at an epsilon of any sign, of one sum, with against without. */
  private static double removal(SampledGaussian pair, double epsilon) {
    double place = pair.place(epsilon);
    if (place == Double.NEGATIVE_INFINITY) {
      return -Math.expm1(epsilon);
    }
    double sigma = pair.noiseMultiplier();
    return (1 - pair.rate()) * tail(place / sigma)
        + pair.rate() * tail((place - 1) / sigma)
        - Math.exp(epsilon) * tail(place / sigma);
  }

  /** Without against with. */
  private static double addition(SampledGaussian pair, double epsilon) {
    double place = pair.place(-epsilon);
    double sigma = pair.noiseMultiplier();
    return place == Double.NEGATIVE_INFINITY
        ? 0
        : tail(-place / sigma)
            - Math.exp(epsilon)
                * ((1 - pair.rate()) * tail(-place / sigma)
                    + pair.rate() * tail((1 - place) / sigma));
  }

  /** Of two sums: the mean over the loss of the first of what is left for the second. */
  private static double twice(
      SampledGaussian pair, boolean removing, DoubleUnaryOperator ofOne, double epsilon) {
    double sigma = pair.noiseMultiplier();
    double step = sigma / 400;
    double sum = 0;
    for (double x = -12 * sigma; x < 1 + 12 * sigma; x += step) {
      double without = Math.exp(NormalTail.logDensity(x / sigma)) / sigma;
      double with = (1 - pair.rate()) * without
          + pair.rate() * Math.exp(NormalTail.logDensity((x - 1) / sigma)) / sigma;
      double loss = pair.loss(x);
      sum += step
          * (removing
              ? with * ofOne.applyAsDouble(epsilon - loss)
              : without * ofOne.applyAsDouble(epsilon + loss));
    }
    return sum;
  }

  @Test
  void neverUndercutsOneOrTwoSums() {
    int told = 0;
    for (double rate : new double[] {0.01, 0.3, 0.9}) {
      for (double sigma : new double[] {0.5, 1, 4}) {
        SampledGaussian pair = new SampledGaussian(rate, sigma);
        PrivacyLossDistribution one = sums(rate, sigma, 1);
        PrivacyLossDistribution two = sums(rate, sigma, 2);
        for (double epsilon : new double[] {1e-3, 0.05, 0.3, 1.3, 2.1}) {
          double exact = Math.max(removal(pair, epsilon), addition(pair, epsilon));
          assertThat(one.delta(epsilon)).isBetween(exact - 1e-13, exact * 1.01 + 1e-9);
          double both = Math.max(
              twice(pair, true, e -> removal(pair, e), epsilon),
              twice(pair, false, e -> addition(pair, e), epsilon));
          assertThat(two.delta(epsilon)).isBetween(both - 1e-12, both * 1.01 + 1e-9);
          told += one.delta(epsilon) < both - 1e-12 ? 1 : 0; // a twin that charges one of two
        }
      }
    }
    assertThat(told).isGreaterThan(30);
  }

  @Test
  void boundsEitherOrderByItself() {
    for (double rate : new double[] {0.001, 0.3}) {
      for (double sigma : new double[] {0.5, 4}) {
        SampledGaussian pair = new SampledGaussian(rate, sigma);
        PrivacyLossFunction removing = PrivacyLossFunction.removal(pair);
        PrivacyLossFunction adding = PrivacyLossFunction.addition(pair);
        PrivacyLossGrid removed = PrivacyLossBins.of(removing, Side.ABOVE, 8000);
        PrivacyLossGrid added = PrivacyLossBins.of(adding, Side.ABOVE, 8000);
        for (double epsilon : new double[] {-2, -0.4, -0.01, 0, 0.01, 0.2}) {
          double exact = removal(pair, epsilon);
          assertThat(removed.delta(epsilon)).isBetween(exact - 1e-13, exact * 1.03 + 1e-12);
          exact = addition(pair, epsilon);
          assertThat(added.delta(epsilon)).isBetween(exact - 1e-13, exact * 1.03 + 1e-12);
        }
        // All probability, less than which masses from below are by 2^-40.
        for (PrivacyLossFunction each : new PrivacyLossFunction[] {removing, adding}) {
          assertThat(1 - PrivacyLossBins.of(each, Side.BELOW, 100).delta(-2000))
              .isBetween(0.5 * 0x1p-40, 1.5 * 0x1p-40);
        }
      }
    }
  }

  /** A twin that takes the losses of adding alone has a smaller epsilon than both orders. */
  @Test
  void needsBothOrders() {
    for (double sigma : new double[] {0.7, 2}) {
      SampledGaussian pair = new SampledGaussian(0.05, sigma);
      PrivacyLossGrid added = PrivacyLossBins.of(
              PrivacyLossFunction.addition(pair), Side.ABOVE, 8000)
          .fitted();
      PrivacyLossGrid removed = PrivacyLossBins.of(
              PrivacyLossFunction.removal(pair), Side.ABOVE, 8000)
          .fitted();
      for (int i = 0; i < 5; i++) {
        added = added.plus(added);
        removed = removed.plus(removed);
      }
      PrivacyLossDistribution both = sums(0.05, sigma, 32);
      for (double epsilon : new double[] {0.05, 0.3, 1}) {
        assertThat(both.delta(epsilon))
            .isGreaterThanOrEqualTo(Math.max(added.delta(epsilon), removed.delta(epsilon)) * 0.9999)
            .isGreaterThan(1.02 * added.delta(epsilon));
      }
    }
  }

  /** Zeroing at (1/2, 3.775e-7) is replacing at (1, 1e-6); the page rounds to 3.78, which is not. */
  @Test
  void turnsZeroingIntoReplacing() {
    assertThat((1 + Math.exp(0.5)) * 3.775e-7).isLessThan(1e-6);
    assertThat((1 + Math.exp(0.5)) * 3.78e-7).isGreaterThan(1e-6);
    for (PrivacyLossDistribution each :
        new PrivacyLossDistribution[] {sums(0.05, 9.1, 64), sums(0.3, 9, 3)}) {
      for (double delta : new double[] {1e-3, 1e-6, 1e-9}) {
        double half = each.replacingEpsilon(delta) / 2;
        assertThat((1 + Math.exp(half)) * each.delta(half)).isLessThanOrEqualTo(delta);
        double less = half * (1 - 1e-9);
        assertThat((1 + Math.exp(less)) * each.delta(less)).isGreaterThan(delta);
        assertThat(2 * half)
            .as("a twin that halves epsilon and leaves delta")
            .isGreaterThan(2 * each.epsilon(delta));
      }
    }
    // Of a Gaussian it may not be less than what is exact: twice its mu.
    for (double mu : new double[] {0.01, 0.2, 1.5}) {
      assertThat(PrivacyLossDistribution.of(new Gaussian(mu)).replacingEpsilon(DELTA))
          .isGreaterThan(GaussianDp.epsilon(2 * mu, DELTA));
    }
    assertThat(sums(0.05, 1, 20).replacingEpsilon(0)).isInfinite();
    assertThat(sums(0.05, 1, 20).replacingEpsilon(0.9)).isZero();
    assertThatThrownBy(() ->
            PrivacyLossDistribution.below(new SampledGaussian(0.1, 1)).replacingEpsilon(DELTA))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Against the sum of all products, for every length about those that are taken by fours. */
  @Test
  void convolvesAsProductsOfAllPairs() {
    Random random = Seed.random(3);
    for (int n = 1; n <= 21; n++) {
      for (int m = 1; m <= 21; m++) {
        double[] a = random.doubles(n, 0.1, 1).toArray();
        double[] b = random.doubles(m, 0.1, 1).toArray();
        check(a, b, grid(a).plus(grid(b)));
      }
      double[] a = random.doubles(n, 0.1, 1).toArray();
      PrivacyLossGrid itself = grid(a);
      check(a, a, itself.plus(itself));
    }
  }

  private static PrivacyLossGrid grid(double[] mass) {
    return new PrivacyLossGrid(Side.ABOVE, 1, 3, mass, 0, 0);
  }

  private static void check(double[] a, double[] b, PrivacyLossGrid sum) {
    for (double epsilon = 0; epsilon < 50; epsilon += 0.5) {
      double delta = 0;
      for (int i = 0; i < a.length; i++) {
        for (int j = 0; j < b.length; j++) {
          delta += a[i] * b[j] * Math.max(0, -Math.expm1(epsilon - 6 - i - j));
        }
      }
      assertThat(sum.delta(epsilon)).isBetween(Math.min(1, delta * (1 - 1e-15)), delta + 1e-12);
    }
  }
}
