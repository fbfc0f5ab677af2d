package dev.sotto.app.view;

import static dev.sotto.learner.description.FigureFormat.counted;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.plan.PlanAnswer;
import dev.sotto.evaluation.plan.UnitContribution;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanKeys;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.Locale;
import java.util.OptionalLong;

/** What {@code run --check} prints of a configuration that can run. */
public final class CheckDescription {
  private static final String COMMENT = "# ";

  private CheckDescription() {}

  /** What is promised and what will happen, in a few sentences. */
  public static Section answer(SottoConfig config) {
    LearnerSettings learner = config.learner();
    Plan plan = learner.plan();
    Section answer = Section.untitled()
        .sentence("This configuration can run: nothing is wrong with it. Nothing was started.")
        .sentence(PlanAnswer.promise(plan))
        .sentence(cost(plan) + PlanAnswer.lasting(plan, plan.lastRound()));
    if (plan.participation().remembersUnits()) {
      answer.sentence((plan.participation().boundsKeys()
              ? UnitContribution.sentence(plan, records(config))
              : "Each unit contributes: " + plan.participation().sentence() + ".")
          + (GuaranteeText.addsUp(learner) ? " In one model: " + GuaranteeText.SEVERAL + "." : ""));
    }
    return answer
        .append(GuaranteeDescription.start(learner))
        .sentence(String.format(
            Locale.ROOT,
            "It learns %s (%s, %s, %s) from %s, in layout %s.",
            learner.modelIds().sentence(),
            learner.run().candidates().sentence(),
            plan.algorithm(),
            counted(plan.dimension(), "weight"),
            learner.labels().map(LateLabels::sentence).orElse(learner.eventTopic()),
            learner.layout().configName()))
        .sentence(versions(plan));
  }

  private static String cost(Plan plan) {
    if (plan.participation().isBudgeted()
        || plan.metrics() != null && plan.metrics().exact()) {
      return "";
    }
    double first =
        plan.guarantee(plan.learning().versions().rounds(plan.batch())).epsilon();
    double limit = plan.guarantee(1).epsilonLimit();
    return "The first version costs epsilon " + GuaranteeFigures.up(first, 4)
        + (Double.isInfinite(limit)
            ? ". "
            : ", all of them "
                + GuaranteeFigures.up(Math.min(limit, plan.budget().epsilon()), 4) + " at most. ");
  }

  private static String versions(Plan plan) {
    long rounds = plan.learning().versions().rounds(plan.batch());
    String ranges = GuaranteeText.ranges(plan);
    return "A version is published every " + counted(rounds * plan.batch(), "slot")
        + (plan.metrics() == null
            ? ", without private loss and accuracy (metrics.share)."
            : ", with private loss and accuracy.")
        + (ranges.isEmpty() ? "" : " But " + ranges + ".");
  }

  /** The answer, the settings in force and the whole guarantee: a configuration with comments. */
  public static Section whole(SottoConfig config) {
    Section whole = Section.untitled();
    comment(whole, answer(config));
    whole.lines("", COMMENT + "The settings in force");
    config.effective().yaml().lines().forEach(whole::lines);
    whole.lines(COMMENT + "What is promised");
    comment(whole, GuaranteeDescription.of(config));
    String beyond =
        PlanAnswer.beyond(config.learner().plan(), config.learner().plan().lastRound());
    if (!beyond.isEmpty()) {
      comment(whole, Section.untitled().sentence(beyond));
    }
    comment(whole, contribution(config));
    return whole;
  }

  /** How many records of a unit can be learned from, before anything is started. */
  private static Section contribution(SottoConfig config) {
    return UnitContribution.inShort(config.learner().plan(), records(config));
  }

  private static OptionalLong records(SottoConfig config) {
    return config
        .effective()
        .find(PlanKeys.RECORDS)
        .map(OptionalLong::of)
        .orElseGet(OptionalLong::empty);
  }

  private static void comment(Section whole, Section part) {
    TextRenderer.of(part).lines().forEach(line -> whole.lines(COMMENT + line));
  }
}
