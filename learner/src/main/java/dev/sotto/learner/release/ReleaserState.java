package dev.sotto.learner.release;

import dev.sotto.learner.mechanism.PagedBytes;

/**
 * What a {@link Releaser} needs to go on after a restart: inside the trust boundary, though it
 * holds no un-noised sum.
 *
 * @param round rounds released so far
 * @param before rounds of earlier generations
 * @param generation of the last round
 * @param digest the running digest, 32 bytes
 * @param prefix the noisy prefix, 16 bytes a coordinate
 * @param walk the mechanism's own state, each page encrypted under the noise key; empty where there
 *     is none
 * @param window the noisy sums of the metrics' open window, 16 bytes a figure; empty without
 *     metrics
 */
public record ReleaserState(
    long round,
    long before,
    int generation,
    byte[] digest,
    PagedBytes prefix,
    PagedBytes walk,
    PagedBytes window) {
  /** The same on the heap, where it stays as it is. */
  public ReleaserState copy() {
    return new ReleaserState(
        round, before, generation, digest.clone(), prefix.copy(), walk.copy(), window.copy());
  }
}
