/**
 * The private solvers of the ReSQue paper, their schedules and the constants of its theorems, as they
 * are printed: what they would need, and where they say something; the proof of
 * docs/experiments/papers.md. No setting reaches them.
 */
package dev.sotto.learner.optimizer.resque.theory;
