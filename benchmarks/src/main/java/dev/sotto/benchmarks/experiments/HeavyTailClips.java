package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
import dev.sotto.learner.optimizer.heavytail.AcSaSteps;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.BlockAlgorithm;
import dev.sotto.learner.optimizer.heavytail.BlockSize;
import dev.sotto.learner.optimizer.heavytail.ClippedAcSa;
import dev.sotto.learner.optimizer.heavytail.ClippedSgd;
import dev.sotto.learner.optimizer.heavytail.Curvature;
import dev.sotto.learner.optimizer.heavytail.LocalMoments;
import dev.sotto.learner.optimizer.heavytail.LocalizedErm;
import dev.sotto.learner.optimizer.heavytail.LocalizedSchedule;
import dev.sotto.learner.optimizer.heavytail.Moments;
import dev.sotto.learner.optimizer.heavytail.ProxClippedSgd;
import dev.sotto.learner.optimizer.heavytail.ProxSchedule;
import dev.sotto.learner.optimizer.heavytail.ProximalMap;
import dev.sotto.learner.optimizer.heavytail.QuantileClip;
import dev.sotto.learner.optimizer.heavytail.SgdSchedule;
import java.io.IOException;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Random;
import java.util.function.BiFunction;
import java.util.stream.IntStream;

/**
 * Several blocks of the problems of {@link HeavyTails}: the clip of the moment rule in all of them,
 * that of a public quantile, and the one that follows released counts of norms, which begins with
 * the moment rule's, with 100 times the quantile, or with a hundredth of it.
 */
final class HeavyTailClips implements Experiment {
  private static final int BLOCKS = 8;

  /** The share of the squared mu that counts cost, as in configurations. */
  private static final double SHARE = 0.05;

  private final ResultTable table = new ResultTable(
      "suite",
      "algorithm",
      "slots",
      "mu",
      "clip",
      "first clip",
      "excess after 1 block",
      "after 2",
      "after 4",
      "after 8",
      "standard error");
  private boolean quick;

  /** A problem, a guarantee, and its algorithm at a clip: that of the moment rule, or another. */
  private record Case(
      String suite,
      String name,
      HeavyTailRun run,
      BiFunction<BlockSize, OptionalDouble, BlockAlgorithm> maker) {
    BlockSize size(double share) {
      return new BlockSize(run.slots(), run.problem().dimension, run.mu() * Math.sqrt(1 - share));
    }
  }

  @Override
  public String name() {
    return "heavy-tails-clips";
  }

  @Override
  public Outcome run(boolean fast) throws IOException {
    quick = fast;
    for (double mu : new double[] {0.25, 1, 4}) {
      means("E1 a", HeavyTailProblem.MEAN, mu);
      means("E1 b", HeavyTailProblem.OUTLIERS, mu);
      squares(10_000, mu);
      lasso(10_000, mu);
    }
    squares(65_536, 0.25);
    squares(65_536, 1);
    medians(1024, 1);
    medians(1024, 8);
    return new Outcome(table, table, Map.of());
  }

  private static Moments moments(HeavyTailProblem problem) {
    return new Moments(2, problem.second, problem.second);
  }

  private void means(String suite, HeavyTailProblem problem, double mu) {
    Ball ball = new Ball(null, problem.radius);
    add(new Case(
        suite,
        "clipped-sgd",
        new HeavyTailRun(problem, 10_000, mu),
        (size, clip) -> new ClippedSgd(
            SgdSchedule.of(size, moments(problem), new Curvature(1, 1), 2, clip), 0, ball)));
  }

  private void squares(int slots, double mu) {
    HeavyTailProblem problem = HeavyTailProblem.LEAST_SQUARES;
    add(new Case(
        "E2",
        "clipped-ac-sa",
        new HeavyTailRun(problem, slots, mu),
        (size, clip) -> new ClippedAcSa(
            AcSaSchedule.of(size, moments(problem), 1, 2, clip),
            new Ball(null, problem.radius),
            new AcSaSteps(size, problem.second, 1, 2))));
  }

  private void lasso(int slots, double mu) {
    HeavyTailProblem problem = HeavyTailProblem.LASSO;
    add(new Case(
        "E4",
        "prox-clipped-sgd",
        new HeavyTailRun(problem, slots, mu),
        (size, clip) -> new ProxClippedSgd(
            ProxSchedule.of(size, moments(problem), new Curvature(1, 1), 1, clip),
            new ProximalMap(0.1, 0, 1))));
  }

  private void medians(int slots, double mu) {
    HeavyTailProblem problem = HeavyTailProblem.ABSOLUTE;
    add(new Case("E3", "localized-erm", new HeavyTailRun(problem, slots, mu), (size, clip) -> {
      LocalizedSchedule schedule = new LocalizedSchedule(
          size, new LocalMoments(moments(problem), problem.fourth), 2 * problem.radius);
      double factor = clip.isPresent() ? clip.getAsDouble() / schedule.firstClip() : 1;
      return new LocalizedErm(
          schedule.phases(400, 8, n -> factor * schedule.clip(n)), new Ball(null, problem.radius));
    }));
  }

  private void add(Case each) {
    BlockAlgorithm moment = each.maker().apply(each.size(0), OptionalDouble.empty());
    double quantile = each.run().problem().quantile(moment.tail(each.size(0)));
    add(each, "moment", moment);
    add(each, "public quantile", each.maker().apply(each.size(0), OptionalDouble.of(quantile)));
    add(each, "released, first of moment", following(each, OptionalDouble.empty()));
    for (double away : new double[] {100, 0.01}) {
      add(
          each,
          "released, first " + (away > 1 ? "100 times" : "a hundredth of") + " the quantile",
          following(each, OptionalDouble.of(away * quantile)));
    }
  }

  private static BlockAlgorithm following(Case each, OptionalDouble first) {
    BlockAlgorithm inner = each.maker().apply(each.size(SHARE), first);
    double target = QuantileClip.target(inner, each.size(SHARE));
    return new QuantileClip(
        inner, SHARE, target, each.run().problem().dimension, 2 / each.run().mu());
  }

  private void add(Case each, String rule, BlockAlgorithm algorithm) {
    int runs = quick ? 4 : 40;
    double[][] all = IntStream.range(0, runs)
        .parallel()
        .mapToObj(i -> each.run().excesses(algorithm, BLOCKS, new Random(1 + i)))
        .toArray(double[][]::new);
    double[] means = new double[BLOCKS];
    for (int block = 0; block < BLOCKS; block++) {
      int of = block;
      means[block] = Arrays.stream(all).mapToDouble(run -> run[of]).average().orElseThrow();
    }
    double last = means[BLOCKS - 1];
    double squares = Arrays.stream(all)
        .mapToDouble(run -> (run[BLOCKS - 1] - last) * (run[BLOCKS - 1] - last))
        .sum();
    double error = Math.sqrt(squares / (runs - 1) / runs);
    table.add(
        each.suite(),
        each.name(),
        each.run().slots(),
        each.run().mu(),
        rule,
        algorithm.clip(),
        means[0],
        means[1],
        means[3],
        last,
        error);
    System.err.println(String.format(
        Locale.ROOT,
        "heavy-tails-clips: %s %d %s %s: clip %.4g, %.4f %.4f %.4f %.4f ± %.4f",
        each.suite(),
        each.run().slots(),
        each.run().mu(),
        rule,
        algorithm.clip(),
        means[0],
        means[1],
        means[3],
        last,
        error));
  }
}
