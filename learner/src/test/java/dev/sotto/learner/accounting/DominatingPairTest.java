package dev.sotto.learner.accounting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.DominatingPair.Gaussian;
import dev.sotto.learner.accounting.DominatingPair.Laplace;
import dev.sotto.learner.accounting.DominatingPair.RandomizedResponse;
import dev.sotto.learner.accounting.DominatingPair.SampledGaussian;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

class DominatingPairTest {
  /** Discrete Laplace noise with P(k) ~ fall^|k|. */
  private static double noise(int k, double fall) {
    return (1 - fall) / (1 + fall) * StrictMath.pow(fall, Math.abs(k));
  }

  /**
   * delta of that noise, exactly: one coordinate per shift, all independent, summed over all
   * outputs that matter.
   */
  private static double latticeDelta(double lattice, double epsilon, int... shifts) {
    return latticeDelta(lattice, epsilon, shifts, 0, 1, 1);
  }

  private static double latticeDelta(
      double lattice, double epsilon, int[] shifts, int coordinate, double p, double q) {
    if (coordinate == shifts.length) {
      return Math.max(0, p - StrictMath.exp(epsilon) * q);
    }
    double fall = StrictMath.exp(-lattice);
    int shift = shifts[coordinate];
    int next = coordinate + 1;
    double sum = 0;
    for (int k = 0;
        k <= shift;
        k++) { // outputs beyond an end have the loss of that end: one geometric sum
      double here = k == 0 || k == shift ? 1 / (1 - fall) : 1;
      sum += latticeDelta(
          lattice,
          epsilon,
          shifts,
          next,
          p * here * noise(k, fall),
          q * here * noise(k - shift, fall));
    }
    return sum;
  }

  /** delta of the continuous Laplace pair, as in its definition. */
  private static double laplaceDelta(double shift, double epsilon) {
    return Math.max(0, -StrictMath.expm1((epsilon - shift) / 2));
  }

  private static boolean covers(double shift, double lattice, int... shifts) {
    for (int i = 0; i < 100; i++) {
      double epsilon = (shift + 0.1) * i / 100;
      if (latticeDelta(lattice, epsilon, shifts) > laplaceDelta(shift, epsilon) + 1e-13) {
        return false;
      }
    }
    return true;
  }

  @Test
  void coversDiscreteLaplaceNoiseByAContinuousOne() {
    for (double lattice : new double[] {1e-3, 0.05, 0.5, 2, 6}) {
      for (int steps : new int[] {1, 2, 5, 20}) {
        double shift =
            DominatingPair.latticeLaplace(3 * steps * lattice, 3, 3 * lattice).epsilon();
        assertThat(covers(shift, lattice, steps)).as("%s %s", lattice, steps).isTrue();
      }
    }
  }

  /**
   * A broken twin: the shift of the noise alone, as if the lattice did not matter, is too little.
   */
  @Test
  void seesThatTheLatticeMatters() {
    assertThat(covers(5 * 0.5, 0.5, 5)).isFalse();
    assertThat(covers(20 * 0.05, 0.05, 20)).isFalse();
  }

  @Test
  void coversAShiftThatIsSplitOverCoordinates() {
    int[][] splits = {{4, 2}, {3, 3}, {5, 1}, {2, 2, 2}, {1, 1, 1, 1, 1, 1}, {1, 2, 3}};
    for (double lattice : new double[] {0.02, 0.3, 1}) {
      double shift = DominatingPair.latticeLaplace(6 * lattice, 1, lattice).epsilon();
      for (int[] split : splits) {
        assertThat(covers(shift, lattice, split)).as("%s", split).isTrue();
        for (int i = 0; i < 50; i++) {
          double epsilon = 6 * lattice * i / 50;
          double one = latticeDelta(lattice, epsilon, 6);
          assertThat(latticeDelta(lattice, epsilon, split)).isLessThanOrEqualTo(one + 1e-14);
        }
      }
    }
  }

