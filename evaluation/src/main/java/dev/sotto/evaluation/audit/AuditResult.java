package dev.sotto.evaluation.audit;

import dev.sotto.evaluation.audit.canary.CanaryResult;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.learner.description.GuaranteeFigures;
import dev.sotto.learner.description.Section;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.Locale;

/**
 * The result of an audit.
 *
 * @param options what was audited, and how
 * @param canaries what they proved about the learner
 * @param checks everything that was checked, the canaries included
 * @param seconds the time it took
 */
public record AuditResult(
    Audit.Options options, CanaryResult canaries, List<CheckResult> checks, double seconds) {
  public AuditResult {
    checks = List.copyOf(checks);
  }

  /** Whether every check holds. */
  public boolean holds() {
    return checks.stream().allMatch(CheckResult::holds);
  }

  /** All of it. */
  public Section describe() {
    Plan plan = options.plan();
    return Section.untitled()
        .fact("holds", holds())
        .fact("epsilonLower", canaries.epsilonLower())
        .fact("epsilonUpper", canaries.epsilonUpper())
        .fact("confidence", options.confidence())
        .fact("delta", canaries.delta())
        .fact("canaries", canaries.guesses().canaries())
        .fact("guesses", canaries.guesses().guessed())
        .fact("right", canaries.guesses().right())
        .fact("rounds", options.rounds())
        .fact("mechanism", plan.mechanism().name())
        .fact("unit", plan.unit().configName())
        .fact("adjacency", plan.adjacency().configName(), audited(options, plan))
        .lines(text(
            "epsilon     at least %s (confidence %s, %,d canaries), at most %s (ledger), at delta"
                + " %s",
            GuaranteeFigures.down(canaries.epsilonLower(), 4),
            options.confidence(),
            options.canaries(),
            GuaranteeFigures.up(canaries.epsilonUpper(), 6),
            GuaranteeFigures.upShort(canaries.delta(), 3)))
        .fact("seed", options.seed())
        .fact("seconds", seconds)
        .add(shown())
        .add(summary());
  }

  private static String audited(Audit.Options options, Plan plan) {
    return text(
        "audited     %s noise, %s, unit %s: sigma %s of a clip of %s, %d %s of %d slots%s",
        plan.mechanism().name(),
        plan.adjacency().configName(),
        plan.unit().configName(),
        GuaranteeFigures.down(plan.sigma(), 4),
        text("%.4g", plan.clip()),
        options.rounds(),
        plan.round() + "s",
        plan.batch(),
        plan.learnsFromBlocks()
            ? text(
                " and %,d %s", plan.block().queries(), ReleaseSchedule.of(plan).nouns())
            : "");
  }

  private Section shown() {
    int width = checks.stream().mapToInt(each -> each.name().length()).max().orElse(0);
    Section section =
        Section.titled(text("       %-" + width + "s  %10s  %s", "check", "figure", "must be"));
    for (CheckResult check : checks) {
      section.lines(
          text(
              "%-5s  %-" + width + "s  %10s  %s",
              check.holds() ? "ok" : "FAILS",
              check.name(),
              figure(check.figure()),
              check.rule()),
          "         " + check.says());
    }
    return section.fact("checks", checks);
  }

  private Section summary() {
    long failed = checks.stream().filter(each -> !each.holds()).count();
    return Section.untitled()
        .lines(text(
            "%s; seed %d, %.0f s",
            failed == 0
                ? "all " + checks.size() + " checks hold"
                : failed + " of " + checks.size() + " checks FAIL",
            options.seed(),
            seconds));
  }

  private static String figure(double value) {
    return value == 0
        ? "0"
        : Math.abs(value) < 1e-3 || Math.abs(value) >= 1e6
            ? text("%.2e", value)
            : text("%.4f", value);
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
