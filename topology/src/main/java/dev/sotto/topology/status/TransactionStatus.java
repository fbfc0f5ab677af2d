package dev.sotto.topology.status;

import java.time.Duration;

/**
 * What one stream thread has not committed yet.
 *
 * @param thread name of the Java thread
 * @param open since the first record that is not committed was taken, whatever became of it; zero
 *     without one
 * @param sinceCommit since the last successful commit, or since the thread's first record
 */
public record TransactionStatus(String thread, Duration open, Duration sinceCommit) {}
