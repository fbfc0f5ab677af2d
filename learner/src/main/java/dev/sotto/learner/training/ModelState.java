package dev.sotto.learner.training;

import dev.sotto.learner.release.ReleaserState;

/**
 * What a {@link ModelLearner} needs to go on after a closed round; the histories of its units lie
 * beside it.
 *
 * @param release round, running digest, noisy sums and mechanism
 * @param iterates the algorithm's own vectors, and the points of rounds that are asked for already:
 *     none for Private FTRL in its first generation, the weights at which the generation began in
 *     later ones, and before them what is known of the factor of its steps
 * @param version that is open
 */
public record ModelState(ReleaserState release, double[] iterates, VersionState version) {}
