/**
 * One pass over losses of one score that were convolved with a Gaussian in closed form. Start with
 * {@link dev.sotto.learner.optimizer.resque.smoothing.OnePassSchedule}.
 */
package dev.sotto.learner.optimizer.resque.smoothing;
