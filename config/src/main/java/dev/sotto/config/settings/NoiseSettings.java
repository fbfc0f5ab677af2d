package dev.sotto.config.settings;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.mechanism.Mechanism;

/**
 * The noise of every round.
 *
 * @param mechanism how the noise of a prefix of rounds is put together
 * @param adjacency which change it hides
 * @param clip bound of one example's gradient, in the mechanism's norm
 * @param sigma standard deviation per coordinate of the sum; the scale under a pure mechanism
 * @param candidates models that learn from the same slots beside each other
 */
record NoiseSettings(
    Mechanism mechanism, Adjacency adjacency, double clip, double sigma, Candidates candidates) {}
