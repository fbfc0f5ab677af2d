package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** States whose mechanism is some rounds older than their sums. */
class RedrawnRoundsTest {
  private static final int DIMENSION = 5;
  private static final int MOST = RedrawnRounds.most(DIMENSION);
  private static final byte[] PRINT = {3};
  private static final double[] POINT = new double[DIMENSION];
  private static final byte[] FIRST = new byte[32];
  private static final byte[] SECOND = filled(9);

  private static byte[] filled(int value) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static Lattice lattice(Mechanisms mechanism) {
    return Lattice.fit(1, 4, DIMENSION, 2, mechanism.make().norm());
  }

  private static Releaser start(Mechanisms mechanism) {
    return Releaser.start(
        lattice(mechanism), mechanism.make(), 4, NoiseKey.of(FIRST), new byte[16], PRINT, POINT);
  }

  /** What a store keeps of one state after the other. */
  private static final class Kept {
    private ReleaserState state;
    private int leftOut;
    private int whole;

    void keep(ReleaserState next) {
      if (next.noise() == null) {
        leftOut++;
        next = new ReleaserState(
            next.round(),
            next.before(),
            next.generation(),
            next.digest(),
            next.prefix(),
            state.noise(),
            next.redrawn(),
            next.window());
      } else {
        whole++;
      }
      state = next.copy();
    }
  }

  private static double[] release(Releaser releaser, Mechanisms mechanism, int round, int since) {
    ClippedSum sum = new ClippedSum(lattice(mechanism));
    double[] gradient = new double[DIMENSION];
    gradient[round % DIMENSION] = 0.5;
    sum.add(gradient);
    sum.addNothing();
    double[] mean = new double[DIMENSION];
    releaser.release(sum, POINT, new byte[16], round < since ? 0 : 1).mean(mean);
    return mean;
  }

  /** Under another key, if it is not the one in use: as a learner does before a round. */
  private static void rotate(Releaser releaser, int round, NoiseKey keys) {
    NoiseKey next = round < 30 ? keys.ofId(NoiseKey.of(FIRST).id()) : keys;
    if (!next.id().equals(releaser.key().id())) {
      releaser.use(next);
    }
  }

  /** States are kept and read at random; a key is rotated, and a generation begins. */
  @ParameterizedTest
  @EnumSource
  void goOnWithTheSameBits(Mechanisms mechanism) {
    NoiseKey keys = NoiseKey.of(SECOND).withEarlier(List.of(NoiseKey.of(FIRST)));
    int leftOut = 0;
    int whole = 0;
    for (int seed = 0; seed < 40; seed++) {
      Random random = Seed.random(seed);
      int restart = 20 + random.nextInt(20);
      Releaser undisturbed = start(mechanism);
      Releaser disturbed = start(mechanism);
      Kept kept = new Kept();
      for (int round = 1; round <= 60; round++) {
        rotate(undisturbed, round, keys);
        rotate(disturbed, round, keys);
        assertThat(release(disturbed, mechanism, round, restart))
            .isEqualTo(release(undisturbed, mechanism, round, restart));
        if (random.nextInt(3) > 0) {
          kept.keep(disturbed.checkpoint(16 + random.nextInt(40), MOST, kept.state != null));
          if (random.nextInt(3) == 0) {
            disturbed =
                Releaser.resume(lattice(mechanism), mechanism.make(), 4, keys, PRINT, kept.state);
          }
        }
      }
      assertThat(disturbed.digest()).isEqualTo(undisturbed.digest());
      leftOut += kept.leftOut;
      whole += kept.whole;
    }
    if (mechanism == Mechanisms.BLT) {
      assertThat(leftOut).isGreaterThan(2 * whole);
      assertThat(whole).isGreaterThan(160);
    }
  }

  private static ReleaserState older(int rounds) {
    Releaser releaser = start(Mechanisms.BLT);
    Kept kept = new Kept();
    for (int round = 1; round <= rounds; round++) {
      release(releaser, Mechanisms.BLT, round, 100);
      kept.keep(releaser.checkpoint(1000, Integer.MAX_VALUE, round > 1));
    }
    return kept.state;
  }

