package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.testing.Seed;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a unit with many participations costs: never less than the worst schedule, at any length.
 */
class BltScheduleTest {
  private static double squared(BltParameters set, long rounds, long most, long separation) {
    double norm = Mechanisms.blt(set).sensitivity(rounds, new ContributionBound(most, separation));
    return norm * norm;
  }

  @ParameterizedTest
  @CsvSource({
    "HORIZON_2_10_X3, 1024, 4, 256, 19.2714782014456",
    "HORIZON_2_14_X4, 16384, 16, 1024, 207.158921277384",
  })
  void hasTheNumbersOfThePage(
      BltParameterSets set, long rounds, long most, long separation, double expected) {
    assertThat(squared(set.parameters(), rounds, most, separation))
        .isCloseTo(expected, within(2e-12 * expected));
  }

  /** All bounds on up to 11 rounds, and every schedule that each admits. */
  @ParameterizedTest
  @EnumSource(names = {"ANYTIME_2_24", "ANYTIME_2_30", "HORIZON_2_6_X2", "HORIZON_2_10_X4"})
  void neverCountsLessThanAnyScheduleCosts(BltParameterSets each) {
    BltParameters set = each.parameters();
    for (int rounds = 1; rounds <= 11; rounds++) {
      Toeplitz c = Toeplitz.of(set, rounds);
      for (int most = 1; most <= rounds + 1; most++) {
        for (int separation = 1; separation <= rounds + 1; separation++) {
          double worst = c.worst(rounds, most, separation);
          assertThat(squared(set, rounds, most, separation))
              .isGreaterThanOrEqualTo(worst * (1 - 1e-15)) // of squaring the root
              .isLessThan(worst * (1 + 1e-11));
        }
      }
      assertThat(squared(set, rounds, Long.MAX_VALUE, 1))
          .isCloseTo(c.worst(rounds, rounds, 1), within(1e-10));
    }
  }

  /** Random valid sets, among them some whose coefficients hardly fall. */
  @Test
  void neverCountsLessForOtherParameters() {
    Random random = Seed.random(11);
    for (int trial = 0; trial < 300; trial++) {
      double fast = 0.2 + 0.79 * random.nextDouble();
      double slow = fast * random.nextDouble() * 0.9 + 0.005;
      double weight = random.nextDouble();
      double share = random.nextDouble();
      BltParameters set = BltParameters.ofTheta(
          new double[] {0.99 * weight * share * fast, 0.99 * weight * (1 - share) * slow},
          new double[] {fast, slow});
      int rounds = 1 + random.nextInt(10);
      int most = 1 + random.nextInt(rounds);
      int separation = 1 + random.nextInt(3);
      double worst = Toeplitz.of(set, rounds).worst(rounds, most, separation);
      assertThat(squared(set, rounds, most, separation))
          .isGreaterThanOrEqualTo(worst * (1 - 1e-15))
          .isLessThan(worst * (1 + 1e-11));
    }
  }

  @ParameterizedTest
  @EnumSource
  void agreesWithTheMatrixOnLongerStreams(BltParameterSets each) {
    BltParameters set = each.parameters();
    Toeplitz c = Toeplitz.of(set, 1500);
    long[][] bounds = {
      {1500, 1}, {1499, 1}, {64, 1}, {63, 2}, {5, 100}, {15, 100}, {16, 100}, {3, 700}, {2, 1499}
    };
    for (long[] bound : bounds) {
      double expected = c.earliest(1500, (int) bound[0], (int) bound[1]);
      assertThat(squared(set, 1500, bound[0], bound[1]))
          .isGreaterThan(expected)
          .isLessThan(expected * (1 + 1e-11));
    }
  }

  /** The recursion of docs/blt.md, "Budget per unit", one participation after the other. */
  private static double walked(BltParameters set, long rounds, long most, long separation) {
    double[] omega = set.omega();
    double[] u = set.oneMinusTheta();
    double[] h = new double[omega.length];
    double[] decay = new double[omega.length];
    double[][] sums = new double[omega.length][omega.length];
    double spent = 0;
    double lost = 0; // Kahan's: equal periods would round the same way a million times
    long participations = new ContributionBound(most, separation).within(rounds);
    for (long j = 0; j < participations; j++) {
      double v = 1;
      for (int m = 0; m < h.length; m++) {
        v += omega[m] * h[m];
        h[m] += 1 - u[m] * h[m];
      }
      double period = v * v;
      if (j == 0 || j + 1 == participations) { // all gaps but the last are equal
        long gap = j + 1 < participations ? separation - 1 : rounds - 1 - j * separation;
        for (int m = 0; m < h.length; m++) {
          decay[m] = Math.exp(gap * Math.log1p(-u[m]));
          for (int l = 0; l < h.length; l++) {
            double both = u[m] + u[l] - u[m] * u[l];
            sums[m][l] = -Math.expm1(gap * Math.log1p(-both)) / both;
          }
        }
      }
      for (int m = 0; m < h.length; m++) {
        for (int l = 0; l < h.length; l++) {
          period += omega[m] * omega[l] * h[m] * h[l] * sums[m][l];
        }
      }
      for (int m = 0; m < h.length; m++) {
        h[m] *= decay[m];
      }
      double more = period - lost;
      lost = spent + more - spent - more;
      spent += more;
    }
    return spent;
  }

