package dev.sotto.benchmarks.experiments;

import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * What defaults learn where rows are sparse and wide, and rounds so large that the worst curvature
 * holds the steps: beside steps that stay there, constant rates chosen in hindsight, and the
 * defaults of a narrow model.
 */
final class Wide implements Experiment {
  private static final double OPEN = Double.POSITIVE_INFINITY; // epsilon without noise
  private static final List<Double> EPSILONS = List.of(1.0, 4.0, 16.0);
  /** The one at which rounds of 5040 are tried too: the noise hardly matters to them. */
  private static final double LARGE_ROUNDS = 4;

  private static final String ROUNDS = "batch.size=5040";
  private static final double[] RATES = {0.003, 0.01, 0.03, 0.1};
  private static final int NARROW = 10;
  private static final int BITS = 16;
  private static final int SEEDS = 2;

  /** A set, decoded into 2^bits coordinates. */
  private record Decoded(WideSet set, int bits, QualityRun run) {}

  private record Row(
      Decoded of,
      double epsilon,
      Plan plan,
      double defaults,
      double held,
      double[] best,
      double narrow) {}

  @Override
  public String name() {
    return "wide";
  }

  @Override
  public String question() {
    return "The defaults with 2^16 hashed coordinates, or in large rounds";
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Row> rows = new ArrayList<>();
    int seeds = trials.choose(SEEDS, 1);
    boolean all = trials.choose(true, false);
    for (WideSet set : trials.choose(List.of(WideSet.values()), List.of(WideSet.INCIDENTS))) {
      QualityRun narrow = set.run(trials.data(), NARROW);
      for (int bits : set == WideSet.INCIDENTS && all ? new int[] {BITS, 18} : new int[] {BITS}) {
        trials.say("%s, %d bits", set.label, bits);
        Decoded of = new Decoded(set, bits, set.run(trials.data(), bits));
        for (double epsilon : trials.choose(EPSILONS, List.of(LARGE_ROUNDS))) {
          double of10 = narrow.progressive(narrow.plan(epsilon), seeds);
          rows.add(row(of, epsilon, of.run().plan(epsilon), of10, seeds));
          if (epsilon == LARGE_ROUNDS && bits == BITS) {
            rows.add(row(of, epsilon, of.run().plan(epsilon, ROUNDS), of10, seeds));
          }
        }
        if (all && bits == BITS) {
          double of10 = narrow.progressive(narrow.plan(OPEN), 1);
          rows.add(row(of, OPEN, of.run().plan(OPEN, ROUNDS), of10, 1));
        }
      }
    }
    return Outcome.of(new Columns<Row>()
        .add("set", row -> row.of().set().label)
        .add("bits", row -> row.of().bits())
        .add("epsilon", Row::epsilon)
        .add("round", row -> row.plan().batch())
        .add("defaults", Row::defaults)
        .add("worst curvature", Row::held)
        .add("best rate in hindsight", row -> row.best()[1])
        .add("that rate", row -> row.best()[0])
        .add("defaults at 10 bits", Row::narrow)
        .of(rows));
  }

  private static Row row(Decoded of, double epsilon, Plan plan, double narrow, int seeds) {
    return new Row(
        of,
        epsilon,
        plan,
        of.run().progressive(plan, seeds),
        of.run().progressive(held(plan), seeds),
        of.run().bestRate(plan, RATES),
        narrow);
  }

  /** The same plan with steps that never exceed what the worst curvature allows. */
  private static Plan held(Plan plan) {
    StepSize.NoiseAware own = (StepSize.NoiseAware) ((PrivateFtrl) plan.optimizer()).steps();
    return QualityRun.withSteps(
        plan,
        new StepSize.NoiseAware(
            own.mechanism(), own.sigma(), own.batch(), own.scale(), own.shrinks(), false));
  }
}
