package dev.sotto.app.command;

import dev.sotto.app.view.Figures;
import dev.sotto.learner.privacy.GaussianDp;
import dev.sotto.learner.round.Account;
import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Contributions;
import dev.sotto.learner.unit.Participation;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** What stands below the table of a promise: how often a unit counts, and what its metrics cost and are worth. */
final class FinePrint {
  private static final long MOST_ROUNDS = 1_000_000; // a step each

  private final Plan plan;
  private final Account account;

  private FinePrint(Plan plan) {
    this.plan = plan;
    this.account = plan.account();
  }

  static List<String> of(Plan plan) {
    FinePrint print = new FinePrint(plan);
    List<String> lines = new ArrayList<>();
    lines.add(print.units());
    if (plan.metrics() != null) {
      lines.add(print.metrics());
    }
    lines.removeIf(String::isEmpty);
    return lines;
  }

  private String units() {
    if (plan.participation() instanceof Participation.Budgeted budgeted) {
      return text(
          "each unit has a budget of its own, mu %s or epsilon %s for ever: admitted to %s rounds in a row from the"
              + " first on, to more that lie apart",
          Figures.upShort(budgeted.mu(), 6),
          Figures.upShort(GaussianDp.epsilon(budgeted.mu(), plan.budget().delta()), 6),
          inARow());
    }
    if (plan.participation() instanceof Participation.Scheduled scheduled) {
      Contributions bound = scheduled.bound();
      return text(
          "each unit is admitted to %d rounds at most, %d or more apart",
          bound.most(), bound.separation());
    }
    return plan.participation() instanceof Participation.ById
        ? "of each record id the first record counts, for ever"
        : "";
  }

  private String inARow() {
    long rounds = account.roundsInARow(MOST_ROUNDS);
    return rounds == MOST_ROUNDS ? "at least " + rounds : Long.toString(rounds);
  }

  private String metrics() {
    MetricsPlan metrics = plan.metrics();
    if (metrics.exact()) {
      return "metrics carry no noise (metrics.unsafe.exact): nothing above or below is a promise";
    }
    long rounds = metrics.window();
    double std = Math.sqrt(rounds) * metrics.sigma();
    double slots = (double) rounds * plan.batch();
    return text(
        "metrics of %s: noise of standard deviation %s on each sum, so an accuracy over %.0f records is known to"
            + " within %s (standard error, at most); they take %s",
        rounds == 1 ? "each round" : "each " + rounds + " rounds",
        Figures.downShort(std, 6),
        slots,
        Figures.upShort(std / slots, 3),
        part());
  }

  /** Their part of mu squared, which adds up; beside a pure epsilon their own. */
  private String part() {
    long last = Promise.lastRound(plan);
    double delta = plan.budget().delta();
    if (plan.mechanism().isPure()) {
      return text(
          "epsilon %s of their own, at delta %s",
          Figures.upShort(GaussianDp.epsilon(account.metricsMu(last), delta), 6),
          Figures.upShort(delta, 6));
    }
    if (plan.participation() instanceof Participation.Budgeted budgeted) {
      long rounds = account.roundsInARow(MOST_ROUNDS);
      double all = rounds * square(plan.metrics().ratio(plan.adjacency()));
      return text(
          "%.1f %% of the budget of a unit that is in %s in a row",
          100 * all / square(budgeted.mu()), rounds == 1 ? "1 round" : rounds + " rounds");
    }
    double part = square(account.metricsMu(last) / account.mu(last));
    return text("%.1f %% of the budget", 100 * part);
  }

  private static double square(double value) {
    return value * value;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
