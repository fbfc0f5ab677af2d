package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.mechanism.tuning.SquareRoot;
import dev.sotto.learner.participation.ColumnDecay;
import dev.sotto.learner.participation.ContributionBound;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The numbers of docs/development/figures.md, "BLT", and the closed forms behind them against
 * plain sums.
 */
class BltFiguresTest {
  private static final int LAST = 1 << 20;

  private static PrefixMechanism blt(BltParameterSets set) {
    return Mechanisms.blt(set.parameters());
  }

  @ParameterizedTest
  @CsvSource({
    "ANYTIME_2_20, 1.550218611496, 2.0773e-03",
    "ANYTIME_2_24, 1.787836943211, 4.8779e-04",
    "ANYTIME_2_30, 1.651109113380, 8.6845e-05",
    "HORIZON_2_6_X2, 1.583252961, 7.718850e-02",
    "HORIZON_2_6_X3, 1.616514019, 6.446862e-02",
    "HORIZON_2_10_X2, 1.794705062, 2.512640e-02",
    "HORIZON_2_10_X3, 1.838829367, 1.956875e-02",
    "HORIZON_2_10_X4, 1.859246673, 1.724086e-02",
    "HORIZON_2_14_X3, 2.033346957, 5.896679e-03",
    "HORIZON_2_14_X4, 2.063314866, 4.931281e-03",
    "HORIZON_2_14_X5, 2.078344015, 4.458671e-03",
    "HORIZON_2_20_X4, 2.325878191, 7.643641e-04",
    "HORIZON_2_20_X5, 2.352531733, 6.547756e-04",
    "FELT_2_8, 1.444618057, 8.842968e-02",
    "FELT_2_12, 1.530924403, 4.150008e-02",
    "FELT_2_16, 1.560055929, 1.392871e-02",
    "FELT_2_30, 1.615814939, 2.120040e-04",
  })
  void hasTheLimitsOfThePage(BltParameterSets set, double limit, double floor) {
    double digit = set.anytime() ? 1e-12 : 1e-9; // half of one more than the page prints
    assertThat(blt(set).sensitivityLimit()).isCloseTo(limit, within(0.5001 * digit));
    assertThat(set.parameters().inverse().floor()).isCloseTo(floor, within(5.1e-5 * floor));
  }

  @ParameterizedTest
  @CsvSource({
    "ANYTIME_2_20, 10, 2.231",
    "ANYTIME_2_20, 1000, 4.102",
    "ANYTIME_2_20, 1000000, 6.917",
    "ANYTIME_2_20, 16777216, 14.541",
    "ANYTIME_2_20, 1073741824, 105.698",
    "ANYTIME_2_24, 10, 2.360",
    "ANYTIME_2_24, 1000, 4.029",
    "ANYTIME_2_24, 1000000, 6.798",
    "ANYTIME_2_24, 16777216, 7.936",
    "ANYTIME_2_24, 1073741824, 29.442",
    "ANYTIME_2_30, 10, 2.350",
    "ANYTIME_2_30, 1000, 4.389",
    "ANYTIME_2_30, 1000000, 7.340",
    "ANYTIME_2_30, 16777216, 8.381",
    "ANYTIME_2_30, 1073741824, 10.342",
  })
  void hasTheErrorsOfThePageAtAnyTime(BltParameterSets set, long rounds, double error) {
    PrefixMechanism blt = blt(set);
    assertThat(blt.sensitivityLimit() * Math.sqrt(blt.prefixVariance(rounds)))
        .isCloseTo(error, within(5e-4));
  }

