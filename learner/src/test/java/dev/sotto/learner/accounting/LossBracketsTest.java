package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;
import dev.sotto.learner.accounting.PrivacyLossGrid.Side;
import dev.sotto.learner.example.NormalTail;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.function.DoubleUnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Grids against delta in closed form, by sums and by integrals. */
class LossBracketsTest {
  private static final double[] DELTAS = {0.3, 1e-2, 1e-4, 1e-6, 1e-9, 1e-12};

  private static PrivacyLossDistribution above(DominatingPair pair) {
    return PrivacyLossDistribution.of(pair);
  }

  private static PrivacyLossDistribution below(DominatingPair pair) {
    return PrivacyLossDistribution.below(pair);
  }

  private static double[] row(DoubleUnaryOperator delta, double reach) {
    return IntStream.rangeClosed(0, 97)
        .mapToDouble(i -> delta.applyAsDouble(reach * i / 97))
        .toArray();
  }

  /** Whether deltas are at least others, to a relative rounding, all along a row of epsilons. */
  private static boolean covers(double[] deltas, double[] others, double rounding) {
    return IntStream.range(0, deltas.length)
        .allMatch(i -> deltas[i] >= others[i] * (1 - rounding) - 1e-28);
  }

  /** Both bounds hold, each is told from the other, and they are close. */
  private static void brackets(
      PrivacyLossDistribution above,
      PrivacyLossDistribution below,
      DoubleUnaryOperator exact,
      double reach,
      double rounding,
      double closeness) {
    double[] truth = row(exact, reach);
    double[] more = row(above::delta, reach);
    double[] less = row(below::delta, reach);
    assertThat(covers(more, truth, rounding)).as("from above").isTrue();
    assertThat(covers(truth, less, rounding)).as("from below").isTrue();
    assertThat(covers(less, truth, rounding)).as("a broken twin").isFalse();
    assertThat(covers(truth, more, rounding)).as("a broken twin").isFalse();
    double[] larger = Arrays.stream(truth).map(x -> x * (1 + closeness) + 1e-16).toArray();
    assertThat(covers(larger, more, 0)).as("closely").isTrue();
  }

  @Test
  void bracketsTheGaussian() {
    for (double mu : new double[] {1e-4, 0.01, 0.3, 1, 4, 50}) {
      double reach = mu * mu / 2 + 6 * mu;
      Gaussian pair = new Gaussian(mu);
      brackets(above(pair), below(pair), e -> GaussianDp.delta(mu, e), reach, 1e-12, 1e-3);
    }
  }

  @Test
  void bracketsTheWorstOfAPureEpsilon() {
    for (double pure : new double[] {0.01, 0.3, 1, 4, 25}) {
      RandomizedResponse pair = new RandomizedResponse(pure);
      DoubleUnaryOperator exact =
          e -> Math.max(0, (Math.exp(pure) - Math.exp(e)) / (1 + Math.exp(pure)));
      brackets(above(pair), below(pair), exact, 0.995 * pure, 1e-13, 0.02);
    }
  }