  /** A broken twin: the largest coordinate's shift, or the l2 norm, instead of l1. */
  @Test
  void seesThatShiftsAddUpInL1() {
    assertThat(covers(4 * 0.3 + 0.03, 0.3, 4, 4)).isFalse();
    assertThat(covers(StrictMath.sqrt(32) * 0.3 + 0.03, 0.3, 4, 4)).isFalse();
    assertThat(covers(8 * 0.3 + 0.03, 0.3, 4, 4)).isTrue();
  }

  @Test
  void addsNextToNothingForAFineLattice() {
    assertThat(DominatingPair.latticeLaplace(1, 2, 0x1p-20).epsilon()).isBetween(0.5, 0.5 + 1e-12);
    assertThat(DominatingPair.latticeLaplace(1, 1, 1).epsilon()).isCloseTo(1.25, within(1e-14));
    assertThat(DominatingPair.latticeLaplace(0, 1, 100).epsilon()).isCloseTo(100, within(1e-12));
    assertThat(DominatingPair.latticeLaplace(0.5, 0.5, 0.5).epsilon())
        .isCloseTo(1.25, within(1e-14));
    for (double shift = 1; shift < 2; shift += 0.01) { // as the formula says, from above
      BigDecimal exact = new BigDecimal(shift).add(new BigDecimal("0.0625"));
      assertThat(new BigDecimal(DominatingPair.latticeLaplace(4 * shift, 4, 2).epsilon()))
          .isGreaterThanOrEqualTo(exact);
    }
  }

  /** Where e^tilt is too much for it, by the logarithm of rate e^tilt. */
  @Test
  void hasTheLossOfAFarOutput() {
    SampledGaussian pair = new SampledGaussian(1e-12, 1);
    for (double tilt : new double[] {29, 31, 35}) {
      double loss = StrictMath.log1p(1e-12 * StrictMath.expm1(tilt));
      assertThat(pair.loss(tilt + 0.5)).isCloseTo(loss, within(1e-14));
    }
  }

  @Test
  void invertsTheLossOfASampledGaussian() {
    for (double rate : new double[] {1e-6, 0.01, 0.5, 0.999}) {
      for (double sigma : new double[] {0.2, 1, 7}) {
        SampledGaussian pair = new SampledGaussian(rate, sigma);
        for (double x = 0; x < 40 * sigma; x += sigma / 3) {
          assertThat(pair.place(pair.loss(x))).isCloseTo(x, within(1e-9 * (1 + x) / rate * 1e-3));
        }
        assertThat(pair.loss(0.5)).isZero();
        assertThat(pair.place(StrictMath.log1p(-rate) - 0.1)).isEqualTo(Double.NEGATIVE_INFINITY);
      }
    }
  }

  @Test
  void knowsWhenThereIsNothingToTellApart() {
    assertThat(List.of(
            new Gaussian(0), new Laplace(0), new RandomizedResponse(0), new SampledGaussian(0, 1)))
        .allMatch(DominatingPair::isNothing);
    assertThat(List.of(
            new Gaussian(1), new Laplace(1), new RandomizedResponse(1), new SampledGaussian(1, 1)))
        .noneMatch(DominatingPair::isNothing);
  }

  @Test
  void refusesWhatIsNoPair() {
    for (double bad : new double[] {Double.NaN, -1, Double.POSITIVE_INFINITY}) {
      refuses(() -> new Gaussian(bad));
      refuses(() -> new Laplace(bad));
      refuses(() -> new RandomizedResponse(bad));
      refuses(() -> new SampledGaussian(bad, 1));
      refuses(() -> new SampledGaussian(0.5, bad));
      refuses(() -> DominatingPair.latticeLaplace(bad, 1, 1));
      refuses(() -> DominatingPair.latticeLaplace(1, bad, 1));
      refuses(() -> DominatingPair.latticeLaplace(1, 1, bad));
    }
    refuses(() -> new SampledGaussian(1.1, 1));
    refuses(() -> new SampledGaussian(0.5, 0));
    refuses(() -> DominatingPair.latticeLaplace(1, 0, 1));
    refuses(() -> DominatingPair.latticeLaplace(1, 1, 0));
    refuses(() -> DominatingPair.latticeLaplace(-0.1, 1, 1));
  }

  private static void refuses(Runnable making) {
    assertThatIllegalArgumentException().isThrownBy(making::run).withMessageContaining("but was");
  }
}