  @ParameterizedTest
  @CsvSource({
    "HORIZON_2_6_X2, 1.543101740693, 2.391338265858, 2.230953263833",
    "HORIZON_2_6_X3, 1.545419951326, 2.388894893486, 2.229721104713",
    "HORIZON_2_10_X2, 1.787826231852, 3.329793129224, 3.141524784510",
    "HORIZON_2_10_X3, 1.806602037526, 3.277599871481, 3.113214356325",
    "HORIZON_2_10_X4, 1.808799368868, 3.272943696541, 3.110100764845",
    "HORIZON_2_14_X3, 2.023189765701, 4.203218443849, 4.025136183852",
    "HORIZON_2_14_X4, 2.035627539396, 4.162904061739, 3.998763763052",
    "HORIZON_2_14_X5, 2.037986626206, 4.156344816406, 3.993845205134",
    "HORIZON_2_20_X4, 2.319204000582, 5.564365861745, 5.382077639040",
    "HORIZON_2_20_X5, 2.334300139942, 5.502143586518, 5.336066012235",
  })
  void hasTheErrorsOfThePageAtItsHorizon(
      BltParameterSets set, double sensitivity, double largest, double rootMeanSquare) {
    PrefixMechanism blt = blt(set);
    long n = set.horizon();
    // The page's last digits at 2^20 are off by 2e-12: 40 digits give 2.3192040005836 and
    // 2.3343001399399.
    assertThat(blt.sensitivity(n)).isCloseTo(sensitivity, within(3e-12));
    assertThat(sensitivity * Math.sqrt(blt.prefixVariance(n))).isCloseTo(largest, within(5e-12));
    double[] variances = summedVariances(set, (int) n);
    double mean = 0;
    for (int t = 1; t <= n; t++) {
      assertThat(variances[t]).isGreaterThan(variances[t - 1]);
      mean += variances[t] / n;
    }
    assertThat(sensitivity * Math.sqrt(mean)).isCloseTo(rootMeanSquare, within(1e-9));
  }

  /** Variances of N_0..N_n by adding up squares of b_k, each power a product. */
  private static double[] summedVariances(BltParameterSets set, int rounds) {
    BltInverse inverse = set.parameters().inverse();
    double[] phi = inverse.phi();
    double[] terms = inverse.g();
    double[] variances = new double[rounds + 1];
    for (int k = 0; k < rounds; k++) {
      double b = inverse.floor();
      for (int m = 0; m < phi.length; m++) {
        b += terms[m];
        terms[m] *= phi[m];
      }
      variances[k + 1] = variances[k] + b * b;
    }
    return variances;
  }

  /** Squares of sens_1..sens_n by adding up squares of c_k. */
  private static double[] summedSensitivities(BltParameterSets set, int rounds) {
    double[] theta = set.parameters().theta();
    double[] terms = set.parameters().omega();
    double[] squares = new double[rounds + 1];
    squares[1] = 1;
    for (int k = 1; k < rounds; k++) {
      double c = 0;
      for (int m = 0; m < theta.length; m++) {
        c += terms[m];
        terms[m] *= theta[m];
      }
      squares[k + 1] = squares[k] + c * c;
    }
    return squares;
  }

  @ParameterizedTest
  @EnumSource
  void agreesWithPlainSums(BltParameterSets set) {
    PrefixMechanism blt = blt(set);
    int last = LAST / 16;
    double[] variances = summedVariances(set, last);
    double[] squares = summedSensitivities(set, last);
    for (int t = 1; t <= last; t += 1 + t / 50) {
      double sensitivity = Math.sqrt(squares[t]);
      assertThat(blt.prefixVariance(t)).isCloseTo(variances[t], within(1e-9 * variances[t]));
      assertThat(blt.sensitivity(t)).isCloseTo(sensitivity, within(1e-9 * sensitivity));
      assertThat(blt.sensitivity(t, ContributionBound.ONE)).isEqualTo(blt.sensitivity(t));
    }
    assertThat(blt.horizon())
        .isEqualTo(
            set.anytime() || set == BltParameterSets.ENDLESS
                ? OptionalLong.empty()
                : OptionalLong.of(set.horizon()));
    BltInverse inverse = set.parameters().inverse();
    double change = 0;
    for (long k = 0; k < 20_000; k++) {
      change += inverse.coefficient(k) * inverse.coefficient(k);
    }
    assertThat(blt.incrementVariance()).isCloseTo(change, within(1e-6 * change));
  }