  private static Releaser resume(ReleaserState state, PagedBytes redrawn) {
    return Releaser.resume(
        lattice(Mechanisms.BLT),
        Mechanisms.BLT.make(),
        4,
        NoiseKey.of(FIRST),
        PRINT,
        new ReleaserState(
            state.round(),
            state.before(),
            state.generation(),
            state.digest(),
            state.prefix(),
            state.noise(),
            redrawn,
            state.window()));
  }

  /** A state of the beginning that was written under a key which drew nothing then. */
  @ParameterizedTest
  @EnumSource
  void goesOnWithTheSameBitsWhereTheBeginningWasWrittenUnderAnotherKey(Mechanisms mechanism) {
    NoiseKey keys = NoiseKey.of(SECOND).withEarlier(List.of(NoiseKey.of(FIRST)));
    NoiseKey first = keys.ofId(NoiseKey.of(FIRST).id());
    Releaser undisturbed = start(mechanism);
    undisturbed.use(first);
    Releaser disturbed = start(mechanism);
    disturbed.use(keys);
    Kept kept = new Kept();
    kept.keep(disturbed.checkpoint(1000, MOST, false));
    disturbed.use(first);
    for (int round = 1; round <= 3; round++) {
      assertThat(release(disturbed, mechanism, round, 100))
          .isEqualTo(release(undisturbed, mechanism, round, 100));
      kept.keep(disturbed.checkpoint(1000, MOST, true));
      disturbed = Releaser.resume(lattice(mechanism), mechanism.make(), 4, keys, PRINT, kept.state);
      disturbed.use(first);
    }
  }

  @Test
  void isWrittenAnewAfterSomeRounds() {
    long whole = older(1 + MOST).noise().length();
    assertThat(whole).isGreaterThan(Double.BYTES * DIMENSION);
    for (int rounds = 2; rounds <= MOST; rounds++) {
      assertThat(older(rounds).redrawn().length()).isEqualTo(8 + 32L * (1 + rounds));
      assertThat(older(rounds).noise().length()).as("no noise yet").isLessThan(whole / 3);
    }
    assertThat(older(1 + MOST).redrawn().length()).isZero();
    assertThat(older(2 + MOST).redrawn().length()).isEqualTo(8 + 32L * 2);
    assertThat(older(2 + MOST).noise().length()).isEqualTo(whole);
  }

  /** Digests stay small beside the noise, and drawing short. */
  @Test
  void knowsHowManyRoundsAreDrawnAgain() {
    assertThat(RedrawnRounds.most(5)).isEqualTo(8);
    assertThat(RedrawnRounds.most(1024)).isEqualTo(32);
    assertThat(RedrawnRounds.most(1 << 16)).isEqualTo(512);
    assertThat(RedrawnRounds.most(1 << 20)).isEqualTo(32);
    assertThat(RedrawnRounds.most(1 << 28)).isEqualTo(8);
  }

  /** The noise of these rounds follows from these digests: with another one it is another. */
  @Test
  void dependsOnTheDigests() {
    ReleaserState state = older(5);
    byte[] digests = state.redrawn().join();
    double[] expected = release(resume(state, PagedBytes.of(digests)), Mechanisms.BLT, 6, 100);
    digests[8 + 2 * 32]++; // of round 2
    double[] other = release(resume(state, PagedBytes.of(digests)), Mechanisms.BLT, 6, 100);
    assertThat(other).isNotEqualTo(expected);
  }

  @Test
  void refusesWhatDoesNotLeadToTheRound() {
    ReleaserState state = older(5);
    byte[] digests = state.redrawn().join();
    for (byte[] wrong : new byte[][] {
      Arrays.copyOf(digests, digests.length - 32),
      Arrays.copyOf(digests, digests.length - 1),
      Arrays.copyOf(digests, digests.length + 32),
      new byte[digests.length],
      new byte[8]
    }) {
      assertThatThrownBy(() -> resume(state, PagedBytes.of(wrong)))
          .hasMessageContaining("to round 5 takes 8 bytes and 32 for each of 2 to 9 digests");
    }
    assertThatThrownBy(() -> resume(state, PagedBytes.of(new byte[0])))
        .hasMessageContaining("another key or history");
  }
}