  @ParameterizedTest
  @CsvSource({
    "ANYTIME_2_30, 1000000, 1000000, 1",
    "ANYTIME_2_30, 1048575, 9223372036854775807, 1",
    "ANYTIME_2_20, 1073741824, 100000, 7777",
    "ANYTIME_2_20, 1099511627776, 1000000, 1048576",
    "HORIZON_2_20_X5, 1048576, 524288, 2",
    "HORIZON_2_6_X2, 1099511627776, 333333, 3",
  })
  void agreesWithTheRecursionOverAMillionParticipations(
      BltParameterSets set, long rounds, long most, long separation) {
    double expected = walked(set.parameters(), rounds, most, separation);
    assertThat(squared(set.parameters(), rounds, most, separation))
        .isCloseTo(expected, within(1e-11 * expected));
  }

  /**
   * In every round of 2^40: between the last row's square times all rounds, and that less the rise.
   */
  @ParameterizedTest
  @EnumSource
  void pricesEveryRoundOfATrillion(BltParameterSets each) {
    BltParameters set = each.parameters();
    double row = 1;
    double memory = 0;
    for (int m = 0; m < set.buffers(); m++) {
      row += set.omega()[m] / set.oneMinusTheta()[m];
      memory += 2 / set.oneMinusTheta()[m];
    }
    assertThat(row).isCloseTo(1 / set.inverse().floor(), within(1e-8 * row));
    double rounds = 0x1p40;
    double squared = squared(set, 1L << 40, Long.MAX_VALUE, 1);
    assertThat(squared / (rounds * row * row)).isBetween(1 - memory / rounds, 1 + 1e-11);
  }

  @ParameterizedTest
  @EnumSource
  void growsWithRoundsTowardsItsLimit(BltParameterSets each) {
    PrefixMechanism blt = Mechanisms.blt(each.parameters());
    for (long[] k : new long[][] {{1, 1}, {2, 1}, {7, 3}, {1000, 1}, {31, 1000}, {5, 1L << 40}}) {
      ContributionBound bound = new ContributionBound(k[0], k[1]);
      double limit = blt.sensitivityLimit(bound);
      double before = 0;
      for (long t = 1; t > 0 && t < Long.MAX_VALUE / 2; t += 1 + t / 8) {
        double now = blt.sensitivity(t, bound);
        assertThat(now).isGreaterThanOrEqualTo(before).isLessThanOrEqualTo(limit);
        before = now;
      }
      assertThat(blt.sensitivity(Long.MAX_VALUE, bound)).isEqualTo(limit);
      assertThat(limit).isGreaterThanOrEqualTo(blt.sensitivityLimit());
    }
    assertThat(blt.sensitivityLimit(ContributionBound.EVERY_ROUND)).isInfinite();
    assertThat(blt.sensitivityLimit(new ContributionBound(Long.MAX_VALUE, 1L << 40)))
        .isInfinite();
    assertThat(blt.sensitivity(Long.MAX_VALUE, ContributionBound.EVERY_ROUND)).isFinite();
    assertThat(blt.sensitivityLimit(new ContributionBound(Long.MAX_VALUE - 1, Long.MAX_VALUE)))
        .isFinite();
  }

  @ParameterizedTest
  @EnumSource
  void growsWithEveryParticipation(BltParameterSets each) {
    PrefixMechanism blt = Mechanisms.blt(each.parameters());
    double before = 0;
    for (long most = 1; most < 1L << 36; most += 3 + most / 10) {
      for (long k = most; k < most + 3; k++) {
        double now = blt.sensitivity(1L << 40, new ContributionBound(k, 4));
        assertThat(now).isGreaterThanOrEqualTo(before);
        before = now;
      }
    }
  }
}
