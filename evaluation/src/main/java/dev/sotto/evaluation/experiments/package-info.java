/** Measures accuracy without a broker; see {@link dev.sotto.evaluation.experiments.Experiments}. */
package dev.sotto.evaluation.experiments;
