package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.mechanism.GradientNorm;
import dev.sotto.learner.release.LatticeException.Input;
import dev.sotto.testing.Seed;
import dev.sotto.testing.Tier;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class LatticeTest {
  private static double[] vector(Random random, int dimension, double size) {
    return random.doubles(dimension, -size, size).toArray();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 17, 64, 1000})
  void keepsEveryVectorWithinTheClipAfterRounding(int dimension) {
    Random random = Seed.random(dimension);
    Lattice lattice = Lattice.fit(1.0, 3.7, dimension, 10_000);
    BigDecimal most = BigDecimal.ONE;
    for (int i = 0; i < Math.min(500, Tier.choose(100_000, 50_000_000) / dimension); i++) {
      ClippedSum sum = new ClippedSum(lattice);
      sum.add(vector(random, dimension, Math.pow(10, random.nextInt(-3, 4))));
      BigDecimal squares = BigDecimal.ZERO;
      boolean onLattice = true;
      for (double value : sum.sum) {
        onLattice &= value / lattice.unit() == Math.rint(value / lattice.unit());
        squares = squares.add(new BigDecimal(value).multiply(new BigDecimal(value)));
      }
      assertThat(onLattice).isTrue();
      assertThat(squares).isLessThanOrEqualTo(most);
    }
  }

  @Test
  void clipsExtremeGradientsToo() {
    Lattice lattice = Lattice.fit(1.0, 1.0, 3, 100);
    for (double size :
        new double[] {1e-300, 1e-160, 1e160, 1e300, Double.MAX_VALUE, Double.MIN_VALUE}) {
      ClippedSum sum = new ClippedSum(lattice);
      sum.add(new double[] {size, -size, size / 2});
      double norm =
          Math.sqrt(sum.sum[0] * sum.sum[0] + sum.sum[1] * sum.sum[1] + sum.sum[2] * sum.sum[2]);
      assertThat(norm).isLessThanOrEqualTo(1.0);
      Example example = new Example(3);
      example.add(1, size);
      ClippedSum ofExample = new ClippedSum(lattice);
      ofExample.add(example, -1e200);
      assertThat(Math.abs(ofExample.sum[1])).isLessThanOrEqualTo(1.0);
    }
  }

  @Test
  void countsABrokenGradientAsZero() {
    Lattice lattice = Lattice.fit(1.0, 1.0, 2, 10);
    ClippedSum sum = new ClippedSum(lattice);
    sum.add(new double[] {Double.NaN, 1});
    sum.add(new double[] {Double.POSITIVE_INFINITY, 1});
    Example example = new Example(2);
    example.add(0, 1);
    sum.add(example, Double.NaN);
    sum.add(example, Double.NEGATIVE_INFINITY);
    assertThat(sum.sum).containsExactly(0, 0);
    assertThat(sum.slots()).isEqualTo(4);
  }

  @Test
  void givesTheSameBitsForEveryOrderAndGrouping() {
    Random random = Seed.random(5);
    int dimension = 9;
    Lattice lattice = Lattice.fit(1.0, 2.5, dimension, 400);
    List<double[]> vectors = new ArrayList<>();
    for (int i = 0; i < 400; i++) {
      vectors.add(vector(random, dimension, 2));
    }
    double[] first = sumOf(lattice, vectors);
    for (int trial = 0; trial < 20; trial++) {
      Collections.shuffle(vectors, random);
      assertThat(sumOf(lattice, vectors)).containsExactly(first);
      int cut = random.nextInt(1, 399);
      double[] left = sumOf(lattice, vectors.subList(0, cut));
      double[] right = sumOf(lattice, vectors.subList(cut, 400));
      assertThat(
              IntStream.range(0, dimension).mapToDouble(i -> left[i] + right[i]).toArray())
          .containsExactly(first);
    }
  }

  /**
   * Threads add what they get hold of, in parts of any size, and the parts are merged as they come.
   */
  @ParameterizedTest
  @EnumSource
  void mergesPartsOfAnySizeFromManyThreadsToTheSameBits(GradientNorm norm) {
    Random random = Seed.random(8);
    int dimension = 33;
    int batch = 600;
    Lattice lattice = Lattice.fit(1.0, 2.5, dimension, batch, norm);
    List<double[]> vectors = new ArrayList<>();
    for (int i = 0; i < batch; i++) {
      vectors.add(vector(random, dimension, Math.pow(10, random.nextInt(-4, 3))));
    }
    double[] first = sumOf(lattice, vectors);
    double[] broken = plainSum(vectors);
    boolean differs = false;
    for (int trial = 0; trial < 20; trial++) {
      Collections.shuffle(vectors, random);
      List<ClippedSum> parts = new ArrayList<>();
      List<List<double[]>> shares = new ArrayList<>();
      for (int from = 0; from < batch; ) {
        int to = Math.min(batch, from + 1 + random.nextInt(100));
        shares.add(vectors.subList(from, to));
        from = to;
      }
      shares.parallelStream().forEach(share -> {
        ClippedSum part = new ClippedSum(lattice);
        share.forEach(part::add);
        synchronized (parts) {
          parts.add(part);
        }
      });
      Collections.shuffle(parts, random);
      ClippedSum whole = new ClippedSum(lattice);
      parts.forEach(whole::merge);
      assertThat(whole.sum).containsExactly(first);
      assertThat(whole.isFull()).isTrue();
      differs |= !Arrays.equals(plainSum(vectors), broken);
    }
    assertThat(differs).isTrue(); // as plain doubles, the same orders give other bits
  }

  private static double[] plainSum(List<double[]> vectors) {
    double[] sum = new double[vectors.get(0).length];
    vectors.forEach(each -> Arrays.setAll(sum, i -> sum[i] + each[i]));
    return sum;
  }

  @Test
  void countsNoSlotTwiceWhenPartsAreMerged() {
    Lattice lattice = Lattice.fit(1, 1, 2, 3);
    ClippedSum whole = new ClippedSum(lattice);
    whole.add(new double[] {0.25, 0});
    ClippedSum part = new ClippedSum(lattice);
    part.add(new double[] {0.25, 0.5});
    part.addNothing();
    whole.merge(part);
    assertThat(whole.sum).containsExactly(0.5, 0.5);
    assertThat(whole.slots()).isEqualTo(3);
    assertThat(part.sum).containsOnly(0);
    assertThat(part.slots()).isZero();
    whole.merge(part); // an empty part: nothing
    assertThat(whole.slots()).isEqualTo(3);
    part.addNothing();
    assertThatThrownBy(() -> whole.merge(part))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("a round holds 3 slots, but the parts have 3 and 1");
    assertThat(part.slots()).isEqualTo(1);
    assertThatThrownBy(() -> whole.merge(whole)).isInstanceOf(IllegalArgumentException.class);
    ClippedSum foreign = new ClippedSum(Lattice.fit(1, 1, 2, 3, GradientNorm.L1));
    assertThatThrownBy(() -> whole.merge(foreign))
        .hasMessageContaining("another sum on the lattice");
  }

  @Test
  void wouldLeakTheOrderWithoutALattice() {
    Random random = Seed.random(6);
    List<Double> values = new ArrayList<>(random.doubles(400, -1, 1).boxed().toList());
    double first = values.stream().mapToDouble(each -> each).reduce(0, Double::sum);
    boolean differs = false;
    for (int trial = 0; trial < 20; trial++) {
      Collections.shuffle(values, random);
      differs |= values.stream().mapToDouble(each -> each).reduce(0, Double::sum) != first;
    }
    assertThat(differs).isTrue();
  }

  private static double[] sumOf(Lattice lattice, List<double[]> vectors) {
    ClippedSum sum = new ClippedSum(lattice);
    vectors.forEach(sum::add);
    return sum.sum;
  }

  @Test
  void addsSparseAndDenseExamplesToTheSameBits() {
    Random random = Seed.random(7);
    Lattice lattice = Lattice.fit(1.0, 2.5, 50, 100);
    ClippedSum dense = new ClippedSum(lattice);
    ClippedSum sparse = new ClippedSum(lattice);
    Example wide = new Example(50);
    Example thin = new Example(50);
    for (int i = 0; i < 100; i++) {
      double[] values = wide.dense();
      Arrays.fill(values, 0, 50, 0);
      thin.clear();
      for (int j = 0; j < 4; j++) { // exact values: the two norms are summed in different orders
        int index = random.nextInt(50);
        double value = random.nextInt(-3, 4) / 4.0;
        values[index] += value;
        thin.add(index, value);
      }
      double slope = random.nextInt(-8, 9) / 8.0;
      dense.add(wide, slope);
      sparse.add(thin, slope);
    }
    assertThat(sparse.sum).containsExactly(dense.sum);
  }

  @Test
  void refusesWhatCannotAddExactlyAndShowsTheArithmetic() {
    assertThatThrownBy(() -> new Lattice(0x1p-40, 1, 3, 1L << 13))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("batch * clip must be below 2^53")
        .hasMessageContaining("8192 * 1.0");
    assertThatThrownBy(() -> new Lattice(0x1p-52, 1, 3, 1)).hasMessageContaining("2^51");
    assertThatThrownBy(() -> new Lattice(0.3, 1, 3, 1)).hasMessageContaining("power of two");
    assertThatThrownBy(() -> new Lattice(0.5, 1, 100, 10)).hasMessageContaining("leaves no room");
    assertThatThrownBy(() -> Lattice.fit(Double.NaN, 1, 3, 1)).hasMessageContaining("clip");
    assertThatThrownBy(() -> Lattice.fit(1, Double.NaN, 3, 1)).hasMessageContaining("sigma");
    assertThatThrownBy(() -> Lattice.fit(1, 1, 3, 1L << 62)).hasMessageContaining("2^53");
    assertThatThrownBy(() -> Lattice.fit(1e-9, 1e9, 3, 1)).hasMessageContaining("2^32");
    assertThatThrownBy(() -> Lattice.fit(1, 1, (1 << 24) + 1, 1)).hasMessageContaining("2^24");
  }

  private static void refuses(Input input, String words, ThrowingCallable making) {
    assertThatThrownBy(making)
        .isInstanceOfSatisfying(
            LatticeException.class, refused -> assertThat(refused.input()).isEqualTo(input))
        .hasMessageContaining(words);
  }

  @Test
  void namesWhatIsOutOfRange() {
    for (double clip : new double[] {0, -1, Double.NaN, Double.POSITIVE_INFINITY}) {
      refuses(Input.CLIP, "clip must be positive", () -> new Lattice(0x1p-10, clip, 3, 1));
      refuses(Input.CLIP, "clip must be positive", () -> Lattice.fit(clip, 1, 3, 1));
    }
    for (int dimension : new int[] {0, -1, (1 << 24) + 1}) {
      refuses(Input.DIMENSION, "dimension must be", () -> new Lattice(0x1p-40, 1, dimension, 1));
      refuses(Input.DIMENSION, "dimension must be", () -> Lattice.fit(1, 1, dimension, 1));
    }
    for (double sigma : new double[] {0, -1, Double.POSITIVE_INFINITY}) {
      refuses(Input.NOISE, "sigma must be positive", () -> Lattice.fit(1, sigma, 3, 1));
    }
    refuses(Input.BATCH, "batch must be at least 1", () -> new Lattice(0x1p-10, 1, 3, 0));
    refuses(Input.CLIP, "power of two", () -> new Lattice(0, 1, 3, 1));
  }

  /** The last values that are allowed, and the first that are not, with the arithmetic. */
  @Test
  void goesAsFarAsSumsAreExact() {
    assertThat(new Lattice(1, 0x1p51, 1, 3).batch()).isEqualTo(3);
    refuses(Input.CLIP, "at most 2^51", () -> new Lattice(1, 0x1p51 + 1, 1, 1));
    refuses(Input.CLIP, "= 9.007199254740992E15 units", () -> new Lattice(0.5, 0x1p52, 1, 1));
    refuses(
        Input.BATCH,
        "4 * 1.125899906842624E15 = 9.007199254740992E15 units of 0.5",
        () -> new Lattice(0.5, 0x1p50, 1, 4));
    assertThat(new Lattice(0x1p-40, 1, 1 << 24, 1).dimension()).isEqualTo(1 << 24);
    assertThat(Lattice.fit(0x1p10, 0x1p32, 1, 1).unit()).isEqualTo(1);
    refuses(
        Input.NOISE, "= 4.294967297E9 units of 1.0", () -> Lattice.fit(0x1p10, 0x1p32 + 1, 1, 1));
  }

  /** Where exponents end, no unit is fine enough for the noise. */
  @Test
  void refusesNoiseBelowTheSmallestGrid() {
    refuses(Input.NOISE, "large enough", () -> Lattice.fit(0x1p-980, 0x1p-1010, 1, 1));
    assertThat(Lattice.fit(0x1p-980, 0x1p-1000, 1, 1).unit()).isEqualTo(0x1p-1020);
  }

  @Test
  void fillsManySlotsWithNothing() {
    ClippedSum sum = new ClippedSum(Lattice.fit(1, 1, 1, 5));
    sum.addNothing(0);
    sum.addNothing(2);
    assertThat(sum.slots()).isEqualTo(2);
    for (long count : new long[] {-1, 4}) {
      assertThatThrownBy(() -> sum.addNothing(count))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("a round holds 5 slots, and 2 are filled");
    }
    sum.addNothing(3);
    assertThat(sum.isFull()).isTrue();
    assertThat(sum.sum).containsOnly(0);
  }

  /** What a buffer held before is no part of the example that is in it now. */
  @Test
  void addsNothingOfAnEarlierExample() {
    Lattice lattice = Lattice.fit(1, 1, 8, 4);
    Example reused = new Example(8);
    reused.add(6, 0.5);
    reused.add(7, 0.5);
    reused.clear();
    reused.add(1, 0.5);
    ClippedSum slope = new ClippedSum(lattice);
    slope.add(reused, 1);
    ClippedSum product = new ClippedSum(lattice);
    product.add(reused, new double[] {1}, new double[0]);
    for (ClippedSum sum : List.of(slope, product)) {
      assertThat(sum.sum).containsExactly(0, 0.5, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  void fillsNoMoreSlotsThanARoundHas() {
    ClippedSum sum = new ClippedSum(Lattice.fit(1, 1, 1, 2));
    sum.addNothing();
    sum.add(new double[] {1});
    assertThat(sum.isFull()).isTrue();
    assertThatThrownBy(sum::addNothing).isInstanceOf(IllegalStateException.class);
  }
}
