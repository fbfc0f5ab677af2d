/**
 * Where the parameter sets of {@link dev.sotto.learner.release.BltSets} come from; no learner runs it. Start with
 * {@link dev.sotto.learner.release.tuning.BltTuner}.
 */
package dev.sotto.learner.release.tuning;
