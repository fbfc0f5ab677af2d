/**
 * Optimization with reweighted stochastic queries (ReSQue), as plain functions of public numbers and
 * noisy means: gradients are taken at random perturbations of one centre, and weighted by Gaussian
 * density ratios for any point near it. Carmon, Jambulapati, Jin, Lee, Liu, Sidford, Tian,
 * "ReSQueing Parallel and Private Stochastic Convex Optimization". Start with {@link
 * dev.sotto.learner.optimizer.resque.PoolAlgorithm}.
 */
package dev.sotto.learner.optimizer.resque;
