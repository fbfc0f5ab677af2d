package dev.sotto.learner.round;

import dev.sotto.learner.privacy.Guarantee;
import java.util.Optional;

/**
 * What a closed round gives: new weights, and what everything published so far has cost.
 *
 * @param number from 1; the version of the model
 * @param weights one per feature; the learner keeps no reference to them
 * @param guarantee of all rounds up to this one, jointly
 * @param last whether the budget forbids any further round
 * @param generation of the round, from 0
 * @param keyId name of the noise key that the round was begun under
 * @param metrics of the window that this round ended; empty within a window or without metrics
 */
public record Round(
    long number,
    double[] weights,
    Guarantee guarantee,
    boolean last,
    int generation,
    String keyId,
    Optional<NoisyMetrics> metrics) {}
