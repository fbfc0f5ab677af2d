package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.key.NoiseKey;

/**
 * Bytes of a mechanism's state, for forecasts: measured on a few coordinates of its own noise,
 * under a key that hides nothing.
 */
final class NoiseStateSize {
  private static final int TRIED = 63; // rounds: all six bits set
  private static final int BITS = 6;
  private static final int FEW = 8; // coordinates

  private NoiseStateSize() {}

  /**
   * The largest state in the first rounds of a stream. What grows with the binary digits of the
   * round is extended to as many digits as there are.
   *
   * @param dimension coordinates, at least 1
   * @param rounds at least 1
   */
  static long most(PrefixMechanism mechanism, long dimension, long rounds) {
    long[] few = sizes(mechanism, FEW);
    long[] more = sizes(mechanism, 2 * FEW);
    double coordinate = (more[1] - few[1]) / (double) FEW;
    double doubling = coordinate - (more[0] - few[0]) / (double) FEW;
    long doublings = Math.max(0, Long.SIZE - Long.numberOfLeadingZeros(rounds) - BITS);
    double fixed = few[1] - coordinate * FEW;
    double fixedDoubling = fixed - (few[0] - (coordinate - doubling) * FEW);
    return (long) Math.ceil(
        fixed + doublings * fixedDoubling + (coordinate + doublings * doubling) * dimension);
  }

  /** The largest state in the first 31 rounds, and in the first 63. */
  private static long[] sizes(PrefixMechanism mechanism, int dimension) {
    NoiseState state = mechanism.start();
    KeyedNoise noise = new KeyedNoise(NoiseKey.of(new byte[32]), 1000);
    long half = 0;
    long most = 0;
    for (int round = 1; round <= TRIED; round++) {
      state.advance(round, new byte[32], noise, new long[dimension]);
      most = Math.max(most, state.state().length);
      half = round <= TRIED / 2 ? most : half;
    }
    return new long[] {half, most};
  }
}
