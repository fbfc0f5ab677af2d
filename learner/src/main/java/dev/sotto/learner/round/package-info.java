/**
 * One learning step as a pure function of state, slots and noise key; stream, replay, tests and benchmarks
 * call the same code. Start with {@link dev.sotto.learner.round.ModelLearner}.
 */
package dev.sotto.learner.round;
