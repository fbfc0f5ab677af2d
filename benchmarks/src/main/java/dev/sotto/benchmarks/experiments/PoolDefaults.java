package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * What rounds, points and pull of {@code resque} learn from one block of recorded sets through a
 * configuration, beside other algorithms on the same records: how the defaults were chosen, and
 * three sets that had no part in it.
 */
final class PoolDefaults implements Experiment {
  private static final int SLOTS = 8192;

  /** Records behind the block, on which its model is measured. */
  private static final int TESTED = 8192;

  private static final double[] EPSILONS = {1, 4};

  private static final List<QualitySet> CHOSEN_ON = List.of(
      QualitySet.BANK,
      QualitySet.A9A,
      QualitySet.ELEC2,
      QualitySet.COVTYPE,
      QualitySet.BIKE,
      QualitySet.FASHION);

  private static final List<QualitySet> HELD_BACK =
      List.of(QualitySet.HOUSING, QualitySet.INCIDENTS, QualitySet.SEA);

  /** Rounds, points, pull. */
  private static final double[][] SHAPES = {
    {8, 32, 0.05},
    {16, 16, 0.25},
    {16, 16, 0.05},
    {16, 16, 0.025},
    {32, 8, 0.25},
    {32, 8, 0.05},
    {32, 8, 0.025},
    {32, 8, 0.005},
    {32, 16, 0.025},
    {64, 4, 0.025}
  };

  private final ResultTable table =
      new ResultTable("set", "part", "epsilon", "algorithm", "settings", "loss");

  @Override
  public String name() {
    return "resque-defaults";
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          name() + ": skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(table, table, Map.of());
    }
    for (QualitySet set : quick ? List.of(QualitySet.ELEC2) : CHOSEN_ON) {
      measure(set, "chosen on", folder.get(), SHAPES);
    }
    for (QualitySet set : quick ? List.<QualitySet>of() : HELD_BACK) {
      measure(set, "held back", folder.get(), new double[][] {SHAPES[1], SHAPES[6]});
    }
    return new Outcome(table, table, Map.of());
  }

  private void measure(QualitySet set, String part, Path folder, double[][] shapes)
      throws IOException {
    QualityRun run = new QualityRun(set, folder, List.of());
    for (double epsilon : EPSILONS) {
      add(set, part, epsilon, "private-ftrl", "its defaults", run, run.plan(epsilon));
      Plan acSa = run.plan(epsilon, "algorithm=clipped-ac-sa", "block.slots=" + SLOTS);
      add(set, part, epsilon, "clipped-ac-sa", "its defaults", run, acSa);
      if (!set.loss.equals("softmax")) {
        Plan pass =
            run.plan(epsilon, "algorithm=resque", "block.slots=" + SLOTS, "resque.form=one-pass");
        add(set, part, epsilon, "resque", "one-pass", run, pass);
      }
      for (double[] shape : shapes) {
        String settings = (int) shape[0] + " x " + (int) shape[1] + ", pull " + shape[2];
        add(set, part, epsilon, "resque", settings, run, plan(run, epsilon, shape));
      }
    }
  }

  private static Plan plan(QualityRun run, double epsilon, double[] shape) {
    return run.plan(
        epsilon,
        "algorithm=resque",
        "resque.form=pool",
        "block.slots=" + SLOTS,
        "resque.rounds=" + (int) shape[0],
        "resque.points=" + (int) shape[1],
        "resque.pull=" + shape[2]);
  }

  private void add(
      QualitySet set,
      String part,
      double epsilon,
      String algorithm,
      String settings,
      QualityRun run,
      Plan plan) {
    double[] weights = LearningPass.weights(plan, new StreamPart(run, 0, SLOTS), 1);
    double loss = loss(plan.objective(), new StreamPart(run, SLOTS, TESTED), weights);
    table.add(set.label, part, epsilon, algorithm, settings, loss);
    System.err.printf(
        Locale.ROOT,
        "resque-defaults: %s %s %s %s %.4f%n",
        set.label,
        epsilon,
        algorithm,
        settings,
        loss);
  }

  /** The mean loss of a stream. */
  static double loss(Objective objective, ExampleStream stream, double[] weights) {
    Objective.Pass pass = objective.pass();
    Example example = new Example(stream.dimension());
    double sum = 0;
    for (int i = 0; i < stream.count(); i++) {
      example.clear();
      stream.read(i, example);
      pass.forward(example, weights);
      sum += pass.value(example.label());
    }
    return sum / stream.count();
  }
}
