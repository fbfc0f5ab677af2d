package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.key.KeyDerivation;
import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.NoiseState;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Why the running digest is a chain (docs/privacy.md, "Where the noise comes from"): two histories
 * that differ in round 1 and meet the same batch in round 2. In the broken twins the noise of a
 * round follows from that round alone.
 */
class ChainTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final int DIMENSION = 5000;
  private static final double SIGMA = 2;
  private static final Lattice LATTICE = Lattice.fit(1, SIGMA, DIMENSION, 1);
  private static final byte[] SECOND_BATCH = {7};

  /**
   * A round as a releaser meets it: the fingerprint of its slots, and their gradients at the
   * weights.
   */
  private record Batch(byte[] content, ClippedSum sum) {}

  private static Batch batch(byte[] content, int along, double size) {
    ClippedSum sum = new ClippedSum(LATTICE);
    double[] gradient = new double[DIMENSION];
    gradient[along] = size;
    sum.add(gradient);
    return new Batch(content, sum);
  }

  /** What round 2 adds to the published prefix, in lattice units. */
  private static long[] increment(double[] before, double[] after) {
    long[] units = new long[DIMENSION];
    Arrays.setAll(units, i -> Math.round((after[i] - before[i]) / LATTICE.unit()));
    return units;
  }

  private static long[] secondOfReleaser(Batch first, Batch second) {
    double[] point = new double[DIMENSION];
    Releaser releaser = Releaser.start(
        LATTICE, Mechanisms.INDEPENDENT.make(), SIGMA, KEY, new byte[16], new byte[32], point);
    double[] before = new double[DIMENSION];
    double[] after = new double[DIMENSION];
    releaser.release(first.sum(), point, first.content(), 0).mean(before);
    releaser.release(second.sum(), point, second.content(), 0).mean(after);
    return increment(before, after);
  }

  /** The twin: the same noise and the same sums, but each round's digest is of that round only. */
  private static long[] secondOfTwin(
      Batch first, Batch second, Function<Batch, byte[]> digestOfRound) {
    NoiseState noiseState = Mechanisms.INDEPENDENT.make().start();
    KeyedNoise noise = new KeyedNoise(KEY, SIGMA / LATTICE.unit());
    PrefixSum prefix = new PrefixSum(DIMENSION);
    double[][] published = new double[2][DIMENSION];
    int round = 0;
    for (Batch each : new Batch[] {first, second}) {
      noiseState.advance(round + 1, digestOfRound.apply(each), noise, prefix.beginRound());
      prefix.addNoisy(each.sum().sum, LATTICE.unit());
      prefix.toDoubles(published[round++], LATTICE.unit(), 1);
    }
    return increment(published[0], published[1]);
  }

  private static byte[] digestOfContent(Batch batch) {
    return KeyDerivation.hmac(KEY.chainKey(), batch.content());
  }

  private static byte[] digestOfContentAndSum(Batch batch) {
    ByteBuffer bytes = ByteBuffer.allocate(8 * DIMENSION);
    bytes.asDoubleBuffer().put(batch.sum().sum);
    return KeyDerivation.hmac(KEY.chainKey(), batch.content(), bytes.array());
  }

  private static long[] difference(long[] a, long[] b) {
    long[] difference = new long[DIMENSION];
    Arrays.setAll(difference, i -> a[i] - b[i]);
    return difference;
  }

  /** The difference of round 2's gradients at the two models that round 1 left. */
  private static long[] truth() {
    long[] truth = new long[DIMENSION];
    truth[3] = Math.round(batch(SECOND_BATCH, 3, 0.25).sum().sum[3] / LATTICE.unit());
    truth[4] = -Math.round(batch(SECOND_BATCH, 4, 0.75).sum().sum[4] / LATTICE.unit());
    return truth;
  }

  @Test
  void wouldGiveOutADifferenceOfGradientsIfADigestHeldTheBatchAlone() {
    long[] one = secondOfTwin(
        batch(new byte[] {1}, 0, 1), batch(SECOND_BATCH, 3, 0.25), ChainTest::digestOfContent);
    long[] two = secondOfTwin(
        batch(new byte[] {2}, 1, 1), batch(SECOND_BATCH, 4, 0.75), ChainTest::digestOfContent);
    assertThat(difference(one, two)).isEqualTo(truth()); // in clear
  }

  @Test
  void wouldTellThatSumsAreEqualIfADigestForgotThePast() {
    long[] one = secondOfTwin(
        batch(new byte[] {1}, 0, 1),
        batch(SECOND_BATCH, 3, 0.25),
        ChainTest::digestOfContentAndSum);
    long[] two = secondOfTwin(
        batch(new byte[] {2}, 1, 1),
        batch(SECOND_BATCH, 3, 0.25),
        ChainTest::digestOfContentAndSum);
    assertThat(one).isEqualTo(two);
  }

  @Test
  void hidesBothUnderIndependentNoise() {
    long[] one = secondOfReleaser(batch(new byte[] {1}, 0, 1), batch(SECOND_BATCH, 3, 0.25));
    long[] two = secondOfReleaser(batch(new byte[] {2}, 1, 1), batch(SECOND_BATCH, 4, 0.75));
    hasTheNoiseOfTwo(difference(difference(one, two), truth()));
    long[] equal = secondOfReleaser(batch(new byte[] {2}, 1, 1), batch(SECOND_BATCH, 3, 0.25));
    hasTheNoiseOfTwo(difference(one, equal));
    // The same history is the same release.
    assertThat(secondOfReleaser(batch(new byte[] {2}, 1, 1), batch(SECOND_BATCH, 3, 0.25)))
        .isEqualTo(equal);
  }

  private static void hasTheNoiseOfTwo(long[] units) {
    double squares = 0;
    for (long each : units) {
      squares += Math.pow(each * LATTICE.unit() / SIGMA, 2);
    }
    // The mean of n squares of variance 2 has standard error 2 sqrt(2 / n): 5.3 of them once in 8e6
    // runs.
    assertThat(squares / DIMENSION).isCloseTo(2, within(5.3 * 2 * Math.sqrt(2.0 / DIMENSION)));
  }
}
