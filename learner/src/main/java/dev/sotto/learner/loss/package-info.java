/** Losses of one score against one label; start with {@link dev.sotto.learner.loss.Loss}. */
package dev.sotto.learner.loss;
