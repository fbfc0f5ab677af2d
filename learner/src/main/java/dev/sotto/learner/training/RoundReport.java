package dev.sotto.learner.training;

import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivacyAccountant;
import dev.sotto.learner.release.Releaser;

/**
 * What is published beside the weights of a version: what everything so far has cost, and the
 * metrics of a window that it ends.
 */
final class RoundReport {
  private final Plan plan;
  private final PrivacyAccountant account;
  private Guarantee guarantee;
  private double mu = -1;

  RoundReport(Plan plan, PrivacyAccountant account) {
    this.plan = plan;
    this.account = account;
  }

  Guarantee guarantee(long round) {
    double now = account.mu(round);
    if (now != mu) { // of a tree it changes at powers of two only
      guarantee = account.guarantee(round);
      mu = now;
    }
    return guarantee;
  }

  /**
   * The metrics of the window that ends with the last released round.
   *
   * @param first round of the window
   */
  NoisyMetrics metrics(Releaser releaser, long first) {
    long round = releaser.round();
    long rounds = round - first + 1;
    return new NoisyMetrics(
        first,
        round,
        Math.multiplyExact(rounds, plan.batch()),
        plan.metrics().lossBound(),
        releaser.window(),
        Math.sqrt(rounds) * plan.metrics().sigma());
  }
}
