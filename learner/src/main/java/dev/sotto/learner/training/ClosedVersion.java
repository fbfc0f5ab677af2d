package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Guarantee;
import java.util.Optional;

/**
 * What is published of the rounds since the last version.
 *
 * @param firstRound that it covers
 * @param weights after its last round; the learner keeps no reference to them
 * @param guarantee of all rounds up to its last one, jointly
 * @param metrics of the window that it ended; empty within a window or without metrics
 */
public record ClosedVersion(
    long firstRound, double[] weights, Guarantee guarantee, Optional<NoisyMetrics> metrics) {}
