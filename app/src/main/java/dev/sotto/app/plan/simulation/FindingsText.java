package dev.sotto.app.plan.simulation;

import static dev.sotto.app.plan.Words.lines;
import static dev.sotto.app.plan.Words.number;

import dev.sotto.app.plan.Outlook;
import dev.sotto.app.plan.TextTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** Findings for people. */
public final class FindingsText {
  private static final double NEAR = 0.05;
  private static final double CLEAR = 0.01;

  private final Findings findings;
  private final double multiplier;

  private FindingsText(Findings findings, double multiplier) {
    this.findings = findings;
    this.multiplier = multiplier;
  }

  /**
   * Suggested settings, and how much depends on them.
   *
   * @param multiplier the plan's {@code ftrl.steps.multiplier}
   */
  public static String of(Findings findings, double multiplier) {
    FindingsText text = new FindingsText(findings, multiplier);
    return text.what() + text.table() + text.flatness();
  }

  private String what() {
    int weights = findings.scenario().plan().dimension();
    return lines(
        "Suggestions by simulation on made-up data (seed " + findings.seed()
            + "), each setting at the price of this plan",
        findings.records() + " records"
            + (findings.thinning() > 1
                ? ", one made-up for every " + Math.round(findings.thinning())
                : "")
            + ", " + findings.dimension()
            + (findings.dimension() < weights ? " of the " + weights : "") + " weights, "
            + findings.grid().repetitions() + " repetitions of "
            + findings.grid().all().size()
            + " settings; then " + findings.fresh().repetitions() + " others of two");
  }

  private String table() {
    TextTable table = new TextTable(
        "",
        "batch.size",
        "ftrl.steps.multiplier",
        "clip.norm",
        "privacy.horizon.rounds",
        "loss",
        "learned");
    row(table, "configured", findings.configured());
    row(table, "best", findings.best());
    bare(table, "nothing learned", findings.fresh().blank());
    bare(table, "nothing left to learn", findings.fresh().truth());
    return table.text();
  }

  private void row(TextTable table, String label, Finding finding) {
    Sample fresh = findings.fresh();
    double error = finding.standardError(fresh.truths()) / (fresh.blank() - fresh.truth());
    table.line(
        List.of(
            label,
            Long.toString(finding.setting().batch()),
            number(finding.setting().stepFactor() * multiplier),
            number(finding.setting().clip()),
            finding.horizon() == Outlook.LIMIT ? "endless" : Long.toString(finding.horizon()),
            four(finding.loss()),
            percent(fresh.learned(finding.loss()))),
        "+- " + percent(error));
  }

  private void bare(TextTable table, String label, double loss) {
    table.line(
        List.of(label, "", "", "", "", four(loss), percent(findings.fresh().learned(loss))), "");
  }

  private String flatness() {
    TextTable axes = new TextTable("at best, with");
    axis(axes, "batch.size", Setting::batch);
    axis(axes, "ftrl.steps.multiplier", each -> each.stepFactor() * multiplier);
    axis(axes, "clip.norm", Setting::clip);
    return axes.text()
        + lines(
            findings.grid().within(NEAR) + " of the " + findings.grid().all().size()
                + " settings learn as much as the best but for " + percent(NEAR)
                + " of all there is. " + verdict(),
            "Real data differ: take this for the size of things. Made-up data cost no budget; to compare settings on the real",
            "stream would, and no promise covers it.");
  }

  /** On the repetitions that the best was not chosen by. */
  private String verdict() {
    Finding best = findings.best();
    Finding own = findings.configured();
    if (own.loss() - best.loss() <= 2 * own.standardError(best.losses())) {
      return "The configured one cannot be told from the best.";
    }
    Sample fresh = findings.fresh();
    return "The best learns "
        + percent(fresh.learned(best.loss()) - fresh.learned(own.loss()))
        + " of it more than the configured one.";
  }

  private <T extends Number & Comparable<T>> void axis(
      TextTable table, String name, Function<Setting, T> value) {
    Map<T, Finding> best = findings.grid().along(value);
    StringBuilder cells = new StringBuilder();
    best.forEach((each, finding) -> cells
        .append(number(each.doubleValue()))
        .append(": ")
        .append(percent(findings.grid().learned(finding.loss())))
        .append("   "));
    table.line(List.of(name), cells + edge(new ArrayList<>(best.values())));
  }

  /** A hint where the grid seems too small: the best lies at its edge, clearly above its neighbour. */
  private String edge(List<Finding> ascending) {
    if (ascending.size() < 2) {
      return "";
    }
    int last = ascending.size() - 1;
    return above(ascending.get(0), ascending.get(1))
        ? "less may be better still"
        : above(ascending.get(last), ascending.get(last - 1)) ? "more may be better still" : "";
  }

  private boolean above(Finding edge, Finding neighbour) {
    Sample grid = findings.grid();
    return edge.equals(grid.best())
        && grid.learned(edge.loss()) - grid.learned(neighbour.loss()) > CLEAR;
  }

  private static String percent(double share) {
    return String.format(Locale.ROOT, "%.0f %%", 100 * share);
  }

  private static String four(double value) {
    return String.format(Locale.ROOT, "%.4f", value);
  }
}
