package dev.sotto.evaluation.experiments;

import dev.sotto.evaluation.text.ResultTable;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.example.Example;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.BlockOptimizer;
import dev.sotto.learner.optimizer.heavytail.AcSaSchedule;
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
import dev.sotto.learner.optimizer.heavytail.SgdSchedule;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * Delays of flights in minutes, as they are, without a range of labels: heavy-tailed algorithms
 * through the product's learner, beside FTRL with and without a range.
 */
final class HeavyTailFlights implements Experiment {
  private static final double[] EPSILONS = {1, 4};
  private static final int SEEDS = 3;
  /** Minutes: what somebody may know who has seen no record. */
  private static final double CLIP = 60;

  private static final double DIAMETER = 1000;
  private static final double LOW = -60;
  private static final double HIGH = 180;

  private final ResultTable table = new ResultTable(
      "epsilon",
      "algorithm",
      "slots of a block or round",
      "queries of a block",
      "mean absolute error",
      "root mean square error");
  private int seeds;

  @Override
  public String name() {
    return "heavy-tails-flights";
  }

  @Override
  public Outcome run(boolean quick) throws IOException {
    Optional<Path> folder = ExperimentFolders.data();
    if (folder.isEmpty()) {
      System.err.println(
          "heavy-tails-flights: skipped: the recorded data (shared/data) are not on this machine");
      return new Outcome(table, table, Map.of());
    }
    seeds = quick ? 1 : SEEDS;
    QualitySet set = QualitySet.YEAR_R;
    List<byte[]> events = set.events(folder.get());
    List<String> ranged = set.settings(folder.get());
    List<String> plain = new ArrayList<>(ranged);
    plain.removeIf(each -> each.startsWith("label.m") || each.startsWith("loss="));
    QualityRun squares = run("squared", plain, events);
    QualityRun absolute = run("absolute", plain, events);
    ranged.add("features.hash.bits=8");
    QualityRun cut = new QualityRun("flights", ranged, events);
    for (double epsilon : quick ? new double[] {4} : EPSILONS) {
      Plan ftrl = cut.plan(epsilon);
      add(epsilon, "FTRL, labels cut to [-60, 180]", ftrl, cut, HIGH - LOW, LOW, squares);
      Plan unbounded = squares.plan(epsilon);
      add(epsilon, "FTRL, steps of the theorem", unbounded, squares, 1, 0, squares);
      double mu = GaussianDp.mu(epsilon, 1e-6);
      for (int slots : new int[] {1 << 14, 1 << 16}) {
        // Where records become null slots, noise is that of twice the mu.
        BlockSize size = new BlockSize(slots, squares.dimension(), 2 * mu);
        String ours = "clipped-ac-sa";
        add(epsilon, ours, plan(unbounded, ours, acSa(size), mu), squares, 1, 0, squares);
        ours = "clipped-sgd";
        add(epsilon, ours, plan(unbounded, ours, sgd(size), mu), squares, 1, 0, squares);
        ours = "prox-clipped-sgd";
        add(epsilon, ours, plan(unbounded, ours, prox(size), mu), squares, 1, 0, squares);
      }
      BlockSize size = new BlockSize(1 << 14, squares.dimension(), 2 * mu);
      String ours = "localized-erm, absolute loss";
      Plan medians = plan(absolute.plan(epsilon), "localized-erm", localized(size), mu);
      add(epsilon, ours, medians, absolute, 1, 0, squares);
    }
    zero(squares);
    return new Outcome(table, table, Map.of());
  }

  /** Without a range of labels; what learns from it unless it is replaced is FTRL. */
  private static QualityRun run(String loss, List<String> plain, List<byte[]> events) {
    List<String> settings = new ArrayList<>(plain);
    settings.add("loss=" + loss);
    settings.addAll(List.of(
        "features.hash.bits=8",
        "ftrl.steps=decreasing",
        "ftrl.diameter=" + DIAMETER / 2,
        "clip.norm=" + CLIP,
        "batch.size=256"));
    return new QualityRun("flights", settings, events);
  }

