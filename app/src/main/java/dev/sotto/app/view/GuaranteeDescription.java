package dev.sotto.app.view;

import static dev.sotto.app.view.GuaranteeText.cost;
import static dev.sotto.app.view.GuaranteeText.text;

import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.List;

/**
 * What a plan guarantees, for {@code run --check}. All of it is public: nothing here depends on
 * data.
 */
public final class GuaranteeDescription {
  private static final long[] ROUNDS = {1, 10, 100, 1000};
  private static final long MOST_ROUNDS = 1_000_000; // a step each

  private GuaranteeDescription() {}

  /** The guarantee after some numbers of rounds, at the end of the budget, and at the limit. */
  public static Section of(SottoConfig config) {
    LearnerSettings learner = config.learner();
    Plan plan = learner.plan();
    long rounds = plan.learning().versions().rounds(plan.batch());
    return Section.untitled()
        .lines(text(
            "hidden: %s: %s; delta %s, sigma %s per coordinate of %s (noise multiplier %s)",
            plan.unit().sentence(),
            plan.adjacency().sentence(),
            cost(plan.budget().delta()),
            noise(plan.sigma()),
            plan.mechanism().noised(),
            noise(plan.sigma() / plan.sensitivity())))
        .append(start(learner))
        .lines(
            text(
                "%s; a version is published after %s",
                plan.mechanism().rounds(plan.batch()), rounds == 1 ? "each" : rounds + " of them"),
            GuaranteeText.ranges(plan),
            plan.optimizer().reason(),
            GuaranteeText.addsUp(learner) ? "in one model: " + GuaranteeText.SEVERAL : "")
        .add(table(plan))
        .lines(plan.mechanism().sampledSums().isEmpty() ? "" : BlockText.SAMPLED, failures(plan))
        .append(plan.participation().describe(plan.ruleFigures()))
        .lines(plan.metrics() == null ? "" : metrics(plan));
  }

  private static Table table(Plan plan) {
    Table table = Table.headed(List.of(plan.round() + "s", "mu", "epsilon"));
    for (long rounds : ROUNDS) {
      row(table, Long.toString(rounds), plan.guarantee(rounds), plan.allows(rounds));
    }
    long last = plan.lastRound();
    if (last < Long.MAX_VALUE) {
      row(table, last + " (last)", plan.guarantee(last), true);
    }
    Guarantee any = plan.guarantee(1);
    return table.line(
        List.of("limit", cost(any.muLimit()), cost(any.epsilonLimit())),
        last == Long.MAX_VALUE
            ? ""
            : "never reached: learning stops at the budget of epsilon "
                + cost(plan.budget().epsilon()));
  }

  private static void row(Table table, String rounds, Guarantee guarantee, boolean allowed) {
    table.line(
        List.of(rounds, cost(guarantee.mu()), cost(guarantee.epsilon())),
        allowed ? "" : "beyond the budget: never happens");
  }

  private static String failures(Plan plan) {
    double once = plan.mechanism().failure();
    return once == 0
        ? ""
        : text(
            "what the noise hides is bounded but for a probability of %s for one participation,"
                + " which delta pays for: every epsilon is at delta less (1 + e^epsilon) times"
                + " that, for all participations of a unit",
            cost(once));
  }

  /** At which published model the run begins, what of it carries over, and what that costs. */
  static Section start(LearnerSettings learner) {
    Section section = Section.untitled();
    learner.run().start().ifPresent(begun -> {
      double spent = learner.plan().budget().spentMu();
      section.lines(text(
          "begins at %s (%s); %s",
          begun.model().source(),
          begun.notes().get(0),
          spent == 0
              ? "nothing of earlier runs counts here"
              : "mu " + cost(spent) + " of earlier runs counts here"));
      begun.notes().stream().skip(1).forEach(note -> section.lines("  " + note));
    });
    return section;
  }

  private static String metrics(Plan plan) {
    PrivateMetrics metrics = plan.metrics();
    if (metrics.exact()) {
      return text("metrics carry no noise (metrics.unsafe.exact): nothing above is guaranteed");
    }
    long perVersion = plan.learning().versions().rounds(plan.batch());
    long versions = (metrics.window() - 1) / perVersion + 1; // a window ends with a version
    long rounds = versions * perVersion;
    double std = Math.sqrt(rounds) * metrics.sigma();
    double slots = (double) rounds * plan.batch();
    return text(
        "metrics of %s: noise of standard deviation %s on each sum, so an accuracy over %.0f"
            + " records is known to within %s (standard error, at most); they take %s",
        versions == 1 ? "each version" : "each " + versions + " versions",
        GuaranteeFigures.downShort(std, 6),
        slots,
        GuaranteeFigures.upShort(std / slots, 3),
        part(plan));
  }

  /** The part of metrics in mu squared, which adds up. */
  private static String part(Plan plan) {
    long last = plan.lastRound();
    if (plan.participation().isBudgeted()) {
      long rounds = plan.account().roundsInARow(MOST_ROUNDS);
      double all = rounds * square(plan.metrics().ratio(plan.adjacency()));
      return text(
          "%.1f %% of the budget of a unit that is in %s%s",
          100 * all / square(plan.participation().cap()),
          rounds == 1 ? "1 round" : rounds + " rounds",
          plan.participation().spacing());
    }
    double part = square(plan.account().metricsMu(last) / plan.account().mu(last));
    return text("%.1f %% of the budget", 100 * part);
  }

  private static double square(double value) {
    return value * value;
  }

  private static String noise(double value) {
    return GuaranteeFigures.downShort(value, 6);
  }
}
