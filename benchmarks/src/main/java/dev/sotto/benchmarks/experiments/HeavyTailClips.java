package dev.sotto.benchmarks.experiments;

import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.AC_SA;
import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.LOCALIZED;
import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.PROX;
import static dev.sotto.benchmarks.experiments.HeavyTailAlgorithm.SGD;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.ABSOLUTE;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.LASSO;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.LEAST_SQUARES;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.MEAN;
import static dev.sotto.benchmarks.experiments.HeavyTailProblem.OUTLIERS;

import dev.sotto.learner.optimizer.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import dev.sotto.learner.optimizer.heavytail.ClippedAlgorithm;
import dev.sotto.learner.optimizer.heavytail.QuantileClip;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Random;

/**
 * Several blocks of the problems of {@link HeavyTailExperiment}: the clip of the moment rule in all
 * of them, that of a public quantile, and the one that follows released counts of norms, which
 * begins with the moment rule's, with 100 times the quantile, or with a hundredth of it.
 */
final class HeavyTailClips implements Experiment {
  private static final int BLOCKS = 8;

  /** The share of the squared mu that counts cost, as in configurations. */
  private static final double SHARE = 0.05;

  /** A problem, a guarantee, and its algorithm. */
  private record Case(String suite, HeavyTailAlgorithm algorithm, HeavyTailRun run) {
    ClippedAlgorithm make(double share, OptionalDouble clip) {
      return algorithm.ofBlocks(run.problem(), size(share), clip);
    }

    private BlockSize size(double share) {
      return new BlockSize(run.slots(), run.problem().dimension, run.mu() * Math.sqrt(1 - share));
    }

    double quantile() {
      return run.problem().quantile(make(0, OptionalDouble.empty()).tail(size(0)));
    }

    BlockAlgorithm following(OptionalDouble first) {
      ClippedAlgorithm inner = make(SHARE, first);
      double target = QuantileClip.target(inner, size(SHARE));
      return new QuantileClip(inner, SHARE, target, run.problem().dimension, 2 / run.mu());
    }
  }

  /** A case under one rule of the clip. */
  private record Trial(Case of, String rule, BlockAlgorithm algorithm) {}

  @Override
  public String name() {
    return "heavy-tails-clips";
  }

  @Override
  public String question() {
    return "Clips that follow released counts, over several blocks of made-up problems";
  }

  @Override
  public boolean isOfRecordedData() {
    return false;
  }

  private static Case of(
      String suite, HeavyTailAlgorithm algorithm, HeavyTailProblem problem, int slots, double mu) {
    return new Case(suite, algorithm, new HeavyTailRun(problem, slots, mu));
  }

  private static List<Case> cases() {
    List<Case> cases = new ArrayList<>();
    for (double mu : new double[] {0.25, 1, 4}) {
      cases.add(of("E1 a", SGD, MEAN, 10_000, mu));
      cases.add(of("E1 b", SGD, OUTLIERS, 10_000, mu));
      cases.add(of("E2", AC_SA, LEAST_SQUARES, 10_000, mu));
      cases.add(of("E4", PROX, LASSO, 10_000, mu));
    }
    cases.add(of("E2", AC_SA, LEAST_SQUARES, 65_536, 0.25));
    cases.add(of("E2", AC_SA, LEAST_SQUARES, 65_536, 1));
    cases.add(of("E3", LOCALIZED, ABSOLUTE, 1024, 1));
    cases.add(of("E3", LOCALIZED, ABSOLUTE, 1024, 8));
    return cases;
  }

  private static List<Trial> rules(Case each) {
    double quantile = each.quantile();
    OptionalDouble none = OptionalDouble.empty();
    return List.of(
        new Trial(each, "moment", each.make(0, none)),
        new Trial(each, "public quantile", each.make(0, OptionalDouble.of(quantile))),
        new Trial(each, "released, first of moment", each.following(none)),
        new Trial(
            each,
            "released, first 100 times the quantile",
            each.following(OptionalDouble.of(100 * quantile))),
        new Trial(
            each,
            "released, first a hundredth of the quantile",
            each.following(OptionalDouble.of(0.01 * quantile))));
  }

  @Override
  public Outcome run(Trials trials) {
    List<Measured<Trial>> all = trials.run(
        "clips",
        cases().stream().flatMap(each -> rules(each).stream()).toList(),
        trials.choose(40, 4),
        (trial, i) -> trial.of().run().excesses(trial.algorithm(), BLOCKS, new Random(1 + i)));
    return Outcome.of(new Columns<Measured<Trial>>()
        .add("suite", each -> each.of().of().suite())
        .add("algorithm", each -> each.of().of().algorithm().label)
        .add("slots", each -> each.of().of().run().slots())
        .add("mu", each -> each.of().of().run().mu())
        .add("clip", each -> each.of().rule())
        .add("first clip", each -> each.of().algorithm().clip())
        .add("excess after 1 block", each -> each.mean(0))
        .add("after 2", each -> each.mean(1))
        .add("after 4", each -> each.mean(3))
        .add("after 8", each -> each.mean(BLOCKS - 1))
        .add("standard error", each -> each.error(BLOCKS - 1))
        .of(all));
  }
}