  @Test
  void composesGaussiansToTheExactOne() {
    composesGaussians(2, 0.5);
    composesGaussians(1000, 0.02);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(longs = {2, 7, 100, 1000})
  void composesManyGaussiansToTheExactOne(long runs) {
    composesGaussians(runs, 0.02);
    composesGaussians(runs, 0.5);
  }

  private static void composesGaussians(long runs, double mu) {
    double sum = mu * StrictMath.sqrt(runs);
    Gaussian pair = new Gaussian(mu);
    PrivacyLossDistribution above = above(pair).times(runs);
    PrivacyLossDistribution below = below(pair).times(runs);
    DoubleUnaryOperator exact = e -> GaussianDp.delta(sum, e);
    brackets(above, below, exact, sum * sum / 2 + 6 * sum, 1e-11, 1e-2);
    for (double delta : DELTAS) {
      double epsilon = GaussianDp.epsilon(sum, delta);
      assertThat(above.epsilon(delta)).isBetween(epsilon * (1 - 1e-10), epsilon * (1 + 1e-4));
      assertThat(below.epsilon(delta)).isBetween(epsilon * 0.995, epsilon * (1 + 1e-12));
    }
  }

  /** Of k coins the j-th outcome has loss (2j - k) epsilon: a binomial sum. */
  @Test
  void composesCoinsToTheBinomial() {
    double pure = 0.37;
    int coins = 40;
    double likely = 1 / (1 + Math.exp(-pure));
    DoubleUnaryOperator exact = epsilon -> {
      double choose = Math.pow(1 - likely, coins);
      double sum = 0;
      for (int j = 0; j <= coins; j++) {
        sum += choose * Math.max(0, -Math.expm1(epsilon - (2 * j - coins) * pure));
        choose *= (coins - j) / (j + 1.0) * likely / (1 - likely);
      }
      return sum;
    };
    RandomizedResponse pair = new RandomizedResponse(pure);
    PrivacyLossDistribution above = above(pair).times(coins);
    brackets(above, below(pair).times(coins), exact, 12, 1e-12, 1e-2);
    assertThat(exact.applyAsDouble(above.epsilon(1e-6))).isBetween(0.999e-6, 1e-6);
  }

  /**
   * Between points a chord in e^epsilon, at points the truth: only rounding and quadrature are left
   * to err.
   */
  @Test
  void meetsTheExactDeltaAtThePointsOfACoarseGrid() {
    double[][] grids = {
      {1, 20, 2, 0}, {0.5, 40, 0.5, 0}, {300, 4000, 2, 44_600}, {300, 90, 128, 44_800}
    };
    for (double[] each : grids) { // mu, points, the spacing they come to, the first point
      PrivacyLossGrid above = PrivacyLossBins.of(
          PrivacyLossFunction.removal(new Gaussian(each[0])), Side.ABOVE, (int) each[1]);
      for (int i = 0; i < 4; i++) {
        double epsilon = each[3] + i * each[2];
        double exact = GaussianDp.delta(each[0], epsilon);
        assertThat(above.delta(epsilon))
            .as("%s at %s", each[0], epsilon)
            .isBetween(exact * (1 - 1e-12), exact * (1 + 1e-7));
      }
    }
  }

  @Test
  void countsTheTailThatIsCutOffAtAnInfiniteLoss() {
    PrivacyLossFunction law = PrivacyLossFunction.removal(new Gaussian(1));
    double above = PrivacyLossBins.of(law, Side.ABOVE, 100).delta(1e6);
    assertThat(new BigDecimal(above))
        .isBetween(SlowGaussian.tail(new BigDecimal("11.5")), new BigDecimal("6.7e-31"));
    assertThat(PrivacyLossBins.of(law, Side.BELOW, 100).delta(1e6)).isZero();
  }

  /** A broken twin: losses put on the nearest point of the grid err to both sides. */
  @Test
  void seesRoundingToTheNearest() {
    double spacing = 0.25;
    double[] mass = new double[120];
    for (int i = 0; i < mass.length; i++) {
      double low = (i - 60.5) * spacing - 0.5; // loss of mu = 1, standardised
      mass[i] = tail(low) - tail(low + spacing);
    }
    PrivacyLossGrid nearest = new PrivacyLossGrid(Side.ABOVE, spacing, -60, mass, 1e-30, 0);
    double[] exact = row(e -> GaussianDp.delta(1, e), 8);
    assertThat(covers(row(nearest::delta, 8), exact, 1e-9)).isFalse();
    assertThat(nearest.delta(2)).as("yet is near").isCloseTo(GaussianDp.delta(1, 2), within(1e-3));
    PrivacyLossGrid spread =
        PrivacyLossBins.of(PrivacyLossFunction.removal(new Gaussian(1)), Side.ABOVE, 100);
    assertThat(covers(row(spread::delta, 8), exact, 1e-9)).isTrue();
  }

  private static double tail(double x) {
    return x < 0 ? 1 - tail(-x) : StrictMath.exp(NormalTail.logDensity(x)) * NormalTail.mills(x);
  }
}
