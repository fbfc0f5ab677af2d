/** Measures accuracy without a broker; see {@link dev.sotto.benchmarks.experiments.Experiments}. */
package dev.sotto.benchmarks.experiments;
