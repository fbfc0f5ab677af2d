package dev.sotto.serdes.avro;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.Random;
import java.util.function.DoubleSupplier;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CompactDoublesTest {
  private static final int HEAD = 4;

  record Values(String name, int count, double most, DoubleSupplier next) {
    double[] get() {
      return DoubleStream.generate(next).limit(count).toArray();
    }

    @Override
    public String toString() {
      return count + " " + name;
    }
  }

  static Stream<Values> values() {
    Random random = Seed.random(5);
    return Stream.of(0, 1, 2, 7, 1023, 1024, 1025, 5000)
        .flatMap(n -> Stream.of(
            new Values("zeros", n, 0.01, () -> 0.0),
            new Values("negative zeros", n, 8.01, () -> -0.0),
            new Values("means", n, 3.01, () -> Math.rint(1e5 * random.nextGaussian()) / 4096),
            new Values("negative powers", n, 1.01, () -> -0x1p-900),
            new Values("smallest of a byte", n, 1.01, () -> random.nextBoolean() ? -127 : 1),
            new Values("too large for a byte", n, 2.01, () -> random.nextBoolean() ? -128 : 1),
            new Values("whole numbers", n, 6.01, () -> (random.nextLong() >> 17) | 1),
            new Values("too long", n, 8.01, () -> (random.nextLong() >> 16) | 1),
            new Values("normal variables", n, 8.01, random::nextGaussian),
            new Values("any bits", n, 8.01, () -> Double.longBitsToDouble(random.nextLong())),
            new Values("far ones", n, 8.01, () -> random.nextBoolean() ? 0x1p1001 : 0x1p1002),
            new Values("small ones", n, 8.01, () -> Double.MIN_VALUE * random.nextInt(3)),
            new Values("unlike ones", n, 8.01, () -> random.nextBoolean() ? 0x1p-30 : 0x1p30)));
  }

  @ParameterizedTest
  @MethodSource("values")
  void givesTheSameBits(Values some) {
    double[] values = some.get();
    byte[] bytes = CompactDoubles.pack(values, 0, values.length);
    assertThat(CompactDoubles.count(bytes)).isEqualTo(values.length);
    double[] read = new double[values.length + 2];
    Arrays.fill(read, 7);
    CompactDoubles.unpack(bytes, read, 1);
    assertThat(bits(Arrays.copyOfRange(read, 1, read.length - 1))).isEqualTo(bits(values));
    assertThat(read[0]).isEqualTo(7);
    assertThat(read[read.length - 1]).isEqualTo(7);
    assertThat(bytes.length - HEAD).isLessThanOrEqualTo((int) (some.most * values.length + 5));
  }

  private static long[] bits(double[] values) {
    return Arrays.stream(values).mapToLong(Double::doubleToRawLongBits).toArray();
  }

  @Test
  void packsAPart() {
    double[] values = {1, 2, 3, 4, 5};
    double[] read = new double[2];
    CompactDoubles.unpack(CompactDoubles.pack(values, 2, 2), read, 0);
    assertThat(read).containsExactly(3, 4);
  }

  @Test
  void mixesGroups() {
    double[] values = new double[4096];
    Random random = Seed.random(6);
    for (int i = 0; i < 1024; i++) {
      values[i] = random.nextGaussian();
      values[2048 + i] = random.nextInt(100) / 8.0;
    }
    byte[] bytes = CompactDoubles.pack(values, 0, values.length);
    assertThat(bytes.length).isEqualTo(HEAD + (1 + 8 * 1024) + 1 + (3 + 1024) + 1);
    double[] read = new double[values.length];
    CompactDoubles.unpack(bytes, read, 0);
    assertThat(bits(read)).isEqualTo(bits(values));
  }

  @Test
  void refusesDamagedBytes() {
    double[] into = new double[3];
    byte[] good = CompactDoubles.pack(new double[] {1, 2, 3}, 0, 3);
    assertThat(good).hasSize(HEAD + 3 + 3);
    for (byte[] bad : new byte[][] {
      {},
      {1, 0, 0},
      {-1, -1, -1, -1},
      {1, 0, 0, 0},
      {1, 0, 0, 0, 7},
      {1, 0, 0, 0, -1},
      {1, 0, 0, 0, 1, 0, 4, 9}, // 2^1024
      Arrays.copyOf(good, good.length - 1),
      Arrays.copyOf(good, good.length + 1)
    }) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> CompactDoubles.unpack(bad, into, 0))
          .withMessageContaining("compact");
    }
  }
}
