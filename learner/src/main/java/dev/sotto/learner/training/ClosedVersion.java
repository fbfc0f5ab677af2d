package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.range.NumberRange;
import java.util.List;
import java.util.Optional;

/**
 * What is published of the rounds since the last version.
 *
 * @param firstRound that it covers
 * @param weights after its last round; the learner keeps no reference to them
 * @param ranges of numbers without bounds; none where all have bounds
 * @param guarantee of all rounds up to its last one, jointly
 * @param metrics of the window that it ended; empty within a window or without metrics
 */
public record ClosedVersion(
    long firstRound,
    double[] weights,
    List<NumberRange> ranges,
    Guarantee guarantee,
    Optional<NoisyMetrics> metrics) {}
