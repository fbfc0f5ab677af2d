package dev.sotto.learner.training;

import dev.sotto.learner.release.ReleaserState;

/**
 * What a {@link ModelLearner} needs to go on after a closed round, or after a query of a block that
 * has been answered; the histories of its units lie beside it.
 *
 * @param release round, running digest, noisy sums and mechanism
 * @param iterates the algorithm's own vectors, and the points of rounds that are asked for already:
 *     none for Private FTRL in its first generation, the weights at which the generation began in
 *     later ones, and before them what is known of the factor of its steps
 * @param version that is open
 * @param refused the slots of the open block that units' histories keep out, as a set of bits;
 *     empty where the slots of a block are read once
 * @param ranges of numbers without bounds: what was found, and what is counted, encrypted; empty
 *     where none are measured
 */
public record ModelState(
    ReleaserState release,
    double[] iterates,
    VersionState version,
    byte[] refused,
    byte[] ranges) {}
