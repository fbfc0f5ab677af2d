package dev.sotto.topology.core;

import dev.sotto.learner.round.Slicing;

/**
 * What coordinator and workers of one model agree on.
 *
 * @param modelId the model
 * @param slicing how the partitions' offsets are cut into rounds
 * @param points where a round is opened for all workers
 */
public record RoundsSettings(String modelId, Slicing slicing, PointOutbox points) {}
