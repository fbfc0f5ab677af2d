package dev.sotto.learner.example;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VectorsTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  private static double norm(double... vector) {
    return Vectors.norm(vector, vector.length);
  }

  private static double exactNorm(double[] vector) {
    BigDecimal squares = BigDecimal.ZERO;
    for (double each : vector) {
      squares = squares.add(new BigDecimal(each).pow(2));
    }
    return squares.sqrt(new MathContext(40)).doubleValue();
  }

  @ParameterizedTest
  @ValueSource(
      doubles = {
        1e-323, 1e-308, 1e-200, 1e-161, 1e-158, 1e-154, 1e-150, 1e-140, 1e-139, 1e-5, 1, 1e139,
        1e140, 1e153, 1e154, 1e200, 1e307
      })
  void takesNormsWithoutOverflowAndUnderflow(double size) {
    Random random = Seed.random(3);
    for (int length : new int[] {1, 2, 3, 4, 5, 8, 63}) {
      double[] vector = random.doubles(length, -size, size).toArray();
      double exact = exactNorm(vector);
      assertThat(Vectors.norm(vector, length))
          .isCloseTo(exact, within(1e-14 * exact + Double.MIN_VALUE * length));
    }
  }

  /**
   * One large and many small entries: the squares of the small ones underflow, and do not matter.
   */
  @Test
  void takesNormsOfMixedSizes() {
    assertThat(norm(1e-200, 3, 1e-300, 4)).isEqualTo(5);
    assertThat(norm(3e-150, 4e-150, 0, 1e-320)).isCloseTo(5e-150, within(1e-164));
    assertThat(norm(3e200, 4e200, 1, 1e-320)).isCloseTo(5e200, within(1e186));
  }

  @Test
  void takesL1Norms() {
    Random random = Seed.random(4);
    for (int length : new int[] {0, 1, 2, 3, 4, 5, 8, 63}) {
      double[] vector = random.doubles(length, -1, 1).toArray();
      BigDecimal exact = BigDecimal.ZERO;
      for (double each : vector) {
        exact = exact.add(new BigDecimal(each).abs());
      }
      assertThat(Vectors.l1Norm(vector, length)).isCloseTo(exact.doubleValue(), within(1e-14));
    }
    assertThat(Vectors.l1Norm(new double[] {1, -2, 9}, 2)).isEqualTo(3);
    assertThat(Vectors.l1Norm(new double[] {Double.MIN_VALUE, -Double.MIN_VALUE}, 2))
        .isEqualTo(2 * Double.MIN_VALUE);
    assertThat(Vectors.l1Norm(new double[] {Double.MAX_VALUE, Double.MAX_VALUE}, 2))
        .isEqualTo(INFINITY);
    assertThat(Vectors.l1Norm(new double[] {1, -INFINITY}, 2)).isEqualTo(INFINITY);
    assertThat(Vectors.l1Norm(new double[] {Double.NaN, -INFINITY}, 2)).isNaN();
  }

  @Test
  void sayWhatHasNoFiniteNorm() {
    assertThat(norm()).isZero();
    assertThat(norm(0, -0.0)).isZero();
    assertThat(norm(Double.MIN_VALUE)).isEqualTo(Double.MIN_VALUE);
    assertThat(norm(-Double.MAX_VALUE)).isEqualTo(Double.MAX_VALUE);
    assertThat(norm(Double.MAX_VALUE, Double.MAX_VALUE)).isEqualTo(INFINITY);
    for (double broken : new double[] {Double.NaN, INFINITY, -INFINITY}) {
      for (double other : new double[] {0, 1, 1e300, 1e-300}) {
        for (int place = 0; place < 6; place++) {
          double[] vector = {other, other, other, other, other, other};
          vector[place] = broken;
          assertThat(norm(vector)).isNotFinite();
          assertThat(Vectors.isFinite(vector, 6)).isFalse();
          assertThat(Vectors.isFinite(vector, place)).isTrue();
        }
      }
    }
  }

  @Test
  void readsTheFirstEntriesOnly() {
    double[] a = {1, 2, 3, 4, 5, Double.NaN};
    double[] b = {10, 20, 30, 40, 50, Double.NaN};
    assertThat(Vectors.dot(a, b, 0)).isZero();
    assertThat(Vectors.dot(a, b, 3)).isEqualTo(140);
    assertThat(Vectors.dot(a, b, 5)).isEqualTo(550);
    assertThat(Vectors.norm(a, 2)).isEqualTo(Math.sqrt(5));
  }

  @Test
  void sumsExactlyWhatIsExact() {
    Random random = Seed.random(4);
    for (int length = 0; length < 40; length++) {
      double[] a = random.ints(length, -1000, 1000).asDoubleStream().toArray();
      double[] b = random.ints(length, -1000, 1000).asDoubleStream().toArray();
      double expected = 0;
      for (int i = 0; i < length; i++) {
        expected += a[i] * b[i];
      }
      assertThat(Vectors.dot(a, b, length)).isEqualTo(expected);
    }
  }

  /**
   * Four partial sums, then (s0 + s1) + (s2 + s3), the rest into s0: the order is part of the
   * result.
   */
  @Test
  void sumsInItsFixedOrder() {
    double[] ones = {1, 1, 1, 1, 1, 1};
    double[] a = {0x1p53, 1, -0x1p53, 1, 1, 1}; // rest 1 and 1: s0 = (2^53 + 1) + 1 = 2^53
    assertThat(Vectors.dot(a, ones, 6)).isEqualTo((0x1p53 + 1) + (-0x1p53 + 1));
    assertThat(Vectors.dot(a, ones, 6)).isNotEqualTo(4);
  }

  /** Powers of two are multiplied with; quotients are the same, the smallest and largest too. */
  @Test
  void dividesAsTheProcessorDoes() {
    double[] numbers = {
      1, -3, 0, -0.0, Math.PI, Double.MIN_VALUE, -3 * Double.MIN_VALUE, Double.MAX_VALUE, 0x1p-1021
    };
    for (double divisor :
        new double[] {1, 2, 3, 256, 4096, 1000, 0x1p53, 0.5, 0x1p1023, 0x1p-1023, 0x1p-1074}) {
      double[] quotients = numbers.clone();
      Vectors.divide(quotients, divisor, 1, numbers.length);
      assertThat(quotients[0]).isEqualTo(1);
      for (int i = 1; i < numbers.length; i++) {
        assertThat(Double.doubleToRawLongBits(quotients[i]))
            .as("%s / %s", numbers[i], divisor)
            .isEqualTo(Double.doubleToRawLongBits(numbers[i] / divisor));
      }
    }
  }
}
