/** From noisy answers to weights; start with {@link dev.sotto.learner.optimizer.Optimizer}. */
package dev.sotto.learner.optimizer;
