package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.mechanism.GradientNorm;
import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Gradients given as an outer product and a tail: their clip holds after rounding, whatever their
 * size.
 */
class ClippedProductTest {
  private static final int INPUTS = 4;
  private static final int ROWS = 3;
  private static final int TAIL = 2;
  private static final int DIMENSION = ROWS * INPUTS + TAIL;

  private static double[] sum(Lattice lattice, Example example, double[] outer, double[] tail) {
    ClippedSum sum = new ClippedSum(lattice);
    sum.add(example, outer, tail);
    assertThat(sum.slots()).isEqualTo(1);
    return sum.sum;
  }

  private static double[] product(Example example, double[] outer, double[] tail) {
    double[] all = new double[DIMENSION];
    for (int row = 0; row < ROWS; row++) {
      for (int i = 0; i < example.size(); i++) {
        all[row * INPUTS + example.index(i)] = outer[row] * example.value(i);
      }
    }
    System.arraycopy(tail, 0, all, ROWS * INPUTS, TAIL);
    return all;
  }

  /** Exactly: squares, or magnitudes, summed without rounding. */
  private static boolean within(double[] vector, double clip, GradientNorm norm) {
    BigDecimal total = BigDecimal.ZERO;
    for (double each : vector) {
      BigDecimal exact = new BigDecimal(Math.abs(each));
      total = total.add(norm == GradientNorm.L2 ? exact.multiply(exact) : exact);
    }
    BigDecimal bound = new BigDecimal(clip);
    return total.compareTo(norm == GradientNorm.L2 ? bound.multiply(bound) : bound) <= 0;
  }

  private static double magnitude(Random random, int reach) {
    double sign = random.nextBoolean() ? 1 : -1;
    return sign
        * (0.5 + random.nextDouble() / 2)
        * StrictMath.scalb(1.0, random.nextInt(2 * reach + 1) - reach);
  }

  @ParameterizedTest
  @EnumSource
  void keepsTheClipAtAllMagnitudes(GradientNorm norm) {
    Random random = Seed.random(1);
    int[] reaches = {0, 3, 60, 239, 500, 1020};
    int cut = 0;
    int kept = 0;
    for (int trial = 0; trial < 20_000; trial++) {
      int reach = reaches[random.nextInt(reaches.length)];
      double clip = StrictMath.scalb(1 + random.nextDouble(), random.nextInt(41) - 20);
      Lattice lattice = Lattice.fit(clip, clip * 2, DIMENSION, 4, norm);
      Example example = new Example(INPUTS);
      example.clear();
      if (random.nextBoolean()) {
        double[] values = example.dense();
        for (int i = 0; i < INPUTS; i++) {
          values[i] = magnitude(random, reach);
        }
      } else {
        example.add(2, magnitude(random, reach));
        example.add(0, random.nextInt(4) == 0 ? 0 : magnitude(random, reach));
      }
      double[] outer = new double[ROWS];
      double[] tail = new double[TAIL];
      double like = magnitude(random, reach);
      for (int i = 0; i < ROWS; i++) {
        outer[i] = random.nextInt(5) == 0 ? 0 : like * random.nextGaussian();
      }
      for (int i = 0; i < TAIL; i++) {
        tail[i] = random.nextInt(5) == 0 ? 0 : magnitude(random, reach);
      }
      double[] added = sum(lattice, example, outer, tail);
      assertThat(within(added, clip, norm)).as("trial %s", trial).isTrue();
      for (double each : added) {
        assertThat(Math.IEEEremainder(each, lattice.unit())).isZero();
      }
      double[] exact = product(example, outer, tail);
      double length = norm.of(exact);
      if (reach > 60 || !(length > 0) || length == Double.POSITIVE_INFINITY) {
        continue;
      }
      double factor = Math.min(1, clip / length);
      for (int i = 0; i < DIMENSION; i++) {
        assertThat(Math.abs(added[i] - factor * exact[i]))
            .isLessThanOrEqualTo(lattice.unit() + clip * 0x1p-9);
      }
      if (factor < 1) {
        cut++;
      } else {
        kept++;
      }
    }
    assertThat(cut).isGreaterThan(1000);
    assertThat(kept).isGreaterThan(1000);
  }

  /** The norm of a product of such factors could not be trusted, whatever it is itself. */
  @ParameterizedTest
  @EnumSource
  void countsAnUnbalancedProductAsNothing(GradientNorm norm) {
    Lattice lattice = Lattice.fit(2, 4, DIMENSION, 4, norm);
    Example example = new Example(INPUTS);
    example.add(1, 0x1p-250);
    double[] outer = {0x1p250, 0, 0};
    assertThat(sum(lattice, example, outer, new double[TAIL])).containsOnly(0);
    assertThat(sum(lattice, example, outer, new double[] {1, 0})).containsOnly(0);
    Example plain = new Example(INPUTS);
    plain.add(1, 0x1p-239);
    assertThat(sum(lattice, plain, new double[] {0x1p239, 0, 0}, new double[TAIL])[1])
        .isEqualTo(1);
  }

  /** The check above can fail: without the margin for rounding, some sums are too long. */
  @Test
  void wouldNoticeAClipWithoutMargin() {
    Random random = Seed.random(2);
    int over = 0;
    for (int trial = 0; trial < 1000; trial++) {
      double[] vector = new double[DIMENSION];
      for (int i = 0; i < DIMENSION; i++) {
        vector[i] = random.nextGaussian();
      }
      double unit = 0x1p-12;
      double norm = GradientNorm.L2.of(vector);
      double[] rounded = Arrays.stream(vector)
          .map(each -> Math.rint(each / norm / unit) * unit)
          .toArray();
      over += within(rounded, 1, GradientNorm.L2) ? 0 : 1;
    }
    assertThat(over).isGreaterThan(100);
  }

  @Test
  void countsWhatIsNotFiniteAsNothing() {
    Lattice lattice = Lattice.fit(1, 1, DIMENSION, 4, GradientNorm.L2);
    for (double bad :
        new double[] {Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY}) {
      Example fine = new Example(INPUTS);
      fine.dense()[1] = 1;
      Example broken = new Example(INPUTS);
      broken.dense()[1] = bad;
      double[] tail = {1, 0};
      double[] none = {0, 0};
      assertThat(sum(lattice, fine, new double[] {bad, 0, 0}, tail)).containsOnly(0);
      assertThat(sum(lattice, broken, new double[] {1, 0, 0}, none)).containsOnly(0);
      assertThat(sum(lattice, fine, new double[] {1, 0, 0}, new double[] {bad, 0}))
          .containsOnly(0);
      assertThat(sum(lattice, broken, new double[ROWS], none)).containsOnly(0);
    }
  }

  @Test
  void addsSparseAndDenseAlike() {
    Lattice lattice = Lattice.fit(1, 1, DIMENSION, 4, GradientNorm.L2);
    Example dense = new Example(INPUTS);
    Arrays.fill(dense.dense(), 0);
    dense.values()[1] = 0.3;
    dense.values()[3] = -2;
    Example sparse = new Example(INPUTS);
    sparse.clear();
    sparse.add(3, -2);
    sparse.add(1, 0.3);
    double[] outer = {0.1, -0.2, 0.05};
    double[] tail = {0.01, 0};
    assertThat(sum(lattice, sparse, outer, tail)).isEqualTo(sum(lattice, dense, outer, tail));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> sum(lattice, dense, new double[2], tail))
        .withMessageContaining("14 coordinates");
  }
}
