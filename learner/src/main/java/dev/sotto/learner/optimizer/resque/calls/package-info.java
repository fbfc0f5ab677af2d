/**
 * Calls of private solvers over slices of their own (Algorithms 4 to 6, "Form O"); start with
 * {@link dev.sotto.learner.optimizer.resque.calls.CallAlgorithm}.
 */
package dev.sotto.learner.optimizer.resque.calls;
