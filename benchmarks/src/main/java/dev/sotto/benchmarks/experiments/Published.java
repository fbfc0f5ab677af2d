package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The defaults where others have published what they learn, with their epsilon, delta and split:
 * one pass, and the version after its last whole round.
 */
final class Published implements Experiment {
  private static final double OPEN = Double.POSITIVE_INFINITY; // epsilon without noise
  private static final double TRAINED = 0.7; // of the rows of a split
  private static final int SEEDS = 5; // of noise, and of the split where there is one
  private static final int ACCURACY = 1; // among the figures of scores
  private static final int AUC = 2;

  /** What is learned, and what is measured of it. */
  enum Task {
    A9A_TEST("a9a on a9a.t", "accuracy"),
    A9A("a9a 70/30", "AUC"),
    BANK("bank with duration 70/30", "AUC"),
    ELEC2("elec2 progressive", "accuracy");

    final String label;
    final String figure;

    Task(String label, String figure) {
      this.label = label;
      this.figure = figure;
    }

    List<Double> epsilons() {
      return switch (this) {
        case A9A_TEST -> List.of(0.5, 1.0, 2.0, 4.0, 8.0);
        case A9A, BANK -> List.of(1.0);
        case ELEC2 -> List.of(1.0, 4.0, OPEN);
      };
    }

    /** At 1 / n that of all rows, those of the test included. */
    double delta(int rows) {
      return switch (this) {
        case A9A_TEST -> 1e-5;
        case A9A, BANK -> 1.0 / rows;
        case ELEC2 -> 1e-6;
      };
    }

    private List<String> settings(Path folder) throws IOException {
      return switch (this) {
        case A9A_TEST, A9A -> QualitySet.A9A.settings(folder);
        case BANK -> withDuration(QualitySet.BANK.settings(folder));
        case ELEC2 -> QualitySet.ELEC2.settings(folder);
      };
    }

    /** A call lasts an hour at most. */
    private static List<String> withDuration(List<String> bank) {
      List<String> settings = new ArrayList<>(bank);
      settings.add("features.numeric.duration.field=duration");
      settings.add("features.numeric.duration.min=0");
      settings.add("features.numeric.duration.max=3600");
      settings.add("features.numeric.duration.transform=log1p");
      return settings;
    }

    private List<byte[]> events(Path folder) throws IOException {
      return switch (this) {
        case A9A_TEST -> {
          List<byte[]> events = new ArrayList<>(QualitySet.A9A.events(folder));
          events.addAll(QualitySet.named(folder.resolve("a9a.t.libsvm.gz")));
          yield events;
        }
        case A9A -> QualitySet.A9A.events(folder);
        case BANK -> QualitySet.BANK.events(folder);
        case ELEC2 -> QualitySet.ELEC2.events(folder);
      };
    }

    /** Whether some rows of a set are learned from, and the others tested on. */
    boolean isSplit() {
      return this == A9A || this == BANK;
    }

    QualityRun run(Path folder, NumberEncoding encoding) throws IOException {
      return new QualityRun(label, encoding.of(settings(folder)), events(folder));
    }
  }

  /**
   * One way to learn a task.
   *
   * @param train how many rows come before those of the test, where they are in one stream
   */
  record Case(
      Task task, NumberEncoding encoding, QualityRun run, int train, double epsilon, Plan plan) {
    /** All figures of its scores. */
    double[] scores(long seed) {
      return switch (task) {
        case A9A_TEST ->
          ofTest(new StreamPart(run, 0, train), new StreamPart(run, train, run.count()), seed);
        case A9A, BANK -> {
          List<Rows> parts = Rows.split(run, TRAINED, seed);
          yield ofTest(parts.get(0), parts.get(1), seed);
        }
        case ELEC2 -> progressive(seed);
      };
    }

    private double[] ofTest(ExampleStream learned, ExampleStream test, long seed) {
      LearningPass.Learned model = LearningPass.learned(plan, learned, seed);
      BinaryScores scores = new BinaryScores(test.count());
      Example example = new Example(test.dimension());
      for (int i = 0; i < test.count(); i++) {
        example.clear();
        test.read(i, example);
        scores.add(model.score(example), example.label());
      }
      return scores.all();
    }

    private double[] progressive(long seed) {
      BinaryScores scores = new BinaryScores(run.count());
      LearningPass.weights(
          plan,
          run,
          seed,
          (place, example, published) -> scores.add(example.dot(published), example.label()));
      return scores.all();
    }
  }

  @Override
  public String name() {
    return "published";
  }

  @Override
  public String question() {
    return "What do the defaults learn where others have published figures?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    for (Task task : trials.choose(List.of(Task.values()), List.of(Task.ELEC2))) {
      for (NumberEncoding encoding : NumberEncoding.values()) {
        all.addAll(measured(trials, task, encoding));
      }
    }
    return Outcome.of(table(all));
  }

  /** A task under one encoding of its numbers, at every epsilon. */
  static List<Measured<Case>> measured(Trials trials, Task task, NumberEncoding encoding)
      throws IOException {
    return trials.run(
        task.label + ", " + encoding.label,
        cases(task, encoding, trials.data()),
        trials.choose(SEEDS, 1),
        (each, repetition) -> each.scores(1 + repetition));
  }

  static ResultTable table(List<Measured<Case>> all) {
    return new Columns<Measured<Case>>()
        .add("task", each -> each.of().task().label)
        .add("numbers", each -> each.of().encoding().label)
        .add("epsilon", each -> each.of().epsilon())
        .add("delta", each -> each.of().plan().budget().delta())
        .add("round", each -> each.of().plan().batch())
        .add("noise", each -> each.of().plan().mechanism().set())
        .add(
            "window",
            each -> each.of().plan().ranges().rounds() * each.of().plan().batch())
        .add("figure", each -> each.of().task().figure)
        .add("mean", each -> each.mean(figure(each)))
        .add("least", each -> each.min(figure(each)))
        .add("largest", each -> each.max(figure(each)))
        .add("runs", each -> each.runs().size())
        .of(all);
  }

  private static int figure(Measured<Case> of) {
    return of.of().task().figure.equals("AUC") ? AUC : ACCURACY;
  }

  private static List<Case> cases(Task task, NumberEncoding encoding, Path folder)
      throws IOException {
    QualityRun run = task.run(folder, encoding);
    int train = task == Task.A9A_TEST ? QualitySet.A9A.events(folder).size() : run.count();
    long learned = task.isSplit() ? (long) (TRAINED * train) : train;
    List<Case> cases = new ArrayList<>();
    for (double epsilon : task.epsilons()) {
      String delta = "privacy.delta=" + task.delta(run.count());
      Plan plan = epsilon == OPEN ? run.plan(epsilon, delta) : run.ofFile(learned, epsilon, delta);
      cases.add(new Case(
          task,
          encoding,
          run,
          train,
          epsilon,
          plan.toBuilder().versions(VersionSchedule.EVERY_ROUND).build()));
    }
    return cases;
  }
}
