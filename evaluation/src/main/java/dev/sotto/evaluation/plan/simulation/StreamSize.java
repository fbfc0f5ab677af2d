package dev.sotto.evaluation.plan.simulation;

/**
 * The size of the simulated stream.
 *
 * @param dimension of the synthetic examples, at most the plan's
 * @param records of the stream that is simulated
 * @param thinning the number of records that one synthetic record stands for, at least 1
 */
public record StreamSize(int dimension, long records, double thinning) {}
