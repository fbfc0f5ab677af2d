package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * What defaults learn where rows are sparse and wide, and rounds so large that the worst curvature
 * holds the steps: beside steps that stay there, constant rates chosen in hindsight, and the
 * defaults of a narrow model.
 */
final class Wide implements Experiment {
  private static final double[] EPSILONS = {1, 4, 16};
  /** The one at which rounds of 5040 are tried too: the noise hardly matters to them. */
  private static final double LARGE_ROUNDS = 4;

  private static final double[] RATES = {0.003, 0.01, 0.03, 0.1};
  private static final int NARROW = 10;
  private static final int SEEDS = 2;

  @Override
  public String name() {
    return "wide";
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    ResultTable all = new ResultTable(
        "set",
        "bits",
        "epsilon",
        "round",
        "defaults",
        "worst curvature",
        "best rate in hindsight",
        "that rate",
        "defaults at 10 bits");
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println("wide: skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(all, all, Map.of());
    }
    for (WideSet set : quick ? new WideSet[] {WideSet.INCIDENTS} : WideSet.values()) {
      QualityRun narrow = set.run(folder.get(), NARROW);
      for (int bits : set == WideSet.INCIDENTS && !quick ? new int[] {16, 18} : new int[] {16}) {
        System.err.println("wide: " + set.label + ", " + bits + " bits");
        QualityRun run = set.run(folder.get(), bits);
        for (double epsilon : quick ? new double[] {4} : EPSILONS) {
          double of10 = mean(narrow, narrow.plan(epsilon), quick ? 1 : SEEDS);
          add(all, set, bits, epsilon, run, run.plan(epsilon), of10, quick ? 1 : SEEDS);
          if (epsilon == LARGE_ROUNDS && bits == 16) {
            Plan rounds = run.plan(epsilon, "batch.size=5040");
            add(all, set, bits, epsilon, run, rounds, of10, quick ? 1 : SEEDS);
          }
        }
        if (!quick && bits == 16) {
          double infinite = Double.POSITIVE_INFINITY;
          Plan rounds = run.plan(infinite, "batch.size=5040");
          double of10 = mean(narrow, narrow.plan(infinite), 1);
          add(all, set, bits, infinite, run, rounds, of10, 1);
        }
      }
    }
    return new Outcome(all, all, Map.of());
  }

  private static void add(
      ResultTable table,
      WideSet set,
      int bits,
      double epsilon,
      QualityRun run,
      Plan plan,
      double narrow,
      int seeds) {
    double[] best = Arrays.stream(RATES)
        .boxed()
        .parallel()
        .map(rate -> new double[] {rate, run.progressive(constant(plan, rate), 1)})
        .min((a, b) -> Double.compare(a[1], b[1]))
        .orElseThrow();
    table.add(
        set.label,
        bits,
        epsilon,
        plan.batch(),
        mean(run, plan, seeds),
        mean(run, held(plan), seeds),
        best[1],
        best[0],
        narrow);
  }

  /** The same plan at one rate for each record. */
  private static Plan constant(Plan plan, double rate) {
    return with(plan, new StepSize.Fixed(rate * plan.batch(), 1));
  }

  /** The same plan with steps that never exceed what the worst curvature allows. */
  private static Plan held(Plan plan) {
    StepSize.NoiseAware own = (StepSize.NoiseAware) ((PrivateFtrl) plan.optimizer()).steps();
    return with(
        plan,
        new StepSize.NoiseAware(
            own.mechanism(), own.sigma(), own.batch(), own.scale(), own.shrinks(), false));
  }

  private static Plan with(Plan plan, StepSize steps) {
    PrivateFtrl ftrl = (PrivateFtrl) plan.optimizer();
    return plan.toBuilder().optimizer(new PrivateFtrl(ftrl.potential(), steps)).build();
  }

  private static double mean(QualityRun run, Plan plan, int seeds) {
    return IntStream.rangeClosed(1, seeds)
        .parallel()
        .mapToDouble(seed -> run.progressive(plan, seed))
        .average()
        .orElseThrow();
  }
}