  /** Every t up to 2^20, then 8 points an octave. */
  @ParameterizedTest
  @CsvSource({"ANYTIME_2_20, 20, 1.27118", "ANYTIME_2_24, 24, 1.24744", "ANYTIME_2_30, 30, 1.34824"
  })
  void staysWithinItsRatioToTheSquareRootMechanism(
      BltParameterSets set, int octaves, double ratio) {
    PrefixMechanism blt = blt(set);
    double limit = blt.sensitivityLimit();
    double[] variances = summedVariances(set, LAST);
    double root = 1;
    double yardstick = 0;
    double worst = 0;
    for (int t = 1; t <= LAST; t++) {
      yardstick += root * root;
      root *= (2 * t - 1) / (2.0 * t);
      worst = t < set.from() ? 0 : Math.max(worst, limit * Math.sqrt(variances[t]) / yardstick);
    }
    for (int eighth = 8 * 20; eighth <= 8 * octaves; eighth++) {
      long t = Math.round(Math.pow(2, eighth / 8.0));
      double error = limit * Math.sqrt(blt.prefixVariance(t));
      worst = Math.max(worst, error / SquareRoot.error(t));
    }
    assertThat(worst).isCloseTo(ratio, within(5e-6));
    assertThat(set.horizon()).isEqualTo(1L << octaves);
  }

  @ParameterizedTest
  @CsvSource({"10, 1.385197", "1000, 1.558344", "1000000, 1.721091", "0, 1.827277"})
  void costsWhatThePageSays(long rounds, double epsilon) {
    PrefixMechanism blt = Mechanisms.BLT.make();
    double sensitivity = rounds == 0 ? blt.sensitivityLimit() : blt.sensitivity(rounds);
    assertThat(GaussianDp.epsilon(sensitivity / 4, 1e-6)).isCloseTo(epsilon, within(5e-7));
  }

  @ParameterizedTest
  @EnumSource
  void neverFallsAndNeverPassesItsLimit(BltParameterSets set) {
    PrefixMechanism blt = blt(set);
    double before = blt.sensitivity(1);
    assertThat(before).isEqualTo(1);
    for (long t = 2; t > 0 && t < 1L << 40; t += 1 + t / 200) {
      double now = blt.sensitivity(t);
      assertThat(now).isGreaterThanOrEqualTo(before);
      before = blt.sensitivity(t + 1);
      assertThat(before).isGreaterThanOrEqualTo(now);
    }
    assertThat(blt.sensitivity(Long.MAX_VALUE)).isEqualTo(blt.sensitivityLimit());
    assertThat(before).isLessThanOrEqualTo(blt.sensitivityLimit());
  }

  /**
   * docs/development/figures.md, "BLT": a single participation commits the square of the
   * limit.
   */
  @ParameterizedTest
  @CsvSource({"HORIZON_2_10_X3, 3.381293442437", "ANYTIME_2_30, 2.72616130"})
  void remembersAParticipationAsTheLimitSays(BltParameterSets set, double committed) {
    ColumnDecay memory = blt(set).memory().orElseThrow();
    double sum = 1;
    for (int m = 0; m < memory.size(); m++) {
      for (int l = 0; l < memory.size(); l++) {
        double u = memory.oneMinusTheta()[m];
        double v = memory.oneMinusTheta()[l];
        sum += memory.omega()[m] * memory.omega()[l] / (u + v - u * v);
      }
    }
    assertThat(sum).isCloseTo(committed, within(5e-9));
    assertThat(Math.pow(blt(set).sensitivityLimit(), 2)).isCloseTo(sum, within(1e-12));
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, Long.MIN_VALUE})
  void needsARound(long rounds) {
    PrefixMechanism blt = Mechanisms.BLT.make();
    assertThatIllegalArgumentException().isThrownBy(() -> blt.sensitivity(rounds));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> blt.sensitivity(rounds, ContributionBound.EVERY_ROUND));
  }

  @Test
  void staysAccurateWhereOnlyOneMinusThetaIsExact() {
    // The square's largest term by hand: omega_1^2 / (2 u - u^2), with u of 3e-9.
    BltParameters set = BltParameterSets.ANYTIME_2_30.parameters();
    double u = set.oneMinusTheta()[0];
    double single = Math.sqrt(1 + Math.pow(set.omega()[0], 2) / (2 * u - u * u));
    PrefixMechanism alone =
        Mechanisms.blt(BltParameters.of(new double[] {set.omega()[0]}, new double[] {u}));
    assertThat(alone.sensitivityLimit()).isCloseTo(single, within(4e-14));
    double lost = 1 - set.theta()[0]; // what doubles keep of it
    double wrong = Math.sqrt(1 + Math.pow(set.omega()[0], 2) / (2 * lost - lost * lost));
    assertThat(Math.abs(wrong / single - 1)).isGreaterThan(1e-10);
  }
}
