/**
 * Algorithms for gradients whose worst norm is large or unknown, as plain functions of noisy means:
 * they know neither records nor releases. Nothing here cuts a gradient: {@code release.ClippedSum}
 * and {@code release.MedianOfSums} do. Lowy and Razaviyayn, "Private Stochastic Optimization
 * with Large Worst-Case Lipschitz Parameter"; docs/heavy-tails.md says where they depart from it.
 * Start with {@link dev.sotto.learner.optimizer.heavytail.ClippedAlgorithm}.
 */
package dev.sotto.learner.optimizer.heavytail;
