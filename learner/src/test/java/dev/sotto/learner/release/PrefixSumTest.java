package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

class PrefixSumTest {
  @Test
  void addsExactlyPastSixtyFourBits() {
    Random random = new Random(1);
    PrefixSum prefix = new PrefixSum(2);
    BigInteger[] exact = {BigInteger.ZERO, BigInteger.ZERO};
    double unit = 0x1p-20;
    for (int i = 0; i < 20_000; i++) {
      // One coordinate drifts up by about 2^52 a step, the other wanders.
      long[] steps = {(1L << 52) - random.nextInt(1 << 20), random.nextLong(-(1L << 52), 1L << 52)};
      long[] noise = {random.nextLong(-(1L << 49), 1L << 49), random.nextLong(-(1L << 49), 1L << 49)
      };
      prefix.add(new double[] {steps[0] * unit, steps[1] * unit}, unit, noise.clone());
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
    prefix.add(new double[] {-3}, 1, new long[] {0});
    double[] mean = new double[1];
    prefix.toDoubles(mean, 1, 1);
    assertThat(mean[0]).isEqualTo(-3);
  }

  @Test
  void refusesBytesOfAnotherDimension() {
    assertThatThrownBy(() -> PrefixSum.of(Paged.of(new byte[15]), 1))
        .hasMessageContaining("takes 16 bytes");
  }
}
