package dev.sotto.topology.status;

import java.time.Duration;

/**
 * The transaction of one stream thread.
 *
 * @param thread name of the Java thread
 * @param open since its first record was sent; zero while none is open
 * @param sinceCommit since the last successful commit, or since the thread's first transaction began
 */
public record TransactionStatus(String thread, Duration open, Duration sinceCommit) {}
