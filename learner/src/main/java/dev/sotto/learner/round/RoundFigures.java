package dev.sotto.learner.round;

import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.release.Releaser;
import java.util.Optional;

/** What is told beside the weights of a round: what it has cost, and the metrics of a window that it ends. */
final class RoundFigures {
  private final Plan plan;
  private final Account account;
  private Guarantee guarantee;
  private double mu = -1;

  RoundFigures(Plan plan, Account account) {
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
   * The metrics of the window that the last released round ended; none within a window.
   *
   * @param last whether no further round may follow, so that the window ends early
   */
  Optional<NoisyMetrics> metrics(Releaser releaser, boolean last) {
    long round = releaser.round();
    if (plan.metrics() == null || round % plan.metrics().window() != 0 && !last) {
      return Optional.empty();
    }
    long first = (round - 1) / plan.metrics().window() * plan.metrics().window() + 1;
    long rounds = round - first + 1;
    return Optional.of(new NoisyMetrics(
        first,
        round,
        Math.multiplyExact(rounds, plan.batch()),
        plan.metrics().lossBound(),
        releaser.window(),
        Math.sqrt(rounds) * plan.metrics().sigma()));
  }
}
