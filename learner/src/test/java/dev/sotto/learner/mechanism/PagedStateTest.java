package dev.sotto.learner.mechanism;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.release.ClippedSum;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.release.ReleaserState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** States of 21 coordinates in pages of any size. */
class PagedStateTest {
  private static final int DIMENSION = 21;
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final byte[] PRINT = {7};
  private static final double[] POINT = new double[DIMENSION];

  private static Lattice lattice(Mechanisms mechanism) {
    return new Lattice(0x1p-20, 1, DIMENSION, 2, mechanism.make().norm());
  }

  private static void release(Releaser releaser, Mechanisms mechanism, int round) {
    ClippedSum sum = new ClippedSum(lattice(mechanism));
    double[] gradient = new double[DIMENSION];
    gradient[round % DIMENSION] = 0.25;
    sum.add(gradient);
    sum.addNothing();
    releaser.release(sum, POINT, new byte[16], 0);
  }

  private static Releaser released(Mechanisms mechanism, int rounds) {
    Releaser releaser =
        Releaser.start(lattice(mechanism), mechanism.make(), 4, KEY, new byte[16], PRINT, POINT);
    for (int round = 1; round <= rounds; round++) {
      release(releaser, mechanism, round);
    }
    return releaser;
  }

  private static Releaser resume(Mechanisms mechanism, ReleaserState state) {
    return Releaser.resume(lattice(mechanism), mechanism.make(), 4, KEY, PRINT, state);
  }

  private static byte[] plain(Releaser releaser) {
    return releaser.state().prefix().join();
  }

  @ParameterizedTest
  @EnumSource
  void goOnWithTheSameBitsFromPagesOfAnySize(Mechanisms mechanism) {
    for (int rounds = 1; rounds <= 5; rounds++) {
      Releaser undisturbed = released(mechanism, rounds);
      ReleaserState one = undisturbed.state();
      for (int pageBytes : new int[] {1, 8, 16, 24, 40, 100, 1000}) {
        ReleaserState state = undisturbed.view(pageBytes).copy();
        assertThat(state.prefix().join()).isEqualTo(one.prefix().join());
        int width = (int) state.prefix().length() / DIMENSION;
        assertThat(state.prefix().length()).isEqualTo(width * DIMENSION);
        assertThat(state.prefix().pages())
            .isEqualTo((DIMENSION - 1) / Math.max(1, pageBytes / width) + 1);
        assertThat(state.noise().join()).hasSize((int) state.noise().length());
        Releaser resumed = resume(mechanism, state);
        Releaser expected = resume(mechanism, one);
        for (int round = 0; round < 3; round++) {
          release(expected, mechanism, rounds + round);
          release(resumed, mechanism, rounds + round);
        }
        assertThat(resumed.digest()).isEqualTo(expected.digest());
        assertThat(plain(resumed)).isEqualTo(plain(expected));
      }
    }
  }

  @Test
  void noticePagesOfTheWalkThatWereMovedOrLeftOut() {
    Mechanisms mechanism = Mechanisms.BLT;
    ReleaserState state = released(mechanism, 3).view(40).copy();
    int pages = state.noise().pages();
    assertThat(pages).isGreaterThan(2);
    List<byte[]> noiseState = new ArrayList<>();
    for (int page = 0; page < pages; page++) {
      noiseState.add(state.noise().page(page));
    }
    Collections.swap(noiseState, 1, 2);
    requireNoticed(mechanism, state, noiseState);
    Collections.swap(noiseState, 1, 2);
    resume(mechanism, with(state, noiseState));
    noiseState.set(1, released(mechanism, 4).view(40).noise().page(1)); // of another round
    requireNoticed(mechanism, state, noiseState);
    requireNoticed(mechanism, state, noiseState.subList(0, pages - 1));
  }

  private static void requireNoticed(
      Mechanisms mechanism, ReleaserState state, List<byte[]> noiseState) {
    assertThatThrownBy(() -> resume(mechanism, with(state, noiseState)))
        .hasMessageContaining("another key or history");
  }

  private static ReleaserState with(ReleaserState state, List<byte[]> noiseState) {
    return new ReleaserState(
        state.round(),
        state.before(),
        state.generation(),
        state.digest(),
        state.prefix(),
        new HeapPages(noiseState.toArray(byte[][]::new)),
        state.redrawn(),
        state.window());
  }

  @Test
  void areGoodUntilTheNextRound() {
    Releaser releaser = released(Mechanisms.BLT, 2);
    ReleaserState view = releaser.view(64);
    ReleaserState copy = releaser.state();
    byte[] before = view.prefix().join();
    release(releaser, Mechanisms.BLT, 3);
    assertThat(copy.prefix().join()).isEqualTo(before);
    assertThatThrownBy(() -> view.prefix().page(0)).hasMessageContaining("a view of round 2");
    assertThatThrownBy(() -> view.noise().page(0)).hasMessageContaining("a view of round 2");
  }
}
