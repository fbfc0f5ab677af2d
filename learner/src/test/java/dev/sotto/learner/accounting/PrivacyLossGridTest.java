package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.PrivacyLossGrid.Side;
import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrivacyLossGridTest {
  private static PrivacyLossGrid grid(Side side, double spacing, long first, double... mass) {
    return new PrivacyLossGrid(side, spacing, first, mass, 0, 0);
  }

  private static double[] random(Random random, int points) {
    double[] mass = new double[points];
    double sum = 0;
    for (int i = 0; i < points; i++) {
      mass[i] = StrictMath.exp(-12 * random.nextDouble());
      sum += mass[i];
    }
    for (int i = 0; i < points; i++) {
      mass[i] /= sum;
    }
    return mass;
  }

  /** delta of the sum of two independent losses, from all pairs of points. */
  private static BigDecimal exactDelta(
      double[] one, double oneSpacing, double[] other, double otherSpacing, double epsilon) {
    BigDecimal sum = BigDecimal.ZERO;
    for (int i = 0; i < one.length; i++) {
      for (int j = 0; j < other.length; j++) {
        double loss = i * oneSpacing + j * otherSpacing;
        if (loss > epsilon) {
          BigDecimal gain =
              BigDecimal.ONE.subtract(SlowGaussian.exp(new BigDecimal(epsilon - loss)));
          sum =
              sum.add(new BigDecimal(one[i]).multiply(new BigDecimal(other[j])).multiply(gain));
        }
      }
    }
    return sum;
  }

  @Test
  void addsLossesOfOneSpacingToRoundingOnTheRightSide() {
    Random random = Seed.random(3);
    for (int run = 0; run < 5; run++) {
      double[] one = random(random, 5);
      double[] other = random(random, 12);
      for (double epsilon : new double[] {0, 0.3, 1.1}) {
        BigDecimal exact = exactDelta(one, 0.125, other, 0.125, epsilon);
        double above = grid(Side.ABOVE, 0.125, 0, one)
            .plus(grid(Side.ABOVE, 0.125, 0, other))
            .delta(epsilon);
        double below = grid(Side.BELOW, 0.125, 0, one)
            .plus(grid(Side.BELOW, 0.125, 0, other))
            .delta(epsilon);
        assertThat(new BigDecimal(above)).isGreaterThanOrEqualTo(exact);
        assertThat(new BigDecimal(below)).isLessThanOrEqualTo(exact);
        assertThat(above).isCloseTo(below, within(1e-13 * above));
      }
    }
  }

  /** Each product may round to the wrong side; without being widened most of these sums would. */
  @Test
  void keepsItsSideOverManyRoundings() {
    for (double mass = 0.9; mass < 0.9005; mass += 1e-5) {
      PrivacyLossGrid above = grid(Side.ABOVE, 1, 0, mass);
      PrivacyLossGrid below = grid(Side.BELOW, 1, 0, mass);
      BigDecimal exact = new BigDecimal(mass).pow(256, new MathContext(60));
      for (int doubling = 0; doubling < 8; doubling++) {
        above = above.plus(above);
        below = below.plus(below);
      }
      assertThat(new BigDecimal(above.delta(-2000))).isGreaterThanOrEqualTo(exact);
      assertThat(new BigDecimal(below.delta(-2000))).isLessThanOrEqualTo(exact);
      assertThat(above.delta(-2000)).isCloseTo(below.delta(-2000), within(1e-12));
    }
  }

  @Test
  void keepsItsSideWhenItGetsCoarser() {
    Random random = Seed.random(4);
    double gap = 0;
    for (int run = 0; run < 40; run += 6) {
      double[] fine = random(random, 3 + run);
      double[] coarse = random(random, 4);
      for (double epsilon : new double[] {0, 0.11, 0.7}) {
        BigDecimal exact = exactDelta(fine, 0.0625, coarse, 0.25, epsilon);
        double above = grid(Side.ABOVE, 0.0625, 0, fine)
            .plus(grid(Side.ABOVE, 0.25, 0, coarse))
            .delta(epsilon);
        double below = grid(Side.BELOW, 0.0625, 0, fine)
            .plus(grid(Side.BELOW, 0.25, 0, coarse))
            .delta(epsilon);
        assertThat(new BigDecimal(above)).isGreaterThanOrEqualTo(exact);
        assertThat(new BigDecimal(below)).isLessThanOrEqualTo(exact);
        gap = Math.max(gap, above - below);
      }
    }
    assertThat(gap).as("and does lose something").isBetween(1e-3, 0.2);
  }

  /** Of each mass up to 2^-50 may be rounded away each time; 64 points become two in six times. */
  @Test
  void allowsForWhatIsRoundedWhenItGetsCoarser() {
    Random random = Seed.random(5);
    for (int run = 0; run < 20; run++) {
      double[] mass = random(random, 64);
      BigDecimal exact = BigDecimal.ZERO;
      for (int i = 0; i < mass.length; i++) {
        mass[i] *= 0.9;
        exact = exact.add(new BigDecimal(mass[i]));
      }
      double above = grid(Side.ABOVE, 0x1p-30, 0, mass).within(2).delta(-2000);
      BigDecimal more = new BigDecimal(above).divide(exact, new MathContext(30));
      assertThat(more).isBetween(new BigDecimal(1 + 5 * 0x1p-49), new BigDecimal(1 + 8 * 0x1p-49));
    }
  }

  /** A broken twin: the grid from below offered as one from above. */
  @Test
  void seesAGridOnTheWrongSide() {
    Random random = Seed.random(4);
    double[] fine = random(random, 30);
    double[] one = {1};
    BigDecimal exact = exactDelta(fine, 0.0625, one, 0.25, 0.3);
    PrivacyLossGrid wrong = grid(Side.BELOW, 0.0625, 0, fine).plus(grid(Side.BELOW, 0.25, 0, one));
    assertThat(new BigDecimal(wrong.delta(0.3))).isLessThan(exact);
  }

  @Test
  void countsTheInfiniteAndTheSlackAgainstTheGuarantee() {
    PrivacyLossGrid above =
        new PrivacyLossGrid(Side.ABOVE, 1, 0, new double[] {0.5, 0.25}, 0.25, 0.1);
    assertThat(above.delta(5)).isEqualTo(0.25);
    double sure = 0.25 - 0.25 * StrictMath.exp(-0.1 - 1e-12);
    assertThat(above.delta(1)).isCloseTo(0.25 + sure, within(1e-12));
    PrivacyLossGrid both = above.plus(above);
    assertThat(both.delta(50)).isBetween(0.4375, 0.5 + 1e-14); // 1 - 0.75^2, and twice
    assertThat(both.delta(2.21)).isEqualTo(both.delta(50));
    assertThat(both.delta(2.19)).isGreaterThan(both.delta(50));
    PrivacyLossGrid below = new PrivacyLossGrid(Side.BELOW, 1, 0, new double[] {0.5, 0.5}, 0, 0.1);
    assertThat(below.delta(0.95)).isZero();
  }

  @Test
  void dropsTailsOnTheSafeSideOnly() {
    double[] mass = {1e-32, 0.5, 0.5, 1e-32};
    PrivacyLossGrid above = grid(Side.ABOVE, 1, -1, mass).plus(PrivacyLossGrid.nothing(Side.ABOVE));
    assertThat(above.delta(100)).isBetween(1e-32, 1.1e-32);
    PrivacyLossGrid below = grid(Side.BELOW, 1, -1, mass).plus(PrivacyLossGrid.nothing(Side.BELOW));
    assertThat(below.delta(1)).isZero();
    assertThat(below.delta(0)).isCloseTo(above.delta(0), within(1e-11));
  }

  /** Nothing is left of the product of two masses of 1e-200; it is paid for at every epsilon. */
  @Test
  void countsWhatUnderflowsAtAnInfiniteLoss() {
    PrivacyLossGrid above = grid(Side.ABOVE, 1, 0, 1e-200);
    assertThat(above.plus(above).delta(100)).isBetween(1e-300, 1e-280);
    PrivacyLossGrid below = grid(Side.BELOW, 1, 0, 1e-200);
    assertThat(below.plus(below).delta(-2000)).isZero();
  }

  /** The mass of a tail that is cut off beneath is as good as any other. */
  @Test
  void roundsNothingAwayOfATail() {
    Random random = Seed.random(8);
    for (int run = 0; run < 50; run++) {
      double[] mass = {1e-30 * random.nextDouble(), 0, 1e-32};
      mass[1] = 0.9999e-30 - mass[0];
      PrivacyLossGrid above = grid(Side.ABOVE, 1, 0, mass).plus(grid(Side.ABOVE, 1, 0, 1));
      BigDecimal exact = BigDecimal.ZERO;
      for (double each : mass) {
        exact = exact.add(new BigDecimal(each));
      }
      assertThat(new BigDecimal(above.delta(-2000))).isGreaterThanOrEqualTo(exact);
    }
  }

  /** Sums of two, either of which may round down. */
  @Test
  void addsUpWhatLiesOffThePointsFromAbove() {
    Random random = Seed.random(6);
    for (int run = 0; run < 50; run++) {
      double infinite = 1e-20 * random.nextDouble();
      double more = 1e-20 * random.nextDouble();
      double slack = random.nextDouble();
      double further = random.nextDouble();
      PrivacyLossGrid sum = new PrivacyLossGrid(
              Side.ABOVE, 0x1p-900, -1, new double[] {1}, infinite, slack)
          .plus(new PrivacyLossGrid(Side.ABOVE, 0x1p-900, -1, new double[] {1}, more, further));
      assertThat(new BigDecimal(sum.top()))
          .isGreaterThanOrEqualTo(new BigDecimal(slack).add(new BigDecimal(further)));
      BigDecimal either = new BigDecimal(infinite).add(new BigDecimal(more));
      BigDecimal both = new BigDecimal(infinite).multiply(new BigDecimal(more));
      assertThat(new BigDecimal(sum.delta(10))).isGreaterThanOrEqualTo(either.subtract(both));
    }
  }

  @Test
  void allowsForItsOwnRoundingOnTheRightSide() {
    assertThat(grid(Side.ABOVE, 1, 0, 0.9).delta(-2000)).isBetween(0.9, 0.9 + 1e-14);
    assertThat(grid(Side.BELOW, 1, 0, 0.9).delta(-2000)).isBetween(0.9 - 1e-14, 0.9);
  }

  @Test
  void adoptsACoarserSpacingWithoutLosingTheMean() {
    PrivacyLossGrid fine =
        grid(Side.ABOVE, 0x1p-20, 1 << 19, 1); // a sure loss of 1/2: e^-1/2 in the mean
    PrivacyLossGrid coarse = fine.plus(grid(Side.ABOVE, 1, 0, 1));
    double up = (1 - StrictMath.exp(-0.5)) / (1 - StrictMath.exp(-1));
    assertThat(coarse.delta(0)).isCloseTo(up * (1 - StrictMath.exp(-1)), within(1e-12));
    assertThat(coarse.delta(0.999)).isCloseTo(up * (1 - StrictMath.exp(-0.001)), within(1e-12));
    assertThat(coarse.delta(1)).isLessThan(1e-15);
  }

  @Test
  void refusesToMixSides() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> PrivacyLossGrid.nothing(Side.ABOVE).plus(PrivacyLossGrid.nothing(Side.BELOW)))
        .withMessageContaining("but were ABOVE and BELOW");
  }
}
