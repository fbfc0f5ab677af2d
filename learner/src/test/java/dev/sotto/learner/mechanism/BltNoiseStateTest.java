package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class BltNoiseStateTest {
  private static final BltParameters SET = BltParameterSets.DEFAULT.parameters();
  private static final int BUFFERS = 6;
  private static final int WIDE = 4096 * 9 + 17; // blocks enough to be drawn in parallel

  private static byte[] digest(long round) {
    return ByteBuffer.allocate(32).putLong(round).array();
  }

  private static KeyedNoise noise(double sigma) {
    return new KeyedNoise(NoiseKey.of(new byte[32]), sigma);
  }

  private static void advance(NoiseState noiseState, long round, double sigma, long[] into) {
    noiseState.advance(round, digest(round), noise(sigma), into);
  }

  private static double[] prefix(NoiseState noiseState, int dimension) {
    double[] prefix = new double[dimension];
    byte[] state = noiseState.state();
    ByteBuffer.wrap(state, state.length - 8 * dimension, 8 * dimension)
        .asDoubleBuffer()
        .get(prefix);
    return prefix;
  }

  @Test
  void givesOutThePrefixNoiseRoundedOnce() {
    BltNoiseState noiseState = new BltNoiseState(SET);
    long[] given = new long[3];
    for (int t = 1; t <= 500; t++) {
      advance(noiseState, t, 2.5, given); // a few units, so that rounding every draw would show
      double[] real = prefix(noiseState, 3);
      for (int i = 0; i < 3; i++) {
        assertThat(given[i]).isEqualTo((long) Math.rint(real[i]));
      }
    }
  }

  /** Every set, and noise from below one unit to the most: the definition, number by number, to the bit. */
  @ParameterizedTest
  @EnumSource
  void isTheDefinitionToTheBit(BltParameterSets set) {
    double[] omega = set.parameters().omega();
    double[] oneMinusTheta = set.parameters().oneMinusTheta();
    int dimension = 4096 + 700;
    for (double sigma : new double[] {0.3, 1e6, 0x1p32, 0x1p49}) {
      NoiseState noiseState = new BltNoiseState(set.parameters());
      double[][] s = new double[omega.length][dimension];
      double[] r = new double[dimension];
      boolean large = false;
      for (int t = 1; t <= 12; t++) {
        double[] z = new double[dimension];
        noise(sigma)
            .draw(
                digest(t),
                "blt",
                t,
                dimension,
                (from, draws, length) -> System.arraycopy(draws, 0, z, from, length));
        long[] expected = new long[dimension];
        for (int i = 0; i < dimension; i++) {
          for (int m = 0; m < omega.length; m++) {
            z[i] -= omega[m] * s[m][i];
          }
          for (int m = 0; m < omega.length; m++) {
            s[m][i] = s[m][i] - oneMinusTheta[m] * s[m][i] + z[i];
          }
          expected[i] = (long) Math.rint(r[i] + z[i]) - (long) Math.rint(r[i]);
          r[i] += z[i];
          large |= Math.abs(r[i]) > 0x1p51;
        }
        long[] given = new long[dimension];
        advance(noiseState, t, sigma, given);
        assertThat(given).isEqualTo(expected);
        assertThat(prefix(noiseState, dimension)).isEqualTo(r);
      }
      assertThat(large).isEqualTo(sigma == 0x1p49);
    }
  }

  /** Arrays that were another's hold nothing of it, and who gave them up is not heard any more. */
  @Test
  void leavesItsArraysToAnotherAndNothingElse() {
    int dimension = 100;
    BltNoiseState undisturbed = new BltNoiseState(SET);
    advance(undisturbed, 1, 1e6, new long[dimension]);
    final byte[] first = undisturbed.state();
    advance(undisturbed, 2, 1e6, new long[dimension]);
    final byte[] second = undisturbed.state();
    for (int i = 0; i < 3; i++) {
      undisturbed.recycle();
      BltNoiseState fresh = new BltNoiseState(SET);
      advance(fresh, 1, 1e6, new long[dimension]);
      assertThat(fresh.state()).isEqualTo(first);
      fresh.recycle();
      BltNoiseState read = new BltNoiseState(SET, PagedBytes.of(first));
      advance(read, 2, 1e6, new long[dimension]);
      assertThat(read.state()).isEqualTo(second);
      assertThatIllegalStateException().isThrownBy(fresh::state);
      assertThatIllegalStateException().isThrownBy(fresh::recycle);
      assertThatIllegalStateException()
          .isThrownBy(() -> advance(fresh, 2, 1e6, new long[dimension]));
      undisturbed = read;
    }
    undisturbed.recycle();
    BltNoiseState larger = new BltNoiseState(SET); // what does not fit is not taken
    advance(larger, 1, 1e6, new long[dimension + 1]);
    assertThat(larger.state()).hasSize(2 + 8 * (BUFFERS + 1) * (dimension + 1));
  }

  /** Rounds that were only passed are drawn with the next one, or where the state is asked for. */
  @ParameterizedTest
  @ValueSource(ints = {1, 5, 4096, WIDE})
  void drawsPassedRoundsLater(int dimension) {
    Random random = Seed.random(dimension);
    NoiseState undisturbed = new BltNoiseState(SET);
    NoiseState passing = new BltNoiseState(SET);
    for (int t = 1; t <= 20; t++) {
      long[] expected = new long[dimension];
      advance(undisturbed, t, 1e6, expected);
      if (random.nextInt(3) > 0) {
        byte[] address = digest(t);
        passing.pass(t, address, noise(1e6), new long[dimension]);
        Arrays.fill(address, (byte) 1); // the caller's to change
      } else {
        long[] given = new long[dimension];
        advance(passing, t, 1e6, given);
        assertThat(Arrays.equals(given, expected)).isTrue();
      }
      if (random.nextInt(4) == 0) {
        assertThat(Arrays.equals(passing.state(), undisturbed.state())).isTrue();
      }
      if (random.nextInt(5) == 0) {
        byte[] state = passing.state();
        passing.recycle();
        passing = new BltNoiseState(SET, PagedBytes.of(state));
      }
    }
    assertThat(Arrays.equals(passing.state(), undisturbed.state())).isTrue();
    passing.pass(21, digest(21), noise(1e6), new long[dimension]);
    assertThat(Arrays.equals(passing.state(), undisturbed.state())).isFalse();
  }

  @Test
  void givesUpWhatWasPassed() {
    NoiseState given = new BltNoiseState(SET);
    given.pass(1, digest(1), noise(1e6), new long[3]);
    given.recycle();
    assertThatIllegalStateException()
        .isThrownBy(() -> given.pass(2, digest(2), noise(1e6), new long[3]));
    NoiseState next = new BltNoiseState(SET);
    NoiseState expected = new BltNoiseState(SET);
    advance(next, 1, 1e6, new long[3]);
    advance(expected, 1, 1e6, new long[3]);
    assertThat(next.state()).isEqualTo(expected.state());
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 5, 4096, WIDE})
  void goesOnWithTheSameBitsAfterARestartAtAnyRound(int dimension) {
    BltNoiseState undisturbed = new BltNoiseState(SET);
    NoiseState restarted = new BltNoiseState(SET);
    long[] expected = new long[dimension];
    long[] given = new long[dimension];
    for (int t = 1; t <= 12; t++) {
      byte[] state = restarted.state();
      assertThat(state).hasSize(t == 1 ? 2 : 2 + 8 * (BUFFERS + 1) * dimension);
      restarted = new BltNoiseState(SET, PagedBytes.of(state));
      assertThat(Arrays.equals(restarted.state(), state)).isTrue();
      advance(restarted, t, 1e6, given);
      advance(undisturbed, t, 1e6, expected);
      assertThat(Arrays.equals(given, expected)).isTrue();
      assertThat(Arrays.equals(restarted.state(), undisturbed.state())).isTrue();
    }
  }

  @Test
  void givesTheSameBitsInAnyNumberOfThreads() {
    long[] expected = new long[WIDE];
    BltNoiseState parallel = new BltNoiseState(SET);
    ForkJoinPool one = new ForkJoinPool(1);
    long[] given = new long[WIDE];
    BltNoiseState alone = new BltNoiseState(SET);
    for (int t = 1; t <= 4; t++) {
      long round = t;
      advance(parallel, round, 1e6, expected);
      one.submit(() -> advance(alone, round, 1e6, given)).join();
      assertThat(Arrays.equals(given, expected)).isTrue();
    }
    one.shutdown();
  }

  @Test
  void drawsTheSameForTheFirstCoordinatesOfAnyDimension() {
    long[] wide = new long[WIDE];
    long[] narrow = new long[4096];
    advance(new BltNoiseState(SET), 1, 1e6, wide);
    advance(new BltNoiseState(SET), 1, 1e6, narrow);
    assertThat(narrow).containsExactly(Arrays.copyOf(wide, 4096));
  }

  @Test
  void startsAsOneDrawOfItsOwn() {
    long[] given = new long[9];
    advance(new BltNoiseState(SET), 1, 1e6, given);
    long[] draw = new long[9];
    noise(1e6).add(digest(1), "blt", 1, 1, draw);
    assertThat(given).containsExactly(draw);
    long[] other = new long[9];
    noise(1e6).add(digest(1), "independent", 1, 1, other);
    assertThat(other).isNotEqualTo(draw);
  }

  /** These bits are stored in models: they may change with Releaser.SEMANTICS only. */
  @Test
  void keepsItsBits() throws NoSuchAlgorithmException {
    BltNoiseState noiseState = new BltNoiseState(SET);
    long[] given = new long[3];
    for (int t = 1; t <= 1000; t++) {
      advance(noiseState, t, 1e6, given);
    }
    assertThat(given).containsExactly(2815673, 819897, 813714);
    byte[] hash = MessageDigest.getInstance("SHA-256").digest(noiseState.state());
    assertThat(HexFormat.of().formatHex(hash))
        .isEqualTo("9d2fbabd0ca454288d49a33e859440201337bdf570a6baeb7da5468e8f8dc0ed");
  }

  @Test
  void refusesAStateThatIsNotItsOwn() {
    BltNoiseState noiseState = new BltNoiseState(SET);
    advance(noiseState, 1, 1e6, new long[3]);
    byte[] state = noiseState.state();
    for (int length = 0; length < state.length; length++) {
      byte[] cut = Arrays.copyOf(state, length);
      if (length != 2 && (length - 2) % 56 != 0) {
        assertThatIllegalArgumentException()
            .isThrownBy(() -> new BltNoiseState(SET, PagedBytes.of(cut)))
            .withMessageContaining("6 buffers takes 2 bytes, 1 and 6, and 56 for each coordinate,"
                + " but had " + length);
      }
    }
    byte[] newer = state.clone();
    newer[0] = 2;
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new BltNoiseState(SET, PagedBytes.of(newer)))
        .withMessageEndingWith("[2, 6]");
    assertThatIllegalArgumentException()
        .isThrownBy(() ->
            new BltNoiseState(BltParameterSets.ANYTIME_2_20.parameters(), PagedBytes.of(state)))
        .withMessageEndingWith("[1, 6]");
  }

  @Test
  void refusesAnotherNumberOfCoordinates() {
    BltNoiseState noiseState = new BltNoiseState(SET);
    advance(noiseState, 1, 1e6, new long[3]);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> advance(noiseState, 2, 1e6, new long[4]))
        .withMessage("this noise has 3 coordinates, but was asked for 4");
  }

  @Test
  void stopsBeforeItsUnitsOverflow() {
    BltNoiseState noiseState = new BltNoiseState(SET);
    noiseState.open(1);
    long[] given = new long[1];
    noiseState.step(0, new double[] {0x1.fp52}, 1, given);
    assertThat(given[0]).isEqualTo((long) 0x1.fp52);
    for (double draw : new double[] {0x1p53, -0x1p54, Double.NaN, Double.POSITIVE_INFINITY}) {
      assertThatExceptionOfType(ArithmeticException.class)
          .isThrownBy(() -> noiseState.step(0, new double[] {draw}, 1, given))
          .withMessageContaining("must stay below 2^53 lattice units")
          .withMessageNotContaining(Double.toString(draw));
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {7, WIDE})
  void failsLoudlyInEveryBlock(int dimension) {
    BltNoiseState noiseState = new BltNoiseState(SET);
    assertThatExceptionOfType(ArithmeticException.class)
        .isThrownBy(() -> advance(noiseState, 1, 0x1p60, new long[dimension]));
  }

  /** Neither the prefix before nor the draw is too large for the quick way: their sum is. */
  @Test
  void seesThatASumIsLarge() {
    BltNoiseState noiseState = new BltNoiseState(SET);
    long[] given = new long[1];
    advance(noiseState, 1, 1, given);
    noiseState.step(0, new double[] {0x1p50}, 1, given);
    noiseState.step(0, new double[] {0x1p51}, 1, given);
    double prefix = prefix(noiseState, 1)[0];
    assertThat(prefix).isGreaterThan(0x1p51);
    assertThat(given[0]).isEqualTo((long) Math.rint(prefix));
  }
}
