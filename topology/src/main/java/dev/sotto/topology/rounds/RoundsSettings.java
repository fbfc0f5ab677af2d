package dev.sotto.topology.rounds;

import dev.sotto.learner.training.RoundSlices;

/**
 * What coordinator and workers of one model agree on.
 *
 * @param modelId the model
 * @param slicing how the partitions' offsets are cut into rounds
 * @param points where a round is opened for all workers
 */
public record RoundsSettings(String modelId, RoundSlices slicing, PointOutput points) {}
