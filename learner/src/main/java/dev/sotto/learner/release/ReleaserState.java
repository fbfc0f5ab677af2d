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
 * @param prefix the noisy prefix, as many bytes a coordinate as the largest one takes
 * @param noise the mechanism's own state, each page encrypted under the noise key; empty where
 *     there is none; null where the reader has it already, from an earlier state
 * @param redrawn the running digests that lead from an older mechanism's state to this round; empty
 *     where the mechanism's state is of this round
 * @param window the noisy sums of the metrics' open window, like the prefix; empty without metrics
 */
public record ReleaserState(
    long round,
    long before,
    int generation,
    byte[] digest,
    PagedBytes prefix,
    PagedBytes noise,
    PagedBytes redrawn,
    PagedBytes window) {
  /** The same on the heap, where it stays as it is. */
  public ReleaserState copy() {
    return new ReleaserState(
        round,
        before,
        generation,
        digest.clone(),
        prefix.copy(),
        noise.copy(),
        redrawn.copy(),
        window.copy());
  }
}
