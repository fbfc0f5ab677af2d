/**
 * The closed package in which exact sums become noisy ones. An exact sum is an
 * {@link dev.sotto.learner.release.OpenSum}, which no other package can read: a
 * {@link dev.sotto.learner.release.ClippedSum}, a {@code MedianOfSums} or a
 * {@link dev.sotto.learner.release.PathSum}. A {@link dev.sotto.learner.release.NoisySum} leaves,
 * which no other package can make. Start with {@link dev.sotto.learner.release.Releaser}.
 */
package dev.sotto.learner.release;
