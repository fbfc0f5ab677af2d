package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Recorded sets through configurations with {@code heavy.clip} rule and quantile: delays of flights in
 * minutes without a range of labels, under first clips of different sizes, and binary labels, where
 * the loss bounds gradients.
 */
final class HeavyTailClipsRecorded implements Experiment {
  private static final double[] EPSILONS = {0.5, 1, 4};
  private static final int SEEDS = 2;
  private static final String[] RULES = {"rule", "quantile"};

  private final ResultTable table = new ResultTable(
      "set",
      "epsilon",
      "algorithm",
      "settings",
      "heavy.clip",
      "blocks",
      "root mean square error or log-loss");
  private boolean quick;

  @Override
  public String name() {
    return "heavy-tails-clips-recorded";
  }

  @Override
  public Outcome run(boolean fast) throws IOException {
    quick = fast;
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          name() + ": skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(table, table, Map.of());
    }
    delays(folder.get());
    binary(QualitySet.A9A, folder.get(), 4);
    binary(QualitySet.YEAR_B, folder.get(), 1);
    return new Outcome(table, table, Map.of());
  }

  private void delays(Path folder) throws IOException {
    QualitySet set = QualitySet.YEAR_R;
    List<String> free = new ArrayList<>(set.settings(folder));
    free.removeIf(each -> each.startsWith("label.m") || each.startsWith("loss="));
    free.add("loss=squared");
    free.addAll(List.of("algorithm=clipped-ac-sa", "clip.norm=60", "heavy.diameter=1000"));
    QualityRun run = new QualityRun("delays", free, set.events(folder));
    ExampleStream mixed = new Mixed(run, 1);
    for (String first : new String[] {"clip.norm=60", "clip.norm=600", "clip.norm=6"}) {
      compare("delays", "clipped-ac-sa", run, mixed, first, "block.slots=16384");
    }
    compare("delays", "clipped-ac-sa", run, run, "clip.norm=60", "block.slots=65536");
    compare("delays", "prox-clipped-sgd", run, mixed, "clip.norm=60", "block.slots=16384");
  }

  private void binary(QualitySet set, Path folder, int times) throws IOException {
    QualityRun run = new QualityRun(set, folder, List.of());
    ExampleStream mixed = new Mixed(run, times);
    compare(set.label, "clipped-ac-sa", run, mixed, "block.slots=16384");
    compare(set.label, "prox-clipped-sgd", run, mixed, "block.slots=16384");
  }

  /** The same rows several times, each as a record of its own, in another order. */
  private record Mixed(ExampleStream of, int times) implements ExampleStream {
    @Override
    public int count() {
      return times * of.count();
    }

    @Override
    public int dimension() {
      return of.dimension();
    }

    @Override
    public void read(int place, Example into) {
      of.read((int) (place * 7919L % of.count()), into);
    }
  }

  private void compare(
      String set, String algorithm, QualityRun run, ExampleStream stream, String... settings) {
    for (double epsilon : quick ? new double[] {1} : EPSILONS) {
      for (String rule : RULES) {
        List<String> all = new ArrayList<>(List.of(settings));
        all.add("algorithm=" + algorithm);
        all.add("heavy.clip=" + rule);
        Plan plan = run.plan(epsilon, all.toArray(String[]::new));
        double error = error(plan, stream, set.equals("delays"));
        table.add(
            set,
            epsilon,
            algorithm,
            String.join(" ", settings) + (stream == run ? "" : " mixed"),
            rule,
            stream.count() / plan.batch(),
            error);
        System.err.println(name() + ": " + set + " " + epsilon + " " + algorithm + " "
            + String.join(" ", settings) + (stream == run ? "" : " mixed") + " " + rule + " "
            + error);
      }
    }
  }

  /** Of the later half of the records, each under the last version before it. */
  private double error(Plan plan, ExampleStream stream, boolean squares) {
    int half = stream.count() / 2;
    int seeds = quick ? 1 : SEEDS;
    Objective.Pass pass = plan.objective().pass();
    double[] sum = new double[1];
    for (int seed = 1; seed <= seeds; seed++) {
      LearningPass.weights(plan, stream, seed, (place, example, weights) -> {
        if (place >= half) {
          pass.forward(example, weights);
          double residual = example.dot(weights) - example.label();
          sum[0] += squares ? residual * residual : pass.value(example.label());
        }
      });
    }
    double mean = sum[0] / (stream.count() - half) / seeds;
    return squares ? Math.sqrt(mean) : mean;
  }
}
