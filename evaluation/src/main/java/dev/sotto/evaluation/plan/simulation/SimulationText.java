package dev.sotto.evaluation.plan.simulation;

import static dev.sotto.evaluation.plan.FigureWording.lines;
import static dev.sotto.evaluation.plan.FigureWording.number;

import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.text.TextTable;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSettings;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.PlanKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/** The result of a simulation as text. */
public final class SimulationText {
  private static final double NEAR = 0.05;
  private static final double CLEAR = 0.01;

  private final SimulationResult result;
  private final double multiplier;

  private SimulationText(SimulationResult result, double multiplier) {
    this.result = result;
    this.multiplier = multiplier;
  }

  /**
   * Suggested settings, and how much depends on them.
   *
   * @param multiplier the plan's {@code ftrl.steps.multiplier}
   */
  public static String of(SimulationResult result, double multiplier) {
    SimulationText text = new SimulationText(result, multiplier);
    return text.what() + text.table() + text.flatness();
  }

  private String what() {
    int weights = result.scenario().plan().dimension();
    return lines(
        "Suggestions by simulation on made-up data (seed " + result.seed()
            + "), each setting at the cost of this plan",
        result.size().records() + " records"
            + (result.size().thinning() > 1
                ? ", one made-up for every " + Math.round(result.size().thinning())
                : "")
            + ", " + result.size().dimension()
            + (result.size().dimension() < weights ? " of the " + weights : "") + " weights, "
            + result.grid().repetitions() + " repetitions of "
            + result.grid().all().size()
            + " settings; then " + result.fresh().repetitions() + " others of two");
  }

  private String table() {
    TextTable table = new TextTable(
        "",
        PlanKeys.BATCH_SIZE.name(),
        factor(),
        PlanKeys.CLIP_NORM.name(),
        PlanKeys.HORIZON.name(),
        "loss",
        "learned");
    row(table, "configured", result.configured());
    row(table, "best", result.best());
    bare(table, "nothing learned", result.fresh().blank());
    bare(table, "nothing left to learn", result.fresh().truth());
    return table.text();
  }

  /** What multiplies the steps: a setting, unless they follow from the noise. */
  private String factor() {
    boolean auto = result.scenario().plan().optimizer() instanceof PrivateFtrl ftrl
        && ftrl.steps() instanceof StepSize.NoiseAware;
    return auto ? "times the steps" : StepSettings.MULTIPLIER.name();
  }

  private void row(TextTable table, String label, SettingResult finding) {
    LossSample fresh = result.fresh();
    double error = finding.standardError(fresh.truths()) / (fresh.blank() - fresh.truth());
    table.line(
        List.of(
            label,
            Long.toString(finding.setting().batch()),
            number(finding.setting().stepFactor() * multiplier),
            number(finding.setting().clip()),
            finding.horizon() == PlanForecast.LIMIT ? "endless" : Long.toString(finding.horizon()),
            four(finding.loss()),
            percent(fresh.learned(finding.loss()))),
        "+- " + percent(error));
  }

  private void bare(TextTable table, String label, double loss) {
    table.line(
        List.of(label, "", "", "", "", four(loss), percent(result.fresh().learned(loss))), "");
  }

  private String flatness() {
    TextTable axes = new TextTable("at best, with");
    axis(axes, PlanKeys.BATCH_SIZE.name(), SimulatedSetting::batch);
    axis(axes, factor(), each -> each.stepFactor() * multiplier);
    axis(axes, PlanKeys.CLIP_NORM.name(), SimulatedSetting::clip);
    return axes.text()
        + lines(
            result.grid().within(NEAR) + " of the " + result.grid().all().size()
                + " settings learn as much as the best but for " + percent(NEAR)
                + " of all there is. " + verdict(),
            "Real data differ: these figures show orders of magnitude. Made-up data cost no budget.",
            "Comparing settings on the real stream would, and no guarantee covers it.");
  }

  /** On the repetitions that the best was not chosen by. */
  private String verdict() {
    SettingResult best = result.best();
    SettingResult own = result.configured();
    if (own.loss() - best.loss() <= 2 * own.standardError(best.losses())) {
      return "The configured one is as good as the best, within the error.";
    }
    LossSample fresh = result.fresh();
    return "The best learns "
        + percent(fresh.learned(best.loss()) - fresh.learned(own.loss()))
        + " of it more than the configured one.";
  }

  private <T extends Number & Comparable<T>> void axis(
      TextTable table, String name, Function<SimulatedSetting, T> value) {
    Map<T, SettingResult> best = result.grid().along(value);
    StringBuilder cells = new StringBuilder();
    best.forEach((each, finding) -> cells
        .append(number(each.doubleValue()))
        .append(": ")
        .append(percent(result.grid().learned(finding.loss())))
        .append("   "));
    table.line(List.of(name), cells + edge(new ArrayList<>(best.values())));
  }

  /**
   * A hint where the grid seems too small: the best lies at its edge, clearly above its neighbour.
   */
  private String edge(List<SettingResult> ascending) {
    if (ascending.size() < 2) {
      return "";
    }
    int last = ascending.size() - 1;
    return above(ascending.get(0), ascending.get(1))
        ? "less may be better still"
        : above(ascending.get(last), ascending.get(last - 1)) ? "more may be better still" : "";
  }

  private boolean above(SettingResult edge, SettingResult neighbour) {
    LossSample grid = result.grid();
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
