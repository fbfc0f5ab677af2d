package dev.sotto.serdes.record;

import dev.sotto.learner.training.NoisyMetrics;

/**
 * The published metrics of one window of a model's rounds.
 *
 * @param runId 16 bytes that name the run
 * @param noisy the sums
 * @param fingerprint SHA-256 of the configuration
 */
public record ModelMetrics(String modelId, byte[] runId, NoisyMetrics noisy, byte[] fingerprint) {}
