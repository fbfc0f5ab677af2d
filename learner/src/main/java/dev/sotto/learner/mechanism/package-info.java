/**
 * Noise mechanisms: how the noise of a prefix sum is composed, its sensitivity, its error and its
 * state; start with {@link dev.sotto.learner.mechanism.Mechanism}.
 */
package dev.sotto.learner.mechanism;
