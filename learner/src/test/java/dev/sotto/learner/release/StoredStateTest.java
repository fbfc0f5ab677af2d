package dev.sotto.learner.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.NoiseState;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Whoever reads a stored state must not be able to take the noise off the prefix that lies in it.
 */
class StoredStateTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final NoiseKey OTHER = NoiseKey.of(filled(7));
  private static final byte[] PRINT = {0};
  private static final double[] POINT = new double[2];

  private static byte[] filled(int value) {
    byte[] bytes = new byte[32];
    Arrays.fill(bytes, (byte) value);
    return bytes;
  }

  private static Lattice lattice(Mechanisms mechanism) {
    return Lattice.fit(1, 4, 2, 1, mechanism.make().norm());
  }

  private static Releaser released(Mechanisms mechanism) {
    Releaser releaser =
        Releaser.start(lattice(mechanism), mechanism.make(), 4, KEY, new byte[16], PRINT, POINT);
    for (int round = 0; round < 3; round++) {
      ClippedSum sum = new ClippedSum(lattice(mechanism));
      sum.add(new double[] {0.25, -0.5});
      releaser.release(sum, POINT, new byte[16], 0);
    }
    return releaser;
  }

  /**
   * The attack itself: blt keeps the noise of the prefix as its last two doubles, in lattice units.
   */
  @Test
  void keepsTheNoiseOfThePrefixOutOfSight() {
    PrefixMechanism blt = Mechanisms.BLT.make();
    Lattice lattice = lattice(Mechanisms.BLT);
    NoiseState noiseState = blt.start();
    long[] step = new long[2];
    noiseState.advance(1, new byte[32], new KeyedNoise(KEY, 4 / lattice.unit()), step);
    byte[] plain = noiseState.state();
    ByteBuffer tail = ByteBuffer.wrap(plain);
    boolean found = false;
    for (int at = 0; at + 8 <= plain.length; at++) {
      found |= Math.rint(tail.getDouble(at)) == step[0];
    }
    assertThat(found).as("the noiseState's own form holds the noise").isTrue();
    Releaser releaser = Releaser.start(lattice, blt, 4, KEY, new byte[16], PRINT, POINT);
    ClippedSum sum = new ClippedSum(lattice);
    sum.addNothing();
    releaser.release(sum, POINT, new byte[16], 0);
    ReleaserState state = releaser.state();
    PrefixSum prefix = PrefixSum.of(state.prefix(), 2);
    double[] noise = new double[2];
    prefix.toDoubles(noise, 1, 1); // an empty round: the prefix is the noise
    ByteBuffer sealed = ByteBuffer.wrap(state.noise().join());
    for (int at = 0; at + 8 <= state.noise().length(); at++) {
      assertThat(Math.rint(sealed.getDouble(at))).isNotEqualTo(noise[0]);
    }
  }

  @ParameterizedTest
  @EnumSource(Mechanisms.class)
  void goesOnUnderItsKeyAndARotatedOneAndUnderNoOther(Mechanisms mechanism) {
    Releaser releaser = released(mechanism);
    ReleaserState state = releaser.state();
    assertThat(resumed(mechanism, KEY, state)).isEqualTo(releaser.digest());
    assertThat(resumed(mechanism, OTHER.withEarlier(List.of(KEY)), state))
        .isEqualTo(releaser.digest());
    if (state.noise().length() > 0) {
      assertThatThrownBy(() -> resumed(mechanism, OTHER, state))
          .hasMessageContaining("another key or history");
      byte[] page = state.noise().page(0);
      page[page.length - 1] ^= 1;
      assertThatThrownBy(() -> resumed(mechanism, KEY, state))
          .hasMessageContaining("another key or history");
    }
  }

  private static byte[] resumed(Mechanisms mechanism, NoiseKey key, ReleaserState state) {
    return Releaser.resume(lattice(mechanism), mechanism.make(), 4, key, PRINT, state)
        .digest();
  }
}
