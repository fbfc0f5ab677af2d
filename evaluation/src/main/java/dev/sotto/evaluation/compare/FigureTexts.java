package dev.sotto.evaluation.compare;

import dev.sotto.learner.description.GuaranteeFigures;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures of a run as texts, the same on a terminal and on a page. */
public final class FigureTexts {
  /** What stands above them. */
  public static final List<String> HEADING = List.of(
      "epsilon",
      "rounds",
      "examples",
      "learned from",
      "loss",
      "last 5 %",
      "accuracy",
      "AUC",
      "over bounding",
      "over none",
      "seconds",
      "examples/s");

  /** Stands for a figure that does not exist. */
  public static final String ABSENT = "-";

  private FigureTexts() {}

  /** One text for each heading. */
  public static List<String> of(
      Comparison comparison, ComparisonRun run, RunOutcome.Finished figures) {
    return List.of(
        epsilon(figures.epsilon()),
        whole(figures.rounds()),
        whole(figures.examples()),
        whole(figures.scored().contributed()),
        loss(figures.loss()),
        loss(figures.recentLoss()),
        loss(figures.accuracy()),
        loss(figures.scored().auc()),
        excess(comparison.overBounding(run)),
        excess(comparison.overNone(run)),
        String.format(Locale.ROOT, "%.2f", figures.seconds()),
        whole(Math.round(figures.examplesPerSecond())));
  }

  /**
   * What predictions without features cost, by name: once for each loss and number of examples.
   */
  public static Map<String, String> withoutFeatures(List<RunOutcome.Finished> runs) {
    Map<String, String> losses = new LinkedHashMap<>();
    boolean oneKind = runs.stream().map(FigureTexts::kind).distinct().count() <= 1;
    for (RunOutcome.Finished each : runs) {
      String of = oneKind ? "" : " (" + kind(each) + ")";
      losses.put("base rate so far" + of, loss(each.scored().baseRate()));
      losses.put("best constant" + of, loss(each.scored().constant()));
    }
    losses.values().removeIf(ABSENT::equals);
    return losses;
  }

  private static String kind(RunOutcome.Finished run) {
    return run.lossName() + ", " + whole(run.examples()) + " examples";
  }

  /** A cost, rounded up. */
  public static String epsilon(double epsilon) {
    return GuaranteeFigures.up(epsilon, 4);
  }

  /** A mean loss or a share. */
  public static String loss(double value) {
    return Double.isNaN(value) ? ABSENT : String.format(Locale.ROOT, "%.4f", value);
  }

  /** A difference of mean losses. */
  public static String signed(double value) {
    return String.format(Locale.ROOT, "%+.4f", value);
  }

  /** A number with commas. */
  public static String whole(long value) {
    return String.format(Locale.ROOT, "%,d", value);
  }

  private static String excess(Optional<ExcessLoss> excess) {
    return excess.map(ExcessLoss::loss).map(FigureTexts::signed).orElse(ABSENT);
  }
}
