/**
 * Where the parameter sets of {@link dev.sotto.learner.mechanism.BltParameterSets} come from; no
 * learner runs it. Start with {@link dev.sotto.learner.mechanism.tuning.BltTuner}.
 */
package dev.sotto.learner.mechanism.tuning;
