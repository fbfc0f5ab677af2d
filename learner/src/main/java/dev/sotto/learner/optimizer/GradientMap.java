package dev.sotto.learner.optimizer;

/** What a query asks of an example where that is not its gradient, cut as a whole. */
public sealed interface GradientMap permits DifferenceClips, NormBins {}
