package dev.sotto.learner.mechanism;

import dev.sotto.learner.key.KeyedNoise;
import dev.sotto.learner.memory.CoordinateRanges;

/**
 * The noise of the prefix sums as it moves from round to round; its steps are whole lattice units.
 */
public abstract class NoiseState {
  NoiseState() {} // only this package makes noise

  /**
   * Adds the change of the noise from round {@code round - 1} to {@code round}.
   *
   * @param round from 1, one more at each call
   * @param digest the running digest of this round, after its sum is final
   * @param after what is then done with each range of {@code into}; large vectors are gone through
   *     by several threads at a time
   */
  public abstract void advance(
      long round, byte[] digest, KeyedNoise noise, long[] into, CoordinateRanges.Use after);

  /** The same, with nothing to follow. */
  public final void advance(long round, byte[] digest, KeyedNoise noise, long[] into) {
    advance(round, digest, noise, into, (from, to) -> {});
  }

  /**
   * {@link #advance} of a round that was released before, whose change nobody asks for again. A
   * state may draw it later, together with the next round.
   *
   * @param scratch as long as the noise; may be overwritten
   */
  public void pass(long round, byte[] digest, KeyedNoise noise, long[] scratch) {
    advance(round, digest, noise, scratch);
  }

  /**
   * What a restart needs to go on with the same bits: a view, good until the next step.
   *
   * @param pageBytes about the size of a page
   */
  public abstract PagedBytes state(int pageBytes);

  /**
   * Leaves large arrays to the next state of this size that the calling thread makes, so that a
   * heap through which models come and go need not be collected for them. This one is of no use
   * afterwards: whoever asks it is refused.
   */
  public void recycle() {}

  /** The same in one array. */
  public final byte[] state() {
    return state(PagedBytes.PAGE_BYTES).join();
  }
}
