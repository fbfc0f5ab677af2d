/**
 * The schedules of the private solvers of the paper and the constants of its theorems: what they
 * would need, and where they say something. Ordered calls take sizes and steps from here; what a
 * release costs is computed in {@link dev.sotto.learner.mechanism.CallNoise} and nowhere here. Start
 * with {@link dev.sotto.learner.optimizer.resque.theory.TheoremRegime}.
 */
package dev.sotto.learner.optimizer.resque.theory;
