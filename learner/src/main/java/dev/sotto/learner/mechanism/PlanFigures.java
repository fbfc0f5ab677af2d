package dev.sotto.learner.mechanism;

import java.util.function.DoubleUnaryOperator;

/**
 * What descriptions of a mechanism or an optimizer need of the plan that has it; all of it is
 * public.
 *
 * @param sigma of the noise
 * @param clip bound of one gradient
 * @param dimension number of weights
 * @param batch B, slots in a round
 * @param delta of the budget
 * @param charged what delta pays after one round for a failure of that probability
 */
public record PlanFigures(
    double sigma,
    double clip,
    int dimension,
    long batch,
    double delta,
    DoubleUnaryOperator charged) {}
