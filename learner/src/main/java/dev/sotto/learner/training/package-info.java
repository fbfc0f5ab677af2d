/**
 * One learning step as a pure function of state, slots and noise key; stream, replay, tests and
 * benchmarks call the same code. Start with {@link dev.sotto.learner.training.ModelLearner}.
 */
package dev.sotto.learner.training;
