package dev.sotto.evaluation.compare;

/**
 * The state of a run after a number of examples, each predicted by the newest version before it was
 * learned from.
 *
 * @param examples that were predicted so far
 * @param rounds that were closed by then
 * @param epsilon that all versions published by then have cost; infinite without privacy
 * @param loss mean over all these examples, exact
 * @param recentLoss mean over the examples of the last twentieth of the run, fewer at its beginning
 * @param accuracy share of all these examples that were predicted rightly; NaN where the loss knows
 *     no right and wrong
 */
public record CurvePoint(
    long examples, long rounds, double epsilon, double loss, double recentLoss, double accuracy) {}
