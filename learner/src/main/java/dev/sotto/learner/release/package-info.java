/**
 * The sealed room in which clipped sums get their noise. An exact sum enters as a {@link
 * dev.sotto.learner.release.ClippedSum}, which nobody outside can read; what leaves is a {@link
 * dev.sotto.learner.release.NoisySum}, which nobody outside can make. Start with {@link
 * dev.sotto.learner.release.Releaser}.
 */
package dev.sotto.learner.release;
