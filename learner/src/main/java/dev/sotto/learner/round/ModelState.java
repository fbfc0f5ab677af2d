package dev.sotto.learner.round;

import dev.sotto.learner.release.ReleaseState;

/**
 * What a {@link ModelLearner} needs to go on after a closed round; the histories of its units lie beside it.
 *
 * @param release round, running digest, noisy sums and mechanism
 * @param anchor the weights at which the generation began; empty in the first generation
 */
public record ModelState(ReleaseState release, double[] anchor) {}
