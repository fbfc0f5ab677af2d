package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * The attack of Mironov (2012) on noise that is added in doubles, and what it finds on the lattice.
 * One record with the same small gradient in every coordinate takes part, or does not. A published
 * coordinate near 0 then is either noise near 0, whose last bits are fine and random, or the
 * gradient plus noise near its opposite: two doubles of a coarser grid, whose difference is exact
 * and lies on that grid.
 */
class FloatingPointLeakTest {
  private static final int DIMENSION = 40_000;
  private static final double GRADIENT = 1 / Math.sqrt(DIMENSION); // 0.005: ulps of 2^-60
  private static final double NEAR =
      0x1p-10; // the noise then lies within 2^-8 and 2^-7: it has ulps of 2^-60, too
  private static final double SIGMA = 1;

  /** Outputs near 0, and how many of them lie on the grid of doubles of the gradient's size. */
  private record Evidence(int near, int onGrid) {
    static Evidence of(double[] published) {
      int near = 0;
      int onGrid = 0;
      for (double each : published) {
        if (Math.abs(each) < NEAR) {
          near++;
          onGrid += Math.rint(each * 0x1p60) == each * 0x1p60 ? 1 : 0;
        }
      }
      return new Evidence(near, onGrid);
    }

    boolean saysPresent() {
      return near == onGrid;
    }
  }

  private static NoiseKey key(int run) {
    return NoiseKey.of(ByteBuffer.allocate(32).putInt(run).array());
  }

  private static double[] gradient(boolean present) {
    double[] gradient = new double[DIMENSION];
    if (present) {
      Arrays.fill(gradient, GRADIENT);
    }
    return gradient;
  }

  /** Plain doubles: the sum of the gradients plus a standard normal each. */
  private static double[] naive(boolean present, int run) {
    double[] published = gradient(present);
    Random normal = Seed.random(run);
    for (int i = 0; i < DIMENSION; i++) {
      published[i] += SIGMA * normal.nextGaussian();
    }
    return published;
  }

  private static double[] onLattice(boolean present, int run) {
    Lattice lattice = Lattice.fit(1, SIGMA, DIMENSION, 1);
    Releaser releaser = Releaser.start(
        lattice,
        Mechanisms.INDEPENDENT.make(),
        SIGMA,
        key(run),
        new byte[16],
        new byte[32],
        new double[DIMENSION]);
    ClippedSum sum = new ClippedSum(lattice);
    sum.add(gradient(present));
    double[] published = new double[DIMENSION];
    releaser.release(sum, published, new byte[16], 0).mean(published);
    return published;
  }

  /**
   * About 31 coordinates lie near 0 in either world. Without the record each lies on the grid with
   * a probability of at most 1/4 (its ulp is at most 2^-62), so that all do with at most exp(-31 *
   * 3/4) = 8e-11; with it, all do. The ledger would say mu = 1, under which the best attack is
   * wrong in 31 of 100 runs.
   */
  @Test
  void tellsNeighboursApartWhereNoiseIsAddedInDoubles() {
    for (int run = 0; run < 100; run++) {
      assertThat(Evidence.of(naive(true, run)).saysPresent()).isTrue();
      assertThat(Evidence.of(naive(false, run)).saysPresent()).isFalse();
    }
  }

  @Test
  void seesTheSameGridInBothWorldsOnTheLattice() {
    for (int run = 0; run < 20; run++) {
      Evidence with = Evidence.of(onLattice(true, run));
      Evidence without = Evidence.of(onLattice(false, 1000 + run));
      assertThat(with.saysPresent()).isTrue();
      assertThat(without.saysPresent()).isTrue();
      assertThat(with.near()).isPositive();
    }
  }

  /**
   * And the lattice's own last bits say nothing: the four lowest of each coordinate are as good as
   * uniform in both worlds, since noise of 2^20 units is flat over 16 of them. Chi-square of 15
   * degrees exceeds 60 once in 4e6 runs.
   */
  @Test
  void hasUniformLastBitsInBothWorldsOnTheLattice() {
    for (boolean present : new boolean[] {false, true}) {
      assertThat(chiSquareOfLastBits(
              onLattice(present, 7), Lattice.fit(1, SIGMA, DIMENSION, 1).unit()))
          .isLessThan(60);
    }
    // The broken twin: gradients and noise that are coarser than the lattice would show.
    double[] coarse = onLattice(true, 7);
    double unit = Lattice.fit(1, SIGMA, DIMENSION, 1).unit();
    Arrays.setAll(coarse, i -> Math.rint(coarse[i] / (2 * unit)) * 2 * unit);
    assertThat(chiSquareOfLastBits(coarse, unit)).isGreaterThan(60);
  }

  private static double chiSquareOfLastBits(double[] published, double unit) {
    long[] cells = new long[16];
    for (double each : published) {
      double units = each / unit;
      assertThat(units).isEqualTo(Math.rint(units));
      cells[(int) ((long) units & 15)]++;
    }
    double expected = published.length / 16.0;
    double sum = 0;
    for (long cell : cells) {
      sum += (cell - expected) * (cell - expected) / expected;
    }
    return sum;
  }
}
