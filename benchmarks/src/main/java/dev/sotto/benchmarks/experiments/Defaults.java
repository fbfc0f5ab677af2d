package dev.sotto.benchmarks.experiments;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * What a configuration of features, label and budget learns on recorded sets, beside rates chosen in
 * hindsight, the steps of theorems, the other algorithm, and learners without privacy.
 */
final class Defaults implements Experiment {
  static final double[] EPSILONS = {0.25, 1, 4, 16, Double.POSITIVE_INFINITY};
  private static final double[] RATES = {0.001, 0.003, 0.01, 0.03, 0.1, 0.3};
  private static final int SEEDS = 5;

  /** Mean losses of each contender. */
  private record Losses(double defaults, double best, double theorem, double srgd) {}

  /**
   * One level of noise.
   *
   * @param rate the best of the grid
   */
  private record Level(double epsilon, Plan plan, double rate, Losses losses) {}

  @Override
  public String name() {
    return "defaults";
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    ResultTable summary = new ResultTable(
        "set",
        "records",
        "weights",
        "epsilon",
        "round",
        "defaults",
        "best rate in hindsight",
        "that rate",
        "theorem's steps",
        "DP-SRGD",
        "base rate",
        "SGD without privacy");
    Map<String, Chart> charts = new LinkedHashMap<>();
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          "defaults: skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(summary, summary, charts);
    }
    for (QualitySet set : quick ? new QualitySet[] {QualitySet.SEA} : QualitySet.values()) {
      System.err.println("defaults: " + set.label);
      QualityRun run = new QualityRun(set, folder.get(), List.of());
      List<Level> levels = Arrays.stream(EPSILONS)
          .mapToObj(epsilon -> level(run, epsilon, quick ? 1 : SEEDS))
          .toList();
      JsonNode reference = set.reference(folder.get());
      double base = set.loss.equals("squared")
          ? reference.get("running_mean_mse").asDouble() / 2
          : reference.get("running_prior_logloss").asDouble();
      double sgd = set.loss.equals("squared")
          ? reference.get("sgd").get("mse").asDouble() / 2
          : reference.get("sgd").get("logloss").asDouble();
      levels.forEach(each -> summary.add(
          set.label,
          run.count(),
          each.plan().dimension(),
          each.epsilon(),
          each.plan().batch(),
          each.losses().defaults(),
          each.losses().best(),
          each.rate(),
          each.losses().theorem(),
          each.losses().srgd(),
          base,
          sgd));
      charts.put(set.label, chart(set, levels, base, sgd));
    }
    return new Outcome(summary, summary, charts);
  }

  private static Level level(QualityRun run, double epsilon, int repetitions) {
    int seeds = epsilon == Double.POSITIVE_INFINITY ? 1 : repetitions;
    Plan plan = run.plan(epsilon);
    double rate = Arrays.stream(RATES)
        .boxed()
        .parallel()
        .map(each -> new double[] {each, run.progressive(constant(plan, each), 1)})
        .min((a, b) -> Double.compare(a[1], b[1]))
        .orElseThrow()[0];
    return new Level(
        epsilon,
        plan,
        rate,
        new Losses(
            mean(run, plan, seeds),
            mean(run, constant(plan, rate), seeds),
            mean(run, run.plan(epsilon, "ftrl.steps=decreasing"), Math.min(2, seeds)),
            mean(run, run.plan(epsilon, "algorithm=accelerated-dp-srgd"), Math.min(2, seeds))));
  }

  /** The same plan at one rate for each record. */
  private static Plan constant(Plan plan, double rate) {
    PrivateFtrl ftrl = (PrivateFtrl) plan.optimizer();
    StepSize steps = new StepSize.Fixed(rate * plan.batch(), 1);
    return plan.toBuilder().optimizer(new PrivateFtrl(ftrl.potential(), steps)).build();
  }

  private static double mean(QualityRun run, Plan plan, int seeds) {
    return IntStream.rangeClosed(1, seeds)
        .parallel()
        .mapToDouble(seed -> run.progressive(plan, seed))
        .average()
        .orElseThrow();
  }

  private static Chart chart(QualitySet set, List<Level> levels, double base, double sgd) {
    List<Level> noisy = levels.subList(0, levels.size() - 1);
    double[] epsilons = noisy.stream().mapToDouble(Level::epsilon).toArray();
    Chart chart = new Chart(
            set.label + ": progressive loss, one pass",
            "epsilon at delta 1e-6, record level",
            true,
            "mean loss",
            false)
        .ofMany();
    chart.level("base rate", epsilons[0], epsilons[epsilons.length - 1], base);
    chart.level("SGD without privacy", epsilons[0], epsilons[epsilons.length - 1], sgd);
    Map<String, ToDoubleFunction<Level>> lines = new LinkedHashMap<>();
    lines.put("theorem's steps", each -> each.losses().theorem());
    lines.put("DP-SRGD", each -> each.losses().srgd());
    lines.put("best rate in hindsight", each -> each.losses().best());
    lines.put("defaults", each -> each.losses().defaults());
    lines.forEach((name, loss) -> {
      double[] values = noisy.stream().mapToDouble(loss).toArray();
      chart.line(name, epsilons, values, values, values);
    });
    return chart;
  }
}
