package dev.sotto.serdes.record;

/**
 * A piece of one published model version.
 *
 * @param modelId the model
 * @param version rounds done
 * @param index from 0
 * @param weights packed little-endian doubles, at most 512 KiB
 */
public record WeightsChunk(String modelId, long version, int index, byte[] weights) {}
