package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * What a configuration of features, label and budget learns on recorded sets, beside rates chosen
 * in hindsight, the steps of theorems, the other algorithm, and learners without privacy.
 */
final class Defaults implements Experiment {
  private static final double OPEN = Double.POSITIVE_INFINITY; // epsilon without noise
  private static final double[] EPSILONS = {0.25, 1, 4, 16, OPEN};
  private static final double[] RATES = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
  private static final double[] SGD_RATES = {0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30};
  private static final int SEEDS = 5;

  /** The lines of a plot, by what a row says. */
  private static final Map<String, ToDoubleFunction<Row>> LINES = new LinkedHashMap<>();

  static {
    LINES.put("theorem's steps", row -> row.losses().theorem());
    LINES.put("DP-SRGD", row -> row.losses().srgd());
    LINES.put("best rate in hindsight", row -> row.losses().best());
    LINES.put("without hats", row -> row.losses().straight());
    LINES.put("defaults", row -> row.losses().defaults());
  }

  /**
   * A set with what is known about it.
   *
   * @param straight the same with numbers as straight lines
   * @param sgd record by record without privacy, at the best rate in hindsight
   */
  private record Known(
      QualitySet set, QualityRun run, QualityRun straight, double baseRate, double sgd) {}

  /** Mean losses of each contender. */
  private record Losses(
      double defaults, double straight, double best, double theorem, double srgd) {}

  /**
   * One level of noise.
   *
   * @param rate the best of the grid
   */
  private record Row(Known known, double epsilon, Plan plan, double rate, Losses losses) {}

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
      trials.say(set.label);
      QualityRun run = new QualityRun(set, trials.data(), List.of());
      Known known = new Known(
          set,
          run,
          new QualityRun(set, trials.data(), List.of("features.hats=0")),
          set.baseRate(trials.data()),
          run.bestRate(run.plan(OPEN), SGD_RATES)[1]);
      List<Row> levels = new ArrayList<>();
      for (double epsilon : EPSILONS) {
        levels.add(level(known, epsilon, epsilon == OPEN ? 1 : trials.choose(SEEDS, 1)));
      }
      charts.put(set.label, chart(known, levels.subList(0, levels.size() - 1)));
      rows.addAll(levels);
    }
    var table = new Columns<Row>()
        .add("set", row -> row.known().set().label)
        .add("records", row -> row.known().run().count())
        .add("weights", row -> row.plan().dimension())
        .add("epsilon", Row::epsilon)
        .add("round", row -> row.plan().batch())
        .add("defaults", row -> row.losses().defaults())
        .add("without hats", row -> row.losses().straight())
        .add("best rate in hindsight", row -> row.losses().best())
        .add("that rate", Row::rate)
        .add("theorem's steps", row -> row.losses().theorem())
        .add("DP-SRGD", row -> row.losses().srgd())
        .add("base rate", row -> row.known().baseRate())
        .add("SGD without privacy", row -> row.known().sgd())
        .of(rows);
    return new Outcome(table, table, charts);
  }

  private static Row level(Known known, double epsilon, int seeds) {
    QualityRun run = known.run();
    Plan plan = run.plan(epsilon);
    double rate = run.bestRate(plan, RATES)[0];
    int few = Math.min(2, seeds);
    Losses losses = new Losses(
        run.progressive(plan, seeds),
        known.straight().progressive(known.straight().plan(epsilon), few),
        run.progressive(QualityRun.constant(plan, rate), seeds),
        run.progressive(run.plan(epsilon, "ftrl.steps=decreasing"), few),
        run.progressive(run.plan(epsilon, "algorithm=accelerated-dp-srgd"), few));
    return new Row(known, epsilon, plan, rate, losses);
  }

  private static Chart chart(Known known, List<Row> noisy) {
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
