/**
 * What is minimised: losses of one score against one label, and objectives of several; start with
 * {@link dev.sotto.learner.loss.Objective} and {@link dev.sotto.learner.loss.Loss}.
 */
package dev.sotto.learner.loss;
