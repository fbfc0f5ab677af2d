package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToDoubleFunction;

/**
 * What {@code learn} makes of features, label and budget on recorded sets: with bounds of numbers
 * and without, beside rates chosen in hindsight, and learners without privacy.
 */
final class Defaults implements Experiment {
  private static final double OPEN = Double.POSITIVE_INFINITY; // epsilon without noise
  private static final List<Double> EPSILONS = List.of(0.25, 1.0, 4.0, 16.0, OPEN);
  private static final double[] RATES = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
  private static final double[] SGD_RATES = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
  private static final int SEEDS = 2;
  private static final int SEEDS_NO_BOUNDS = 5; // measured ranges differ from draw to draw
  private static final int MOST_WEIGHTS = 1 << 16; // in rounds of one record more take hours

  /** One of two classes, and one whose label is a number. */
  private static final Set<QualitySet> DRAWN = EnumSet.of(QualitySet.BANK, QualitySet.BIKE);

  /** The lines of a plot, by what a row says. */
  private static final Map<String, ToDoubleFunction<Row>> LINES = new LinkedHashMap<>();

  static {
    LINES.put("best rate in hindsight", Row::best);
    for (NumberEncoding each : NumberEncoding.values()) {
      LINES.put(each.label, row -> row.losses().get(each));
    }
  }

  /**
   * A set with what is known about it.
   *
   * @param runs the set under each encoding
   * @param sgd record by record without privacy, at the best rate in hindsight: with bounds
   * @param sgdNoBounds the same without bounds
   */
  private record Known(
      QualitySet set,
      Map<NumberEncoding, QualityRun> runs,
      double baseRate,
      double sgd,
      double sgdNoBounds) {}

  /**
   * One level of noise.
   *
   * @param plan of the defaults
   * @param losses mean losses of each encoding
   * @param rate the best of the grid, with the encoding of the defaults
   * @param best its mean loss
   */
  record Row(
      Known known,
      double epsilon,
      Plan plan,
      Map<NumberEncoding, Double> losses,
      double rate,
      double best) {}

  @Override
  public String name() {
    return "defaults";
  }

  @Override
  public String question() {
    return "What does a configuration learn that states features, label and budget alone?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Row> rows = new ArrayList<>();
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (QualitySet set : trials.choose(List.of(QualitySet.values()), List.of(QualitySet.SEA))) {
      List<Row> levels = levels(trials, set, EPSILONS);
      if (DRAWN.contains(set)) {
        charts.put(set.label, chart(levels));
      }
      rows.addAll(levels);
    }
    return new Outcome(table(rows), table(rows), charts);
  }

  /** A set at some levels of noise. */
  static List<Row> levels(Trials trials, QualitySet set, List<Double> epsilons) throws IOException {
    Map<NumberEncoding, QualityRun> runs = new EnumMap<>(NumberEncoding.class);
    for (NumberEncoding each : NumberEncoding.values()) {
      runs.put(each, each.run(set, trials.data()));
    }
    Known known = new Known(
        set,
        runs,
        set.baseRate(trials.data()),
        sgd(runs.get(NumberEncoding.DEFAULTS)),
        sgd(runs.get(NumberEncoding.NO_BOUNDS)));
    List<Row> levels = new ArrayList<>();
    for (double epsilon : epsilons) {
      levels.add(level(trials, known, epsilon));
    }
    return levels;
  }

  private static double sgd(QualityRun run) {
    Plan plan = run.plan(OPEN);
    return isTooLong(plan) ? Double.NaN : run.bestRate(plan, SGD_RATES)[1];
  }

  private static boolean isTooLong(Plan plan) {
    return plan.batch() == 1 && plan.dimension() > MOST_WEIGHTS;
  }

  private static Object measured(double figure) {
    return Double.isNaN(figure) ? "-" : figure;
  }

  static ResultTable table(List<Row> rows) {
    Columns<Row> columns = new Columns<Row>()
        .add("set", row -> row.known().set().label)
        .add("records", row -> row.known().runs().get(NumberEncoding.DEFAULTS).count())
        .add("weights", row -> row.plan().dimension())
        .add("epsilon", Row::epsilon)
        .add("round", row -> row.plan().batch());
    for (NumberEncoding each : NumberEncoding.values()) {
      columns.add(each.label, row -> measured(row.losses().get(each)));
    }
    return columns
        .add("best rate in hindsight", Row::best)
        .add("that rate", Row::rate)
        .add("base rate", row -> row.known().baseRate())
        .add("SGD without privacy", row -> row.known().sgd())
        .add("SGD without bounds", row -> measured(row.known().sgdNoBounds()))
        .of(rows);
  }

  private static Row level(Trials trials, Known known, double epsilon) {
    Map<NumberEncoding, Double> losses = new EnumMap<>(NumberEncoding.class);
    known.runs().forEach((encoding, run) -> {
      int seeds = encoding == NumberEncoding.NO_BOUNDS ? SEEDS_NO_BOUNDS : SEEDS;
      losses.put(encoding, loss(trials, known, epsilon, run, plan(run, epsilon), seeds));
    });
    QualityRun run = known.runs().get(NumberEncoding.DEFAULTS);
    Plan plan = plan(run, epsilon);
    double rate = run.bestRate(plan, RATES)[0];
    double best = loss(trials, known, epsilon, run, QualityRun.constant(plan, rate), SEEDS);
    return new Row(known, epsilon, plan, losses, rate, best);
  }

  /** With the noise that {@code learn} takes for a file of as many records. */
  private static Plan plan(QualityRun run, double epsilon) {
    return epsilon == OPEN ? run.plan(OPEN) : run.ofFile(run.count(), epsilon);
  }

  private static double loss(
      Trials trials, Known known, double epsilon, QualityRun run, Plan plan, int seeds) {
    if (isTooLong(plan)) {
      return Double.NaN;
    }
    return trials
        .run(
            known.set().label + ", epsilon " + epsilon,
            List.of(plan),
            epsilon == OPEN ? 1 : trials.choose(seeds, 1),
            (each, seed) -> run.losses(each, 1 + seed))
        .get(0)
        .mean(0);
  }

  private static Chart chart(List<Row> levels) {
    Known known = levels.get(0).known();
    List<Row> noisy = levels.subList(0, levels.size() - 1);
    Chart chart = new Chart(
            known.set().label + ": progressive loss, one pass",
            "epsilon at delta 1e-6, record level",
            true,
            "mean loss",
            false)
        .ofMany();
    double last = noisy.get(noisy.size() - 1).epsilon();
    chart.level("base rate", noisy.get(0).epsilon(), last, known.baseRate());
    chart.level("SGD without privacy", noisy.get(0).epsilon(), last, known.sgd());
    LINES.forEach((name, loss) -> chart.line(name, noisy, Row::epsilon, loss));
    return chart;
  }
}
