package dev.sotto.learner.optimizer;

/**
 * What one participation in a block may cost, as far as an algorithm designs itself by it.
 *
 * @param once sigma of one participation for each unit of the clip: {@code kappa / mu}, kappa being
 *     2 where contents are replaced, and 1 where they become null slots
 * @param failure the most of a failure that a mechanism may have for one participation
 *     ({@link dev.sotto.learner.mechanism.Mechanism#failure})
 */
public record BlockNoise(double once, double failure) {}
