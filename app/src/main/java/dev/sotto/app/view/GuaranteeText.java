package dev.sotto.app.view;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.plan.FigureWording;
import dev.sotto.evaluation.text.GuaranteeFigures;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.description.Table;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;

/**
 * What a plan guarantees, in words and as a table. All of it is public: nothing here depends on
 * data.
 */
public final class GuaranteeText {
  private static final long[] ROUNDS = {1, 10, 100, 1000};
  private static final long MOST_ROUNDS = 1_000_000; // a step each
  private static final String SEVERAL =
      "what a unit gives to several models adds up in squares of mu";

  private GuaranteeText() {}

  /** What is learned, and under which guarantee, in one line. */
  public static String line(SottoConfig config) {
    LearnerSettings learner = config.learner();
    Plan plan = learner.plan();
    long last = lastRound(plan);
    String reach = last == Long.MAX_VALUE ? "for ever" : "for at most " + rounds(plan, last);
    return text(
        "learning %s (%s, %s, %d weights) from topic %s, %s, %s: %s (%s)%s",
        models(learner.modelIds()),
        learner.run().candidates().isEmpty()
            ? plan.lossName()
            : learner.run().candidates().number() + " candidates: "
                + learner.run().candidates().names() + "; " + plan.lossName(),
        plan.algorithm(),
        plan.dimension(),
        learner
            .labels()
            .map(labels -> labels.features() + " with labels of " + labels.topic())
            .orElse(learner.eventTopic()),
        plan.learnsFromBlocks() ? BlockText.of(plan) : plan.batch() + " records a round",
        reach,
        hidden(learner),
        plan.mechanism().name(),
        (addsUp(learner) ? "; " + SEVERAL : "")
            + learner
                .run()
                .start()
                .map(begun -> "; begins at " + begun.model().source())
                .orElse(""));
  }

  private static String hidden(LearnerSettings learner) {
    Plan plan = learner.plan();
    if (plan.metrics() != null && plan.metrics().exact()) {
      return "NOTHING is hidden, since metrics are exact";
    }
    return text(
        "with %s, %s is hidden up to epsilon %s at delta %s, all snapshots%s%s together",
        plan.adjacency().configName(),
        plan.unit().sentence(),
        cost(plan.budget().epsilon()),
        cost(plan.budget().delta()),
        plan.metrics() == null ? "" : " and metrics",
        (learner.run().candidates().isEmpty() ? "" : " of all candidates")
            + (addsUp(learner) ? " of one model" : ""));
  }

  /** Whether a unit can be in several models; a record that stands for itself lies in one. */
  private static boolean addsUp(LearnerSettings learner) {
    return learner.modelIds().source() != ModelIdRule.Source.CONSTANT
        && !(learner.plan().participation() instanceof Participation.Once);
  }

  private static String form(Plan plan) {
    return plan.optimizer().reason().isEmpty()
        ? ""
        : text("%s%n", plan.optimizer().reason());
  }

  private static String clip(Plan plan) {
    return plan.countsNorms()
        ? text(
            "clip %s in the first block, then a quantile of gradients' norms, which every block"
                + " releases for the next with noise: %s %% of its squared mu, and one more pass%n",
            noise(plan.clip()), cost(100 * plan.shareOfCounts()))
        : "";
  }

