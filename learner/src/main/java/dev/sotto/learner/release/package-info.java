/**
 * The closed package in which exact clipped sums become noisy ones. An exact sum enters as a
 * {@link dev.sotto.learner.release.ClippedSum}, which no other package can read; a
 * {@link dev.sotto.learner.release.NoisySum} leaves, which no other package can make. Start with
 * {@link dev.sotto.learner.release.Releaser}.
 */
package dev.sotto.learner.release;
