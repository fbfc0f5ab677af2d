package dev.sotto.app.command;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.app.view.Figures;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import java.util.Locale;

/** What a plan promises, in words and as a table. All of it is public: nothing here depends on data. */
final class Promise {
  private static final long[] ROUNDS = {1, 10, 100, 1000};
  private static final String SEVERAL =
      "what a unit gives to several models adds up in squares of mu";

  private Promise() {}

  /** What is learned, and under which guarantee, in one line. */
  static String line(SottoConfig config) {
    LearnerSettings learner = config.learner();
    Plan plan = learner.plan();
    long last = lastRound(plan);
    String reach = last == Long.MAX_VALUE ? "for ever" : "for at most " + rounds(last);
    return String.format(
        Locale.ROOT,
        "learning %s (%s, %s, %d weights) from topic %s, %d records a round, %s: %s (%s)%s",
        models(learner.modelIds()),
        plan.lossName(),
        plan.algorithm(),
        plan.dimension(),
        learner.eventTopic(),
        plan.batch(),
        reach,
        hidden(learner),
        plan.mechanism().name(),
        addsUp(learner) ? "; " + SEVERAL : "");
  }

  private static String hidden(LearnerSettings learner) {
    Plan plan = learner.plan();
    if (plan.metrics() != null && plan.metrics().exact()) {
      return "NOTHING is hidden, since metrics are exact";
    }
    return String.format(
        Locale.ROOT,
        "with %s, %s is hidden up to epsilon %s at delta %s, all snapshots%s%s together",
        plan.adjacency().configName(),
        plan.unit().sentence(),
        cost(plan.budget().epsilon()),
        cost(plan.budget().delta()),
        plan.metrics() == null ? "" : " and metrics",
        addsUp(learner) ? " of one model" : "");
  }

  /** Whether a unit can be in several models; a record that stands for itself lies in one. */
  private static boolean addsUp(LearnerSettings learner) {
    return learner.modelIds().source() != ModelIds.Source.CONSTANT
        && !(learner.plan().participation() instanceof Participation.Once);
  }

  /** The guarantee after some numbers of rounds, at the end of the budget, and at the limit. */
  static String table(SottoConfig config) {
    Plan plan = config.learner().plan();
    StringBuilder text = new StringBuilder();
    text.append(String.format(
        Locale.ROOT,
        "%s is hidden where %s; delta %s, sigma %s per coordinate of a round's sum (noise multiplier %s)%n",
        plan.unit().sentence(),
        plan.adjacency().sentence(),
        cost(plan.budget().delta()),
        noise(plan.sigma()),
        noise(plan.sigma() / plan.sensitivity())));
    if (addsUp(config.learner())) {
      text.append(String.format(Locale.ROOT, "in one model: %s%n", SEVERAL));
    }
    text.append(String.format(Locale.ROOT, "%14s  %14s  %14s%n", "rounds", "mu", "epsilon"));
    for (long rounds : ROUNDS) {
      text.append(row(Long.toString(rounds), plan.guarantee(rounds), plan.allows(rounds)));
    }
    long last = lastRound(plan);
    if (last < Long.MAX_VALUE) {
      text.append(row(last + " (last)", plan.guarantee(last), true));
    }
    Guarantee any = plan.guarantee(1);
    boolean endless = last == Long.MAX_VALUE;
    text.append(String.format(
        Locale.ROOT,
        "%14s  %14s  %14s%s%n",
        "limit",
        cost(any.muLimit()),
        cost(any.epsilonLimit()),
        endless
            ? ""
            : "  never reached: learning stops at the budget of epsilon "
                + cost(plan.budget().epsilon())));
    FinePrint.of(plan).forEach(line -> text.append(line).append(System.lineSeparator()));
    return text.toString();
  }

  private static String row(String rounds, Guarantee guarantee, boolean allowed) {
    return String.format(
        Locale.ROOT,
        "%14s  %14s  %14s%s%n",
        rounds,
        cost(guarantee.mu()),
        cost(guarantee.epsilon()),
        allowed ? "" : "  beyond the budget: never happens");
  }

  /** The last round that the budget allows; {@link Long#MAX_VALUE} where it allows all. */
  static long lastRound(Plan plan) {
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

  private static String models(ModelIds ids) {
    return switch (ids.source()) {
      case CONSTANT -> "model " + ids.name();
      case PARTITION -> "a model per partition";
      case KEY -> "a model per key";
      case HEADER -> "a model per value of header " + ids.name();
    };
  }

  private static String rounds(long rounds) {
    return rounds == 1 ? "1 round" : rounds + " rounds";
  }

  private static String cost(double value) {
    return Figures.upShort(value, 6);
  }

  private static String noise(double value) {
    return Figures.downShort(value, 6);
  }
}