  /** The guarantee after some numbers of rounds, at the end of the budget, and at the limit. */
  public static String table(SottoConfig config) {
    Plan plan = config.learner().plan();
    Table table = Table.headed(List.of(round(plan) + "s", "mu", "epsilon"));
    for (long rounds : ROUNDS) {
      row(table, Long.toString(rounds), plan.guarantee(rounds), plan.allows(rounds));
    }
    long last = lastRound(plan);
    if (last < Long.MAX_VALUE) {
      row(table, last + " (last)", plan.guarantee(last), true);
    }
    Guarantee any = plan.guarantee(1);
    String never = "never reached: learning stops at the budget of epsilon "
        + cost(plan.budget().epsilon());
    table.line(
        List.of("limit", cost(any.muLimit()), cost(any.epsilonLimit())),
        last == Long.MAX_VALUE ? "" : never);
    String adjacency = text(
        "%s is hidden where %s; delta %s, sigma %s per coordinate of %s (noise multiplier %s)%n",
        plan.unit().sentence(),
        plan.adjacency().sentence(),
        cost(plan.budget().delta()),
        noise(plan.sigma()),
        summed(plan),
        noise(plan.sigma() / plan.sensitivity()));
    long rounds = plan.learning().versions().rounds(plan.batch());
    String released = text(
        "%s; a version is published after %s%n",
        plan.learnsFromBlocks() ? BlockText.of(plan) : "rounds of " + plan.batch() + " slots",
        rounds == 1 ? "each" : rounds + " of them");
    String several = addsUp(config.learner()) ? text("in one model: %s%n", SEVERAL) : "";
    return adjacency
        + start(config.learner())
        + released
        + form(plan)
        + clip(plan)
        + several
        + TextRenderer.of(table)
        + sampled(plan)
        + failures(plan)
        + units(plan)
        + (plan.metrics() == null ? "" : metrics(plan));
  }

  private static String summed(Plan plan) {
    if (!plan.learnsFromBlocks()) {
      return "a round's sum";
    }
    if (plan.isOrdered()) {
      return "an average, times its phase's step";
    }
    return plan.mechanism().sampledSums().isEmpty()
        ? "a sum, were a block one query"
        : "the sum of the slots that coins choose";
  }

  private static String sampled(Plan plan) {
    return plan.mechanism().sampledSums().isEmpty() ? "" : text("%s%n", BlockText.SAMPLED);
  }

  private static String failures(Plan plan) {
    double once = plan.mechanism().failure();
    return once == 0
        ? ""
        : text(
            "what the noise hides is bounded but for a probability of %s for one participation, which"
                + " delta pays for: every epsilon is at delta less (1 + e^epsilon) times that, for"
                + " all participations of a unit%n",
            cost(once));
  }

  /** At which published model the run begins, what of it carries over, and what that costs. */
  private static String start(LearnerSettings learner) {
    return learner
        .run()
        .start()
        .map(begun -> {
          double spent = learner.plan().budget().spentMu();
          StringBuilder lines = new StringBuilder(text(
              "begins at %s (%s); %s%n",
              begun.model().source(),
              begun.notes().get(0),
              spent == 0
                  ? "nothing of earlier runs counts here"
                  : "mu " + cost(spent) + " of earlier runs counts here"));
          begun.notes().stream().skip(1).forEach(note -> lines.append(text("  %s%n", note)));
          return lines.toString();
        })
        .orElse("");
  }

  private static void row(Table table, String rounds, Guarantee guarantee, boolean allowed) {
    table.line(
        List.of(rounds, cost(guarantee.mu()), cost(guarantee.epsilon())),
        allowed ? "" : "beyond the budget: never happens");
  }

  /** The last round that the budget allows; {@link Long#MAX_VALUE} where it allows all. */
  public static long lastRound(Plan plan) {
    long most = 1L << 62;
    if (plan.allows(most)) {
      return Long.MAX_VALUE;
    }
    long allowed = 1;
    long refused = most;
    while (refused - allowed > 1) {
      long middle = allowed + (refused - allowed) / 2;
      if (plan.allows(middle)) {
        allowed = middle;
      } else {
        refused = middle;
      }
    }
    return allowed;
  }

  private static String units(Plan plan) {
    if (plan.participation() instanceof Participation.Budgeted budgeted) {
      return text(
              "each unit has a budget of its own, mu %s or epsilon %s for ever: admitted to %s %ss"
                  + "%s from the first on, to more that lie %sapart%n",
              GuaranteeFigures.upShort(budgeted.mu(), 6),
              GuaranteeFigures.upShort(
                  GaussianDp.epsilon(budgeted.mu(), plan.budget().delta()), 6),
              inARow(plan),
              round(plan),
              FigureWording.spacing(budgeted),
              budgeted.separation() == 1 ? "" : "further ")
          + separation(budgeted, plan);
    }
    if (plan.participation() instanceof Participation.Scheduled scheduled) {
      ContributionBound bound = scheduled.bound();
      return text(
          "each unit is admitted to at most %d %ss, %d or more apart%n",
          bound.most(), round(plan), bound.separation());
    }
    return plan.participation() instanceof Participation.ById
        ? text("of each record id the first record counts, for ever%n")
        : "";
  }

