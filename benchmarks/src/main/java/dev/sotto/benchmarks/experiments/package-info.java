/** What learning costs in accuracy, measured without a broker; start with {@link dev.sotto.benchmarks.experiments.Experiments}. */
package dev.sotto.benchmarks.experiments;
