package dev.sotto.learner.optimizer;

/**
 * The settings of one optimizer: checked by themselves, and yet to be completed by the size of the
 * model and its noise. Some take the noise that somebody chose, and others bring it with them.
 */
public sealed interface OptimizerSettings permits RoundSettings, BlockSettings {}