  private static String separation(Participation.Budgeted budgeted, Plan plan) {
    return budgeted.separation() == 1
        ? ""
        : text(
            "never to two rounds that lie less than %d rounds apart, %s slots from the beginning of"
                + " one to that of the other (%s)%n",
            budgeted.separation(),
            BigInteger.valueOf(budgeted.separation()).multiply(BigInteger.valueOf(plan.batch())),
            PlanKeys.SEPARATION_SLOTS);
  }

  private static String inARow(Plan plan) {
    long rounds = plan.account().roundsInARow(MOST_ROUNDS);
    return rounds == MOST_ROUNDS ? "at least " + rounds : Long.toString(rounds);
  }

  private static String metrics(Plan plan) {
    PrivateMetrics metrics = plan.metrics();
    if (metrics.exact()) {
      return text("metrics carry no noise (metrics.unsafe.exact): nothing above is guaranteed%n");
    }
    long perVersion = plan.learning().versions().rounds(plan.batch());
    long versions = (metrics.window() - 1) / perVersion + 1; // a window ends with a version
    long rounds = versions * perVersion;
    double std = Math.sqrt(rounds) * metrics.sigma();
    double slots = (double) rounds * plan.batch();
    return text(
        "metrics of %s: noise of standard deviation %s on each sum, so an accuracy over %.0f"
            + " records is known to within %s (standard error, at most); they take %s%n",
        versions == 1 ? "each version" : "each " + versions + " versions",
        GuaranteeFigures.downShort(std, 6),
        slots,
        GuaranteeFigures.upShort(std / slots, 3),
        part(plan));
  }

  /**
   * The part of metrics in mu squared, which adds up; with a pure epsilon, an epsilon of their own.
   */
  private static String part(Plan plan) {
    long last = lastRound(plan);
    double delta = plan.budget().delta();
    if (plan.mechanism().isPure()) {
      return text(
          "epsilon %s of their own, at delta %s",
          GuaranteeFigures.upShort(GaussianDp.epsilon(plan.account().metricsMu(last), delta), 6),
          GuaranteeFigures.upShort(delta, 6));
    }
    if (plan.participation() instanceof Participation.Budgeted budgeted) {
      long rounds = plan.account().roundsInARow(MOST_ROUNDS);
      double all = rounds * square(plan.metrics().ratio(plan.adjacency()));
      return text(
          "%.1f %% of the budget of a unit that is in %s%s",
          100 * all / square(budgeted.mu()),
          rounds == 1 ? "1 round" : rounds + " rounds",
          FigureWording.spacing(budgeted));
    }
    double part = square(plan.account().metricsMu(last) / plan.account().mu(last));
    return text("%.1f %% of the budget", 100 * part);
  }

  private static double square(double value) {
    return value * value;
  }

  private static String models(ModelIdRule ids) {
    return switch (ids.source()) {
      case CONSTANT -> "model " + ids.name();
      case PARTITION -> "a model per partition";
      case KEY -> "a model per key";
      case HEADER -> "a model per value of header " + ids.name();
    };
  }

  private static String rounds(Plan plan, long rounds) {
    return rounds == 1 ? "1 " + round(plan) : rounds + " " + round(plan) + "s";
  }

  private static String round(Plan plan) {
    return plan.learnsFromBlocks() ? "block" : "round";
  }

  private static String cost(double value) {
    return GuaranteeFigures.upShort(value, 6);
  }

  private static String noise(double value) {
    return GuaranteeFigures.downShort(value, 6);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
