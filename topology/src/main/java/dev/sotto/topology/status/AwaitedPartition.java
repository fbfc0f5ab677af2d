package dev.sotto.topology.status;

import java.time.Duration;

/**
 * A source partition whose part of the oldest open round is missing: it holds the round up.
 *
 * @param partition of the event topic
 * @param round that waits for it
 * @param waiting since the round was first seen to lack this part
 */
public record AwaitedPartition(int partition, long round, Duration waiting) {}
