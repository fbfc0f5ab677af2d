package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.LaterHalf.Scale;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Recorded sets through a configuration: delays of flights in minutes without a range of labels,
 * and what defaults learn of two binary labels, beside FTRL at the same guarantee.
 */
final class HeavyTailRecorded implements Experiment {
  private static final List<Double> EPSILONS = List.of(1.0, 4.0);
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

  private static final List<String> ALGORITHMS =
      List.of("clipped-ac-sa", "clipped-sgd", "prox-clipped-sgd");

  /**
   * A plan on a set.
   *
   * @param plan null where nothing is learned
   * @param scale of labels that are numbers; null where they are classes
   */
  private record Case(
      String set, double epsilon, String name, Plan plan, ExampleStream stream, Scale scale) {
    double[] measured(int seed) {
      if (plan == null) {
        return LaterHalf.ofNothing(stream);
      }
      return scale == null
          ? LaterHalf.loss(plan, stream, 1 + seed)
          : LaterHalf.errors(plan, stream, scale, 1 + seed);
    }

    long slots() {
      return plan == null ? 0 : plan.batch();
    }

    long queries() {
      return plan == null ? 0 : plan.block().queries();
    }
  }

  @Override
  public String name() {
    return "heavy-tails-recorded";
  }

  @Override
  public String question() {
    return "Algorithms for heavy tails on recorded sets, beside FTRL";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Case> cases = new ArrayList<>();
    List<Double> epsilons = trials.choose(EPSILONS, List.of(4.0));
    for (QualitySet set : List.of(QualitySet.A9A, QualitySet.YEAR_B)) {
      QualityRun run = new QualityRun(set, trials.data(), List.of());
      ExampleStream stream = set == QualitySet.A9A ? new Repeated(run, 8) : run;
      epsilons.forEach(epsilon -> cases.addAll(classes(set.label, epsilon, run, stream)));
    }
    cases.addAll(delays(trials, epsilons));
    List<Measured<Case>> all =
        trials.run("sets", cases, trials.choose(2, 1), (each, seed) -> each.measured(seed));
    return Outcome.of(new Columns<Measured<Case>>()
        .add("set", each -> each.of().set())
        .add("epsilon", each -> each.of().epsilon())
        .add("algorithm", each -> each.of().name())
        .add("slots of a round or block", each -> each.of().slots())
        .add("queries of a block", each -> each.of().queries())
        .add("log-loss or mean absolute error", each -> each.mean(0))
        .add("root mean square error", each -> Math.sqrt(each.mean(1)))
        .of(all));
  }

  private static List<Case> classes(
      String set, double epsilon, QualityRun run, ExampleStream stream) {
    List<Case> cases = new ArrayList<>();
    cases.add(new Case(set, epsilon, "private-ftrl", run.plan(epsilon), stream, null));
    Stream.concat(ALGORITHMS.stream(), Stream.of("localized-erm"))
        .map(name ->
            new Case(set, epsilon, name, run.plan(epsilon, "algorithm=" + name), stream, null))
        .forEach(cases::add);
    return cases;
  }

  private static List<Case> delays(Trials trials, List<Double> epsilons) throws IOException {
    QualitySet set = QualitySet.YEAR_R;
    List<byte[]> events = set.events(trials.data());
    List<String> ranged = set.settings(trials.data());
    List<String> free = new ArrayList<>(ranged);
    free.removeIf(each -> each.startsWith("label.m") || each.startsWith("loss="));
    QualityRun cut = new QualityRun("delays", ranged, events);
    QualityRun unbounded = run(events, free, FTRL_MINUTES);
    QualityRun squares = run(events, free, MINUTES);
    QualityRun absolute = run(events, free, MEDIANS);
    ExampleStream mixed = new Repeated(squares, 1);
    Scale minutes = new Scale(squares, 1, 0);
    Scale range = new Scale(squares, HIGH - LOW, LOW);
    String first = ALGORITHMS.get(0);
    List<Case> cases = new ArrayList<>();
    for (double epsilon : epsilons) {
      cases.add(delay(epsilon, "private-ftrl (a range of labels)", cut.plan(epsilon), cut, range));
      Plan open = unbounded.plan(epsilon);
      cases.add(delay(epsilon, "private-ftrl (no range)", open, squares, minutes));
      for (String algorithm : ALGORITHMS) {
        Plan plan = squares.plan(epsilon, "algorithm=" + algorithm);
        cases.add(delay(epsilon, algorithm, plan, squares, minutes));
      }
      Plan small = squares.plan(epsilon, "block.slots=16384");
      cases.add(delay(epsilon, first + " (smaller blocks)", small, squares, minutes));
      Scale others = new Scale(mixed, 1, 0);
      cases.add(delay(epsilon, first + " (smaller blocks; shuffled)", small, mixed, others));
      Plan medians = absolute.plan(epsilon);
      cases.add(delay(epsilon, "localized-erm (absolute loss)", medians, absolute, minutes));
    }
    cases.add(delay(0, "no delay predicted", null, squares, minutes));
    return cases;
  }

  private static Case delay(
      double epsilon, String name, Plan plan, ExampleStream stream, Scale scale) {
    return new Case("delays", epsilon, name, plan, stream, scale);
  }

  private static QualityRun run(List<byte[]> events, List<String> plain, List<String> more) {
    return new QualityRun("delays", Stream.concat(plain.stream(), more.stream()).toList(), events);
  }
}
