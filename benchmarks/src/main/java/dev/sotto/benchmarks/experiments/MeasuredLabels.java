package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RangeSettings;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.DoubleStream;
import java.util.stream.LongStream;

/**
 * What is learned of a label that is a number, between bounds that were written by hand and with
 * none: mean squared errors in units of those bounds, of the records behind the longest window.
 */
final class MeasuredLabels implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.25, 1.0, 4.0);
  private static final int SEEDS = 5;
  private static final int WINDOWS = 200;

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
      return slots(plan);
    }

    /** In how many windows of other keys no range of the label is found. */
    long lost() {
      return lost(plan);
    }

    /** The same with windows that are half as long, under the same noise. */
    long lostOfHalf() {
      RangeSettings whole = plan.ranges();
      RangeWindow window = whole.window().orElseThrow();
      long rounds = Math.max(1, window.rounds() / 2);
      RangeWindow half = new RangeWindow(window.numbers(), rounds, window.sigma(), window.share());
      return lost(
          plan.toBuilder().ranges(RangeSettings.measured(whole.numbers(), half)).build());
    }

    private long lost(Plan measuring) {
      StreamPart part = new StreamPart(run, 0, (int) slots(measuring));
      return LongStream.rangeClosed(1, WINDOWS)
          .parallel()
          .mapToObj(seed -> LearningPass.learned(measuring, part, SEEDS + seed))
          .filter(each -> !each.numbers().hasLabels(each.ranges()))
          .count();
    }

    private static long slots(Plan of) {
      return of.ranges().rounds() * of.batch();
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
        .add("draws without a range", row -> measured(row) ? row.of().lost() : 0)
        .add("of half the window", row -> measured(row) ? row.of().lostOfHalf() : 0)
        .of(all));
  }

  private static boolean measured(Measured<Case> row) {
    return row.of().bounds() != Bounds.ALL;
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
