package dev.sotto.learner.round;

import dev.sotto.learner.privacy.Guarantee;

/**
 * What a closed round gives: new weights, and what everything published so far has cost.
 *
 * @param number from 1; the version of the model
 * @param weights one per feature; the learner keeps no reference to them
 * @param guarantee of all rounds up to this one, jointly
 * @param last whether the budget forbids any further round
 */
public record Round(long number, double[] weights, Guarantee guarantee, boolean last) {}
