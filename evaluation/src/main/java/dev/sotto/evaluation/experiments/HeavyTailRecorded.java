package dev.sotto.evaluation.experiments;

import dev.sotto.evaluation.text.ResultTable;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Recorded sets through a configuration: delays of flights in minutes without a range of labels, and
 * what defaults learn of two binary labels, beside FTRL at the same guarantee.
 */
final class HeavyTailRecorded implements Experiment {
  private static final double[] EPSILONS = {1, 4};
  private static final int SEEDS = 2;
  /** The range of labels that the learners with one are given, in minutes. */
  private static final double LOW = -60;

  private static final double HIGH = 180;

  /** The clip and the diameter are what somebody may know who has seen no record. */
  private static final List<String> MINUTES =
      List.of("loss=squared", "algorithm=clipped-ac-sa", "clip.norm=60", "heavy.diameter=1000");

  private static final List<String> MEDIANS =
      List.of("loss=absolute", "algorithm=localized-erm", "heavy.diameter=1000");

  private static final List<String> FTRL_MINUTES = List.of(
      "loss=squared",
      "clip.norm=60",
      "ftrl.steps=decreasing",
      "ftrl.diameter=500",
      "batch.size=256");

  private static final String[] ALGORITHMS = {"clipped-ac-sa", "clipped-sgd", "prox-clipped-sgd"};

  private final ResultTable table = new ResultTable(
      "set",
      "epsilon",
      "algorithm",
      "slots of a round or block",
      "queries of a block",
      "log-loss or mean absolute error",
      "root mean square error");
  private int seeds;

  @Override
  public String name() {
    return "heavy-tails-recorded";
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          name() + ": skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(table, table, Map.of());
    }
    seeds = quick ? 1 : SEEDS;
    double[] epsilons = quick ? new double[] {4} : EPSILONS;
    for (QualitySet set : new QualitySet[] {QualitySet.A9A, QualitySet.YEAR_B}) {
      QualityRun run = new QualityRun(set, folder.get(), List.of());
      ExampleStream stream = set == QualitySet.A9A ? new Repeated(run, 8) : run;
      for (double epsilon : epsilons) {
        defaults(set.label, epsilon, run, stream);
      }
    }
    delays(folder.get(), epsilons);
    return new Outcome(table, table, Map.of());
  }

  /** The same rows several times, each as a record of its own, in another order every time. */
  private record Repeated(ExampleStream of, int times) implements ExampleStream {
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

  private void defaults(String set, double epsilon, QualityRun run, ExampleStream stream) {
    Scale none = new Scale(stream, 1, 0);
    add(set, epsilon, "private-ftrl", run.plan(epsilon), stream, none);
    for (String algorithm : ALGORITHMS) {
      add(set, epsilon, algorithm, run.plan(epsilon, "algorithm=" + algorithm), stream, none);
    }
    add(set, epsilon, "localized-erm", run.plan(epsilon, "algorithm=localized-erm"), stream, none);
  }

  private void delays(Path folder, double[] epsilons) throws IOException {
    QualitySet set = QualitySet.YEAR_R;
    List<byte[]> events = set.events(folder);
    List<String> ranged = set.settings(folder);
    List<String> free = new ArrayList<>(ranged);
    free.removeIf(each -> each.startsWith("label.m") || each.startsWith("loss="));
    QualityRun cut = new QualityRun("delays", ranged, events);
    QualityRun unbounded = run(events, free, FTRL_MINUTES);
    QualityRun squares = run(events, free, MINUTES);
    QualityRun absolute = run(events, free, MEDIANS);
    Scale minutes = new Scale(squares, 1, 0);
    Scale range = new Scale(squares, HIGH - LOW, LOW);
    for (double epsilon : epsilons) {
      add("delays", epsilon, "private-ftrl (a range of labels)", cut.plan(epsilon), cut, range);
      add("delays", epsilon, "private-ftrl (no range)", unbounded.plan(epsilon), squares, minutes);
      for (String algorithm : ALGORITHMS) {
        Plan plan = squares.plan(epsilon, "algorithm=" + algorithm);
        add("delays", epsilon, algorithm, plan, squares, minutes);
      }
      Plan small = squares.plan(epsilon, "block.slots=16384");
      add("delays", epsilon, ALGORITHMS[0] + " (smaller blocks)", small, squares, minutes);
      ExampleStream mixed = new Repeated(squares, 1);
      Scale others = new Scale(mixed, 1, 0);
      add("delays", epsilon, ALGORITHMS[0] + " (smaller blocks; shuffled)", small, mixed, others);
      String medians = "localized-erm (absolute loss)";
      add("delays", epsilon, medians, absolute.plan(epsilon), absolute, minutes);
    }
    double[] sums = new double[2];
    Example raw = new Example(squares.dimension());
    for (int i = squares.count() / 2; i < squares.count(); i++) {
      squares.read(i, raw);
      sums[0] += Math.abs(raw.label());
      sums[1] += raw.label() * raw.label();
    }
    double count = squares.count() - squares.count() / 2;
    table.add("delays", 0, "no delay predicted", 0, 0, sums[0] / count, Math.sqrt(sums[1] / count));
  }

  private static QualityRun run(List<byte[]> events, List<String> plain, List<String> more) {
    return new QualityRun("delays", Stream.concat(plain.stream(), more.stream()).toList(), events);
  }

  /**
   * How predictions are read.
   *
   * @param raw the same stream with labels as they are
   * @param unit by which a score is multiplied
   * @param origin what is added
   */
  private record Scale(ExampleStream raw, double unit, double origin) {}

  /** Errors of the later half, under the weights of the last version before each record. */
  private void add(
      String set, double epsilon, String name, Plan plan, ExampleStream stream, Scale scale) {
    int half = stream.count() / 2;
    boolean regression = set.equals("delays");
    Objective.Pass pass = plan.objective().pass();
    Example raw = new Example(scale.raw().dimension());
    double[] sums = new double[2];
    for (int seed = 1; seed <= seeds; seed++) {
      LearningPass.weights(plan, stream, seed, (place, example, weights) -> {
        if (place < half) {
          return;
        }
        if (regression) {
          scale.raw().read(place, raw);
          double error = scale.origin() + scale.unit() * example.dot(weights) - raw.label();
          sums[0] += Math.abs(error);
          sums[1] += error * error;
        } else {
          pass.forward(example, weights);
          sums[0] += pass.value(example.label());
        }
      });
    }
    double count = (stream.count() - half) * (double) seeds;
    QuerySchedule queries = plan.block();
    table.add(
        set,
        epsilon,
        name,
        plan.batch(),
        queries.queries(),
        sums[0] / count,
        Math.sqrt(sums[1] / count));
    System.err.println(name() + ": " + set + " " + epsilon + " " + name + " " + plan.batch() + " "
        + sums[0] / count + " " + Math.sqrt(sums[1] / count));
  }
}
