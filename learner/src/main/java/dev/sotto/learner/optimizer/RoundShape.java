package dev.sotto.learner.optimizer;

/**
 * How rounds are cut.
 *
 * @param batch slots in a round
 * @param lag rounds that are asked before the answer of an earlier one is known
 */
public record RoundShape(long batch, int lag) {}
