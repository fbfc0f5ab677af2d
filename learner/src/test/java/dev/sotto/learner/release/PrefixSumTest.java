package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.mechanism.PagedBytes;
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

  /** Nothing added is nothing carried. */
  @Test
  void staysWhereItIsWhereNothingIsAdded() {
    PrefixSum prefix = new PrefixSum(2);
    prefix.add(new double[] {5, -5}, 1, new long[] {0, 0});
    prefix.add(new double[] {0, 0}, 1, new long[] {0, 0});
    double[] mean = new double[2];
    prefix.toDoubles(mean, 1, 1);
    assertThat(mean).containsExactly(5, -5);
  }

  @Test
  void fillsPagesOfTheSizeThatIsAsked() {
    PrefixSum prefix = new PrefixSum(5);
    assertThat(prefix.view(32).pages()).isEqualTo(3);
    assertThat(prefix.view(32).page(0)).hasSize(32);
    assertThat(prefix.view(32).page(2)).hasSize(16);
    assertThat(prefix.view(1).pages()).isEqualTo(5);
  }

  @Test
  void refusesBytesOfAnotherDimension() {
    assertThatThrownBy(() -> PrefixSum.of(PagedBytes.of(new byte[15]), 1))
        .hasMessageContaining("a prefix of 1 coordinates takes 16 bytes, but there were 15");
  }
}