  private static BlockAlgorithm acSa(BlockSize size) {
    AcSaSchedule schedule =
        AcSaSchedule.of(size, Moments.bounded(CLIP), 1, DIAMETER, OptionalDouble.of(CLIP));
    return new ClippedAcSa(schedule, new Ball(null, DIAMETER / 2));
  }

  private static BlockAlgorithm sgd(BlockSize size) {
    SgdSchedule schedule = SgdSchedule.of(
        size, Moments.bounded(CLIP), new Curvature(1.1, 0.1), DIAMETER, OptionalDouble.of(CLIP));
    return new ClippedSgd(schedule, 0.1, new Ball(null, DIAMETER / 2));
  }

  private static BlockAlgorithm prox(BlockSize size) {
    double gap = DIAMETER * DIAMETER / 2;
    ProxSchedule schedule = ProxSchedule.of(
        size, Moments.bounded(CLIP), new Curvature(1, 0.1), gap, OptionalDouble.of(CLIP));
    return new ProxClippedSgd(schedule, new ProximalMap(0, 0.1, DIAMETER / 2));
  }

  /** Gradients of absolute loss are no longer than 1 at features of norm 1. */
  private static BlockAlgorithm localized(BlockSize size) {
    LocalizedSchedule schedule = new LocalizedSchedule(size, LocalMoments.bounded(1), DIAMETER);
    return new LocalizedErm(schedule.phases(400, 8, slots -> 1), new Ball(null, DIAMETER / 2));
  }

  private static Plan plan(Plan base, String name, BlockAlgorithm algorithm, double mu) {
    BlockOptimizer optimizer = new BlockOptimizer(algorithm);
    return base.toBuilder()
        .algorithm(name, optimizer.describe(), optimizer)
        .mechanism(new QueryNoise(optimizer.queries()))
        .batch(optimizer.queries().slots())
        .clip(algorithm.clip())
        .sigma(base.adjacency().sensitivity(algorithm.clip()) / mu * (1 + 1e-9))
        .generations(GenerationSchedule.NONE)
        .build();
  }

  /** Errors of the later half in minutes, under the weights of the last version before each. */
  private void add(
      double epsilon,
      String name,
      Plan plan,
      QualityRun run,
      double unit,
      double origin,
      QualityRun minutes) {
    int half = run.count() / 2;
    double[] sums = new double[2];
    Example raw = new Example(minutes.dimension());
    for (int seed = 1; seed <= seeds; seed++) {
      LearningPass.weights(plan, run, seed, (place, example, weights) -> {
        if (place >= half) {
          double predicted = origin + unit * example.dot(weights);
          minutes.read(place, raw);
          double error = predicted - raw.label();
          sums[0] += Math.abs(error);
          sums[1] += error * error;
        }
      });
    }
    row(epsilon, name, plan, sums, (run.count() - half) * (double) seeds);
  }

  private void row(double epsilon, String name, Plan plan, double[] sums, double count) {
    long queries = plan == null || plan.optimizer().queries() == null
        ? 1
        : plan.optimizer().queries().queries();
    double mean = sums[0] / count;
    double root = Math.sqrt(sums[1] / count);
    table.add(epsilon, name, plan == null ? 0 : plan.batch(), queries, mean, root);
    System.err.println("heavy-tails-flights: " + epsilon + " " + name + " " + mean + " " + root);
  }

  /** What predicts no delay at all. */
  private void zero(QualityRun minutes) {
    double[] sums = new double[2];
    Example raw = new Example(minutes.dimension());
    for (int i = minutes.count() / 2; i < minutes.count(); i++) {
      minutes.read(i, raw);
      sums[0] += Math.abs(raw.label());
      sums[1] += raw.label() * raw.label();
    }
    row(0, "no delay predicted", null, sums, minutes.count() - minutes.count() / 2);
  }
}
