package dev.sotto.app.view;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.plan.PlanAnswer;
import dev.sotto.learner.description.FigureFormat;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.training.Plan;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.Locale;

/** What is learned, and under which guarantee, in one line; all of it is public. */
public final class GuaranteeText {
  static final String SEVERAL = "what a unit gives to several models adds up in squares of mu";

  private GuaranteeText() {}

  /** What is learned, and under which guarantee, in one line. */
  public static String line(SottoConfig config) {
    LearnerSettings learner = config.learner();
    Plan plan = learner.plan();
    long last = plan.lastRound();
    String reach = last == Long.MAX_VALUE ? "for ever" : "for at most " + rounds(plan, last);
    return text(
        "learning %s (%s, %s, %d weights) from topic %s, %s, %s: %s (%s)%s",
        learner.modelIds().sentence(),
        learner.run().candidates().sentence(),
        plan.algorithm(),
        plan.dimension(),
        learner.labels().map(LateLabels::sentence).orElse(learner.eventTopic()),
        plan.mechanism().rounds(plan.batch()),
        reach,
        hidden(learner),
        plan.mechanism().name(),
        (addsUp(learner) ? "; " + SEVERAL : "")
            + (ranges(plan).isEmpty() ? "" : "; " + ranges(plan))
            + (PlanAnswer.beyond(plan, last).isEmpty() ? "" : "; " + PlanAnswer.beyond(plan, last))
            + learner
                .run()
                .start()
                .map(begun -> "; begins at " + begun.model().source())
                .orElse(""));
  }

  /** Why there is no version for some time; empty where numbers have bounds. */
  public static String ranges(Plan plan) {
    return plan.ranges()
        .window()
        .map(window -> "the first "
            + FigureFormat.counted(window.allRounds() * plan.batch(), "slot") + " measure "
            + (plan.ranges().numbers().ofLabel()
                ? "the range of the label, nothing is learned from them,"
                : "ranges of numbers,")
            + " and no version is published before")
        .orElse("");
  }

  private static String hidden(LearnerSettings learner) {
    Plan plan = learner.plan();
    if (plan.metrics() != null && plan.metrics().exact()) {
      return "NOTHING is hidden, since metrics are exact";
    }
    return text(
        "with %s, epsilon %s at delta %s for %s, all snapshots%s%s together",
        plan.adjacency().configName(),
        cost(plan.budget().epsilon()),
        cost(plan.budget().delta()),
        plan.unit().sentence(),
        plan.metrics() == null ? "" : " and metrics",
        plan.candidates().words() + (addsUp(learner) ? " of one model" : ""));
  }

  /** Whether a unit can be in several models; a record that stands for itself lies in one. */
  static boolean addsUp(LearnerSettings learner) {
    return !learner.modelIds().isOne() && learner.plan().participation().remembersUnits();
  }

  private static String rounds(Plan plan, long rounds) {
    return rounds == 1 ? "1 " + plan.round() : rounds + " " + plan.round() + "s";
  }

  static String cost(double value) {
    return GuaranteeFigures.upShort(value, 6);
  }

  static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
