/** From noisy answers to weights; start with {@link dev.sotto.learner.optim.Optimizer}. */
package dev.sotto.learner.optim;
