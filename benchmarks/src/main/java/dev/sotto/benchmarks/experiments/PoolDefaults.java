package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

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

  private record Shape(int rounds, int points, double pull) {
    String described() {
      return rounds + " x " + points + ", pull " + pull;
    }

    String[] settings() {
      return new String[] {
        "algorithm=resque",
        "resque.form=pool",
        "block.slots=" + SLOTS,
        "resque.rounds=" + rounds,
        "resque.points=" + points,
        "resque.pull=" + pull
      };
    }
  }

  private static final List<Shape> SHAPES = List.of(
      new Shape(8, 32, 0.05),
      new Shape(16, 16, 0.25),
      new Shape(16, 16, 0.05),
      new Shape(16, 16, 0.025),
      new Shape(32, 8, 0.25),
      new Shape(32, 8, 0.05),
      new Shape(32, 8, 0.025),
      new Shape(32, 8, 0.005),
      new Shape(32, 16, 0.025),
      new Shape(64, 4, 0.025));

  /** One way to learn a block. */
  private record Case(
      QualitySet set, String part, double epsilon, String algorithm, String settings, Plan plan) {}

  @Override
  public String name() {
    return "resque-defaults";
  }

  @Override
  public String question() {
    return "With which rounds, points and pull do pools learn best from a block?";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    for (QualitySet set : trials.choose(CHOSEN_ON, List.of(QualitySet.ELEC2))) {
      all.addAll(measured(trials, set, "chosen on", SHAPES));
    }
    for (QualitySet set : trials.choose(HELD_BACK, List.<QualitySet>of())) {
      all.addAll(measured(trials, set, "held back", List.of(SHAPES.get(1), SHAPES.get(6))));
    }
    return Outcome.of(new Columns<Measured<Case>>()
        .add("set", each -> each.of().set().label)
        .add("part", each -> each.of().part())
        .add("epsilon", each -> each.of().epsilon())
        .add("algorithm", each -> each.of().algorithm())
        .add("settings", each -> each.of().settings())
        .add("loss", each -> each.mean(0))
        .of(all));
  }

  private static List<Measured<Case>> measured(
      Trials trials, QualitySet set, String part, List<Shape> shapes) throws IOException {
    QualityRun run = new QualityRun(set, trials.data(), List.of());
    ExampleStream block = new StreamPart(run, 0, SLOTS);
    ExampleStream behind = new StreamPart(run, SLOTS, TESTED);
    List<Case> cases = new ArrayList<>();
    for (double epsilon : EPSILONS) {
      cases.add(new Case(set, part, epsilon, "private-ftrl", "its defaults", run.plan(epsilon)));
      Plan acSa = run.plan(epsilon, "algorithm=clipped-ac-sa", "block.slots=" + SLOTS);
      cases.add(new Case(set, part, epsilon, "clipped-ac-sa", "its defaults", acSa));
      if (!set.loss.equals("softmax")) {
        Plan pass =
            run.plan(epsilon, "algorithm=resque", "block.slots=" + SLOTS, "resque.form=one-pass");
        cases.add(new Case(set, part, epsilon, "resque", "one-pass", pass));
      }
      for (Shape shape : shapes) {
        Plan plan = run.plan(epsilon, shape.settings());
        cases.add(new Case(set, part, epsilon, "resque", shape.described(), plan));
      }
    }
    return trials.run(set.label, cases, 1, (each, none) -> new double[] {
      MeanLoss.of(each.plan().objective(), behind, LearningPass.weights(each.plan(), block, 1))[0]
    });
  }
}
