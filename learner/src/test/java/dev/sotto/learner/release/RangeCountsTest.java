package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Counts of ranges: what a slot moves, and the noise that hides it. */
class RangeCountsTest {
  private static final int NUMBERS = 20;
  private static final int BINS = 163;
  private static final double SIGMA = 30;
  private static final NoiseKey KEY =
      NoiseKey.of(ByteBuffer.allocate(32).putInt(9).array());
  private static final byte[] DIGEST = new byte[32];

  private static RangeCounts open(double sigma, int slots) {
    RangeCounts counts = new RangeCounts(NUMBERS, sigma);
    counts.open(BINS, slots);
    return counts;
  }

  private static double[] noisy(RangeCounts counts, byte[] digest, int stage) {
    return counts.release(new NoiseRelease.Moment(8, digest, KEY, () -> 8), stage);
  }

  private static double[] noise(double sigma, byte[] digest, int stage) {
    RangeCounts counts = open(sigma, 1);
    counts.addNothing(1);
    return noisy(counts, digest, stage);
  }

  /** Standard errors of a variance that should be 1: chi-square, by Wilson and Hilferty (1931). */
  private static double varianceErrors(double[] noise, double sigma) {
    double n = noise.length;
    double chiSquare =
        Arrays.stream(noise).map(each -> each * each / (sigma * sigma)).sum();
    double ninth = 2 / (9 * n);
    return Math.abs((Math.cbrt(chiSquare / n) - (1 - ninth)) / Math.sqrt(ninth));
  }

  @Test
  void hasTheNoiseThatIsStated() { // 6 standard errors: 2e-9
    assertThat(varianceErrors(noise(SIGMA, DIGEST, 1), SIGMA)).isLessThan(6);
    assertThat(varianceErrors(noise(0, DIGEST, 1), SIGMA)).isGreaterThan(6); // none at all
    assertThat(varianceErrors(noise(0.9 * SIGMA, DIGEST, 1), SIGMA)).isGreaterThan(6);
  }

  @Test
  void noiseFollowsFromDigestAndStage() {
    double[] noise = noise(SIGMA, DIGEST, 1);
    assertThat(noise(SIGMA, DIGEST, 1)).isEqualTo(noise);
    byte[] other = new byte[32];
    other[0] = 1;
    for (double[] each : new double[][] {noise(SIGMA, other, 1), noise(SIGMA, DIGEST, 2)}) {
      double product = 0;
      for (int i = 0; i < noise.length; i++) {
        product += noise[i] * each[i] / (SIGMA * SIGMA);
      }
      assertThat(product / Math.sqrt(noise.length)).isBetween(-6.0, 6.0);
    }
  }

  @Test
  void slotMovesThemByTheRootOfTheNumbers() {
    RangeCounts counts = open(SIGMA, 2);
    int[] bins = new int[NUMBERS];
    Arrays.fill(bins, 7);
    bins[3] = -1; // it counts nowhere
    counts.add(bins);
    double norm = Math.sqrt(Arrays.stream(counts.sum).map(each -> each * each).sum());
    assertThat(norm).isCloseTo(Math.sqrt(NUMBERS - 1), within(1e-15));
    assertThatThrownBy(() -> counts.add(new int[NUMBERS + 1])).hasMessageContaining("21");
    counts.addNothing(1);
    assertThat(counts.isOpen()).isFalse();
    assertThatThrownBy(() -> counts.add(bins)).hasMessageContaining("no room");
    assertThatThrownBy(() -> counts.addNothing(1)).hasMessageContaining("no room");
  }

  @Test
  void isReleasedWholeAndOnce() {
    RangeCounts counts = open(SIGMA, 2);
    counts.addNothing(1);
    assertThatThrownBy(() -> noisy(counts, DIGEST, 1)).hasMessageContaining("released whole");
    counts.addNothing(1);
    noisy(counts, DIGEST, 1);
    assertThatThrownBy(() -> noisy(counts, DIGEST, 1)).hasMessageContaining("released whole");
  }

  @Test
  void liesOnTheLatticeOfItsNoise() {
    RangeCounts counts = open(SIGMA, 1);
    assertThat(counts.unit).isLessThanOrEqualTo(SIGMA * 0x1p-20).isGreaterThan(SIGMA * 0x1p-22);
    int[] bins = new int[NUMBERS];
    counts.add(bins);
    for (double each : noisy(counts, DIGEST, 1)) {
      assertThat(each / counts.unit).isEqualTo(Math.rint(each / counts.unit));
    }
  }

  /** The counts enter the running digest: other counts, other noise of everything that follows. */
  @Test
  void bindsTheDigestToTheCounts() {
    byte[] one = digestWith(0);
    assertThat(digestWith(0)).isEqualTo(one);
    assertThat(digestWith(1)).isNotEqualTo(one);
  }

  private static byte[] digestWith(int bin) {
    Lattice lattice = new Lattice(0x1p-20, 1, 1, 1);
    Releaser releaser = Releaser.start(
        lattice, Mechanisms.INDEPENDENT.make(), 4, KEY, new byte[16], new byte[32], new double[1]);
    ClippedSum sum = new ClippedSum(lattice);
    sum.addNothing();
    RangeCounts counts = open(SIGMA, 1);
    int[] bins = new int[NUMBERS];
    Arrays.fill(bins, bin);
    counts.add(bins);
    releaser.answer(new FullQuery(
        sum,
        Optional.empty(),
        new double[][] {new double[1]},
        new byte[ContentDigest.BYTES],
        FullQuery.Place.ofRound(0),
        Optional.of(new FullQuery.Stage(counts, 1))));
    assertThat(releaser.counts()).isPresent();
    return releaser.digest();
  }

  /** Behind the cut a vector is as much shorter as was said, rounding included. */
  @Test
  void sumOfTheWindowHoldsShorterVectors() {
    Lattice lattice = Lattice.fit(1, 4, 3, 8);
    double factor = Math.sqrt(0.5);
    for (double slope : new double[] {1e9, 0.3, -7}) {
      for (boolean rows : new boolean[] {false, true}) {
        double full = norm(lattice, 1, slope, rows);
        double shorter = norm(lattice, factor, slope, rows);
        assertThat(shorter).isLessThanOrEqualTo(factor * lattice.clip());
        assertThat(shorter).isCloseTo(factor * full, within(1e-3));
      }
    }
  }

  private static double norm(Lattice lattice, double factor, double slope, boolean rows) {
    ClippedSum sum = new ClippedSum(lattice);
    sum.open(8, factor);
    Example example = new Example(rows ? 1 : 3);
    for (int i = 0; i < example.dimension(); i++) {
      example.add(i, 1 / Math.sqrt(3));
    }
    if (rows) {
      sum.add(example, new double[] {slope, slope}, new double[] {slope / Math.sqrt(3)});
    } else {
      sum.add(example, slope);
    }
    return Math.sqrt(Arrays.stream(sum.sum).map(each -> each * each).sum());
  }
}
