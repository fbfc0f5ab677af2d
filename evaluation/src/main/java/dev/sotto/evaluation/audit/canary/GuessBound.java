package dev.sotto.evaluation.audit.canary;

import dev.sotto.evaluation.audit.statistics.OneRunBound;
import dev.sotto.evaluation.audit.statistics.OneRunTradeOff;
import dev.sotto.evaluation.audit.statistics.RunsTradeOff;
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
  double epsilonLower(GuessTally tally) {
    if (!gaussian) {
      return OneRunBound.epsilonLower(
          tally.canaries(), tally.guesses(), tally.allRight(), claimed.delta(), risk);
    }
    double mu = tally.isOne()
        ? OneRunTradeOff.muLower(tally.canaries(), tally.guesses(), tally.allRight(), risk)
        : RunsTradeOff.muLower(tally.canaries(), tally.guesses(), tally.right(), risk);
    return GaussianDp.epsilon(mu, claimed.delta());
  }

  /** Whether the claim is refuted. */
  boolean refutes(GuessTally tally) {
    if (!gaussian) {
      double chance = OneRunBound.pValue(
          tally.canaries(), tally.guesses(), tally.allRight(), claimed.epsilon(), claimed.delta());
      return chance <= risk;
    }
    return tally.isOne()
        ? OneRunTradeOff.refutes(
            tally.canaries(), tally.guesses(), tally.allRight(), claimed.mu(), risk)
        : RunsTradeOff.refutes(
            tally.canaries(), tally.guesses(), tally.right(), claimed.mu(), risk);
  }
}
