/**
 * The schedules of the private solvers of the paper and the constants of its theorems: what they
 * would need, and where they say something. No release rests on them. Start with {@link
 * dev.sotto.learner.optimizer.resque.theory.TheoremRegime}.
 */
package dev.sotto.learner.optimizer.resque.theory;
