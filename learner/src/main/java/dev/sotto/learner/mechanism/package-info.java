/**
 * Noise mechanisms: how the noise of a prefix sum is composed, its sensitivity, its error and its
 * state. Only {@link dev.sotto.learner.key.KeyedNoise} draws it, and only the package {@link
 * dev.sotto.learner.release} adds it to a sum. Start with {@link
 * dev.sotto.learner.mechanism.Mechanism}.
 */
package dev.sotto.learner.mechanism;
