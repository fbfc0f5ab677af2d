package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;

/**
 * What is learned of a label that is a number, between bounds that were written by hand and with
 * none: mean squared errors in units of those bounds, of the records behind the longest window.
 */
final class MeasuredLabels implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.25, 1.0, 4.0);
  private static final int SEEDS = 5;

  /** What has bounds. */
  private enum Bounds {
    ALL(""),
    NUMBERS("label\\.(min|max)=.*"),
    NONE("(label|features\\.numeric\\..*)\\.(min|max|transform)=.*");

    private final String removed;

    Bounds(String removed) {
      this.removed = removed;
    }

    List<String> of(List<String> settings) {
      return settings.stream().filter(each -> !each.matches(removed)).toList();
    }
  }

  private record Case(QualitySet set, double epsilon, Bounds bounds, QualityRun run, Plan plan) {
    long window() {
      return plan.ranges().rounds() * plan.batch();
    }
  }

  @Override
  public String name() {
    return "labels";
  }

  @Override
  public String question() {
    return "What does it cost not to know the bounds of a label?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    for (QualitySet set : trials.choose(
        List.of(QualitySet.HOUSING, QualitySet.BIKE, QualitySet.YEAR_R),
        List.of(QualitySet.BIKE))) {
      List<String> settings = set.settings(trials.data());
      List<byte[]> events = set.events(trials.data());
      double width = number(settings, "label.max=") - number(settings, "label.min=");
      for (double epsilon : trials.choose(EPSILONS, List.of(1.0))) {
        List<Case> cases = new ArrayList<>();
        for (Bounds each : Bounds.values()) {
          QualityRun run = new QualityRun(set.label, each.of(settings), events);
          cases.add(new Case(set, epsilon, each, run, run.plan(epsilon)));
        }
        int from = (int) cases.stream().mapToLong(Case::window).max().orElseThrow();
        all.addAll(trials.run(
            set.label + ", epsilon " + epsilon, cases, trials.choose(SEEDS, 1), (each, seed) -> {
              double[] errors = each.run().squaredErrors(each.plan(), 1 + seed);
              double unit = each.bounds() == Bounds.ALL ? 1 : width; // labels between bounds: 1
              double mean = Arrays.stream(errors, from, errors.length).average().orElseThrow();
              boolean found = !Double.isNaN(mean);
              return new double[] {mean / (unit * unit), found ? 0 : 1};
            }));
      }
    }
    return Outcome.of(new Columns<Measured<Case>>()
        .add("set", row -> row.of().set().label)
        .add("epsilon", row -> row.of().epsilon())
        .add("bounds of", row -> row.of().bounds().name().toLowerCase(Locale.ROOT))
        .add("slots of the window", row -> row.of().window())
        .add("mean squared error", row -> found(row).average().orElse(Double.NaN))
        .add("least", row -> found(row).min().orElse(Double.NaN))
        .add("largest", row -> found(row).max().orElse(Double.NaN))
        .add("draws without a range", row -> SEEDS * row.mean(1))
        .of(all));
  }

  /** Of the draws that found a range of the label. */
  private static DoubleStream found(Measured<Case> row) {
    return row.runs().stream().filter(run -> run[1] == 0).mapToDouble(run -> run[0]);
  }

  private static double number(List<String> settings, String key) {
    return Double.parseDouble(settings.stream()
        .filter(each -> each.startsWith(key))
        .findFirst()
        .orElseThrow()
        .substring(key.length()));
  }
}
