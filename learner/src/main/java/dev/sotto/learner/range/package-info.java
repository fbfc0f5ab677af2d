/**
 * The ranges of numbers without bounds: how they are found from noisy counts of the first slots of
 * a run, and what a number is in an example once they are known (docs/numbers.md). Start with
 * {@link dev.sotto.learner.range.UnboundedNumbers}.
 */
package dev.sotto.learner.range;
