package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixSumTest {
  @Test
  void addsExactlyPastSixtyFourBits() {
    Random random = Seed.random(1);
    PrefixSum prefix = new PrefixSum(2);
    BigInteger[] exact = {BigInteger.ZERO, BigInteger.ZERO};
    double unit = 0x1p-20;
    for (int i = 0; i < 20_000; i++) {
      // One coordinate drifts up by about 2^52 a step, the other wanders.
      long[] steps = {(1L << 52) - random.nextInt(1 << 20), random.nextLong(-(1L << 52), 1L << 52)};
      long[] noise = {random.nextLong(-(1L << 49), 1L << 49), random.nextLong(-(1L << 49), 1L << 49)
      };
      add(prefix, new double[] {steps[0] * unit, steps[1] * unit}, unit, noise);
      for (int j = 0; j < 2; j++) {
        exact[j] = exact[j].add(BigInteger.valueOf(steps[j] + noise[j]));
      }
    }
    assertThat(exact[0].bitLength()).isGreaterThan(64);
    double[] means = new double[2];
    prefix.toDoubles(means, unit, 4);
    for (int j = 0; j < 2; j++) {
      double expected = new BigDecimal(exact[j]).doubleValue() * unit / 4;
      assertThat(means[j])
          .isBetween(expected - 2 * Math.ulp(expected), expected + 2 * Math.ulp(expected));
    }
    assertThat(PrefixSum.of(prefix.view(16), 2).view(16).join())
        .isEqualTo(prefix.view(16).join());
  }

  @Test
  void convertsSmallNegativesExactly() {
    PrefixSum prefix = new PrefixSum(1);
    add(prefix, new double[] {-3}, 1, new long[] {0});
    double[] mean = new double[1];
    prefix.toDoubles(mean, 1, 1);
    assertThat(mean[0]).isEqualTo(-3);
  }

  /** Nothing added is nothing carried. */
  @Test
  void staysWhereItIsWhereNothingIsAdded() {
    PrefixSum prefix = new PrefixSum(2);
    add(prefix, new double[] {5, -5}, 1, new long[] {0, 0});
    add(prefix, new double[] {0, 0}, 1, new long[] {0, 0});
    double[] mean = new double[2];
    prefix.toDoubles(mean, 1, 1);
    assertThat(mean).containsExactly(5, -5);
  }

  @Test
  void fillsPagesOfTheSizeThatIsAsked() {
    PrefixSum prefix = new PrefixSum(5);
    add(prefix, new double[5], 1, new long[] {1, -2, 1 << 30, 4, 5}); // 4 bytes each
    assertThat(prefix.view(8).pages()).isEqualTo(3);
    assertThat(prefix.view(8).page(0)).hasSize(8);
    assertThat(prefix.view(8).page(2)).hasSize(4);
    assertThat(prefix.view(1).pages()).isEqualTo(5);
  }

  /** Every width, at both its ends, in pages of several sizes. */
  @Test
  void takesAsManyBytesAsTheLargestCoordinate() {
    for (int bits = 0; bits < 63; bits++) {
      for (long value :
          new long[] {1L << bits, -(1L << bits), (1L << bits) - 1, -(1L << bits) - 1}) {
        PrefixSum prefix = new PrefixSum(3);
        add(prefix, new double[3], 1, new long[] {value, 1, -1});
        PagedBytes view = prefix.view(5);
        int signed = 65 - Long.numberOfLeadingZeros(Math.max(value ^ value >> 63, 1));
        assertThat(view.length()).isEqualTo(3L * ((signed + 7) / 8));
        PrefixSum read = PrefixSum.of(view, 3);
        assertThat(read.view(48).join()).isEqualTo(view.join());
        double[] mean = new double[3];
        read.toDoubles(mean, 1, 1);
        assertThat(mean).containsExactly(value, 1, -1);
      }
    }
    PrefixSum large = new PrefixSum(1);
    for (int i = 0; i < 4; i++) {
      add(large, new double[1], 1, new long[] {Long.MAX_VALUE >> 1});
    }
    assertThat(large.view(16).length()).isEqualTo(16); // beyond 64 bits
    double[] mean = new double[1];
    PrefixSum.of(large.view(16), 1).toDoubles(mean, 1, 1);
    assertThat(mean).containsExactly(0x1p64 - 4);
  }

  /** Every width of many coordinates, in pages of several sizes, each coordinate at its place. */
  @Test
  void takesAsManyBitsAsTheLargestOfManyCoordinates() {
    Random random = Seed.random(3);
    for (int bits = 0; bits < 63; bits++) {
      for (int dimension : new int[] {64, 65, 71, 200}) {
        long[] values = random.longs(dimension, -(1L << bits), 1L << bits).toArray();
        values[random.nextInt(dimension)] = -(1L << bits);
        values[random.nextInt(dimension)] = (1L << bits) - 1;
        PrefixSum prefix = new PrefixSum(dimension);
        add(prefix, new double[dimension], 1, values);
        int taken = width(values);
        BigInteger all = BigInteger.ZERO; // one after the other, the highest bit first
        for (long value : values) {
          BigInteger low = BigInteger.valueOf(value).mod(BigInteger.ONE.shiftLeft(taken));
          all = all.shiftLeft(taken).or(low);
        }
        for (int pageBytes : new int[] {1, 7, 16, 100, 1 << 18}) {
          PagedBytes view = prefix.view(pageBytes);
          byte[] joined = view.join();
          assertThat(joined).hasSize((dimension * taken + 7) / 8);
          assertThat(view.length()).isEqualTo(joined.length);
          for (int page = 0; page < view.pages(); page++) {
            assertThat(view.page(page).length).isLessThanOrEqualTo(Math.max(pageBytes, taken));
          }
          int padding = 8 * joined.length - dimension * taken;
          assertThat(new BigInteger(1, joined)).isEqualTo(all.shiftLeft(padding));
          double[] mean = new double[dimension];
          PrefixSum.of(view, dimension).toDoubles(mean, 1, 1);
          assertThat(mean)
              .containsExactly(Arrays.stream(values).asDoubleStream().toArray());
        }
      }
    }
  }

  private static void add(PrefixSum prefix, double[] sum, double unit, long[] noise) {
    System.arraycopy(noise, 0, prefix.beginRound(), 0, noise.length);
    prefix.addNoisy(sum, unit);
  }

  private static int width(long[] values) {
    int bits = Arrays.stream(values)
        .mapToInt(value -> 65 - Long.numberOfLeadingZeros(value ^ value >> 63))
        .max()
        .orElseThrow();
    return bits > 56 ? 64 : bits;
  }

  /** Coordinates took whole bytes once; those are as they would be written today. */
  @Test
  void readsWholeBytes() {
    long[] values = Seed.random(4).longs(100, -(1 << 22), 1 << 22).toArray();
    byte[] bytes = new byte[300];
    for (int i = 0; i < 100; i++) {
      bytes[3 * i] = (byte) (values[i] >> 16);
      bytes[3 * i + 1] = (byte) (values[i] >> 8);
      bytes[3 * i + 2] = (byte) values[i];
    }
    double[] mean = new double[100];
    PrefixSum.of(PagedBytes.of(bytes), 100).toDoubles(mean, 1, 1);
    assertThat(mean).containsExactly(Arrays.stream(values).asDoubleStream().toArray());
  }

  @Test
  void refusesBytesOfAnotherDimension() {
    assertThatThrownBy(() -> PrefixSum.of(PagedBytes.of(new byte[226]), 64))
        .hasMessageContaining("64 coordinates takes up to 8, or 16, bytes for each");
    assertThatThrownBy(() -> PrefixSum.of(PagedBytes.of(new byte[15]), 1))
        .hasMessageContaining("takes up to 8, or 16, bytes for each, but there were 15");
  }
}
