package dev.sotto.learner.release;

/** The noise of the prefix sums as it moves from round to round; its steps are whole lattice units. */
public abstract class NoiseWalk {
  NoiseWalk() {} // only this package makes noise

  /**
   * Adds the change of the noise from round {@code round - 1} to {@code round}.
   *
   * @param round from 1, one more at each call
   * @param digest the running digest of this round, after its sum is final
   */
  abstract void advance(long round, byte[] digest, KeyedNoise noise, long[] into);

  /**
   * What a restart needs to go on with the same bits: a view, good until the next step.
   *
   * @param pageBytes about the size of a page
   */
  abstract Paged state(int pageBytes);

  /** The same in one array. */
  public final byte[] state() {
    return state(Paged.PAGE_BYTES).join();
  }
}
