package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.statistics.OneRunBound;
import dev.sotto.evaluation.audit.statistics.OneRunTradeOff;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.Guarantee;

/**
 * What right guesses prove against a claim.
 *
 * @param claimed what guesses are to refute
 * @param gaussian whether the claim is mu-GDP, with its epsilon from mu alone: then the whole
 *     trade-off counts, otherwise epsilon and delta
 * @param risk how often the proof may fail, whatever the noise
 */
record GuessBound(Guarantee claimed, boolean gaussian, double risk) {
  /** The largest epsilon, at the claim's delta, that is refuted. */
  double epsilonLower(int canaries, int guesses, int right) {
    return gaussian
        ? GaussianDp.epsilon(
            OneRunTradeOff.muLower(canaries, guesses, right, risk), claimed.delta())
        : OneRunBound.epsilonLower(canaries, guesses, right, claimed.delta(), risk);
  }

  /** Whether the claim is refuted. */
  boolean refutes(int canaries, int guesses, int right) {
    return gaussian
        ? OneRunTradeOff.refutes(canaries, guesses, right, claimed.mu(), risk)
        : OneRunBound.pValue(canaries, guesses, right, claimed.epsilon(), claimed.delta()) <= risk;
  }
}
