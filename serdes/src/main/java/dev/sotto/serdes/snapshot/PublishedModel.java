package dev.sotto.serdes.snapshot;

import dev.sotto.learner.training.ModelSnapshot;

/**
 * A published model version, whole and verified.
 *
 * @param manifest everything but the weights
 * @param weights as many as the manifest says
 */
public record PublishedModel(ModelSnapshot manifest, double[] weights) {}
