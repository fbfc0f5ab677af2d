package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.experiments.LaterHalf.Scale;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * Recorded sets through configurations with {@code heavy.clip} rule and quantile: delays of flights
 * in minutes without a range of labels, under first clips of different sizes, and binary labels,
 * where the loss bounds gradients.
 */
final class HeavyTailClipsRecorded implements Experiment {
  private static final List<Double> EPSILONS = List.of(0.5, 1.0, 4.0);
  private static final String SMALL = "block.slots=16384";

  /** A set under an algorithm and settings, in which rules of the clip are compared. */
  private record Setup(
      String set, String algorithm, QualityRun run, ExampleStream stream, String... settings) {
    Case of(double epsilon, String rule) {
      List<String> all = new ArrayList<>(List.of(settings));
      all.add("algorithm=" + algorithm);
      all.add("heavy.clip=" + rule);
      return new Case(this, epsilon, rule, run.plan(epsilon, all.toArray(String[]::new)));
    }

    boolean isOfNumbers() {
      return set.equals("delays");
    }

    String described() {
      return String.join(" ", settings) + (stream == run ? "" : " mixed");
    }
  }

  private record Case(Setup setup, double epsilon, String rule, Plan plan) {
    double[] measured(int seed) {
      ExampleStream stream = setup.stream();
      return setup.isOfNumbers()
          ? LaterHalf.errors(plan, stream, new Scale(stream, 1, 0), 1 + seed)
          : LaterHalf.loss(plan, stream, 1 + seed);
    }
  }

  @Override
  public String name() {
    return "heavy-tails-clips-recorded";
  }

  @Override
  public String question() {
    return "Clips by rule and by released quantiles, on recorded sets";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Setup> setups = delays(trials);
    for (QualitySet set : List.of(QualitySet.A9A, QualitySet.YEAR_B)) {
      QualityRun run = new QualityRun(set, trials.data(), List.of());
      ExampleStream mixed = new Repeated(run, set == QualitySet.A9A ? 4 : 1);
      setups.add(new Setup(set.label, "clipped-ac-sa", run, mixed, SMALL));
      setups.add(new Setup(set.label, "prox-clipped-sgd", run, mixed, SMALL));
    }
    List<Case> cases = new ArrayList<>();
    for (Setup setup : setups) {
      for (double epsilon : trials.choose(EPSILONS, List.of(1.0))) {
        cases.add(setup.of(epsilon, "rule"));
        cases.add(setup.of(epsilon, "quantile"));
      }
    }
    List<Measured<Case>> all =
        trials.run("sets", cases, trials.choose(2, 1), (each, seed) -> each.measured(seed));
    return Outcome.of(new Columns<Measured<Case>>()
        .add("set", each -> each.of().setup().set())
        .add("epsilon", each -> each.of().epsilon())
        .add("algorithm", each -> each.of().setup().algorithm())
        .add("settings", each -> each.of().setup().described())
        .add("heavy.clip", each -> each.of().rule())
        .add(
            "blocks",
            each -> each.of().setup().stream().count() / each.of().plan().batch())
        .add(
            "root mean square error or log-loss",
            each -> each.of().setup().isOfNumbers() ? Math.sqrt(each.mean(1)) : each.mean(0))
        .of(all));
  }

  private static List<Setup> delays(Trials trials) throws IOException {
    QualitySet set = QualitySet.YEAR_R;
    List<String> free = new ArrayList<>(set.settings(trials.data()));
    free.removeIf(each -> each.startsWith("label.m") || each.startsWith("loss="));
    free.add("loss=squared");
    free.addAll(List.of("algorithm=clipped-ac-sa", "clip.norm=60", "heavy.diameter=1000"));
    QualityRun run = new QualityRun("delays", free, set.events(trials.data()));
    ExampleStream mixed = new Repeated(run, 1);
    List<Setup> setups = new ArrayList<>();
    for (String first : List.of("clip.norm=60", "clip.norm=600", "clip.norm=6")) {
      setups.add(new Setup("delays", "clipped-ac-sa", run, mixed, first, SMALL));
    }
    setups.add(new Setup("delays", "clipped-ac-sa", run, run, "clip.norm=60", "block.slots=65536"));
    setups.add(new Setup("delays", "prox-clipped-sgd", run, mixed, "clip.norm=60", SMALL));
    return setups;
  }
}
