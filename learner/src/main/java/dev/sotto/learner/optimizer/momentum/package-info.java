/**
 * Normalised gradient descent along sums of earlier gradients, for losses that need not be convex,
 * as plain functions of public numbers and noisy means. Tran, Cutkosky, "Momentum Aggregation for
 * Private Non-convex ERM"; docs/momentum.md says where they depart from it. Start with {@link
 * dev.sotto.learner.optimizer.momentum.Landscape}.
 */
package dev.sotto.learner.optimizer.momentum;
