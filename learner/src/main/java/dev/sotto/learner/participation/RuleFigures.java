package dev.sotto.learner.participation;

import java.util.function.DoubleUnaryOperator;
import java.util.function.LongUnaryOperator;

/**
 * What a rule's description needs of the plan that has it.
 *
 * @param round what a round is called
 * @param batch B, slots in a round
 * @param separationKey the setting that says how far rounds of one unit lie apart
 * @param roundsInARow how many rounds from the first on, as close as they may be, admit a unit, at
 *     most a given number
 * @param epsilon of a mu, at the plan's delta
 */
public record RuleFigures(
    String round,
    long batch,
    String separationKey,
    LongUnaryOperator roundsInARow,
    DoubleUnaryOperator epsilon) {}
