package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.recording.Recording;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * Recorded streams under key-level privacy, and under the bound on contributions alone: the best
 * recipe of each kind in hindsight, measured under other noise.
 */
final class BoundedKeys implements Experiment {
  static final double[] EPSILONS = {1, 2, 8};
  private static final double OPEN = Double.POSITIVE_INFINITY; // epsilon without noise
  private static final double[] SPREADS = {0, 0.3, 0.9};
  private static final double[] MULTIPLIERS = {32, 128, 256, 512};
  private static final double[] QUIET_MULTIPLIERS = {16, 64, 256, 1024};
  private static final int SMALLER = 4; // rounds without noise
  private static final int POINTS = 40;
  private static final int FIRST_POINT = 2; // what lies before is mostly the first, empty model
  private static final long CHOICE = 0; // the seed under which recipes are chosen
  private static final long[] SEEDS = {1, 2, 3};

  private final ResultTable summary = new ResultTable(
      "set",
      "contributions",
      "learned",
      "epsilon",
      "log-loss",
      "least",
      "largest",
      "accuracy",
      "recipe");

  /** A set that is read, with what came of it. */
  private record Stream(KeyedSet set, Recording recording, long records, Chart chart) {
    Stream(KeyedSet set, Recording recording) {
      this(set, recording, recording.header().ranges().get(0).records(), chart(set));
    }

    private static Chart chart(KeyedSet set) {
      return new Chart(
              set.label + ": progressive log-loss, at most " + KeyedSet.CAP + " records of a key",
              "records",
              false,
              "mean log-loss so far",
              false)
          .ofMany();
    }

    double[] last(KeyedRecipe recipe) {
      ProgressiveScores.Point point =
          recipe.run(set, recording, CHOICE, Long.MAX_VALUE, none -> {});
      return new double[] {point.loss(), point.accuracy()};
    }

    List<ProgressiveScores.Point> curve(KeyedRecipe recipe, long seed) {
      List<ProgressiveScores.Point> curve = new ArrayList<>();
      recipe.run(set, recording, seed, Math.max(1, records / POINTS), curve::add);
      return curve;
    }
  }

  private record Case(KeyedSet set, KeyedRecipe recipe) {}

  @Override
  public String name() {
    return "bounded-keys";
  }

  @Override
  public String question() {
    return "A budget for each key, with at most 8 records of each";
  }

  /** Every recipe of one kind. */
  static List<KeyedRecipe> grid(KeyedSet set, GuaranteeLevel protection, double epsilon) {
    List<KeyedRecipe> grid = new ArrayList<>();
    boolean noisy = protection == GuaranteeLevel.CONFIGURED;
    double[] spreads = protection == GuaranteeLevel.NONE ? new double[] {0} : SPREADS;
    for (int given : set.batches()) {
      int batch = noisy ? given : given / SMALLER;
      for (double spread : spreads) {
        for (double multiplier : noisy ? MULTIPLIERS : QUIET_MULTIPLIERS) {
          grid.add(new KeyedRecipe(protection, epsilon, batch, spread, multiplier));
        }
      }
    }
    return grid;
  }

  @Override
  public Outcome run(Trials trials) throws IOException {
    List<Measured<Case>> all = new ArrayList<>();
    Map<String, Chart> charts = new LinkedHashMap<>();
    for (KeyedSet set : trials.choose(List.of(KeyedSet.values()), List.of(KeyedSet.INCIDENTS))) {
      Stream stream = new Stream(set, set.read(trials.data()));
      KeyedSet.Reference known = set.reference(trials.data());
      tabulated(stream, "none: the prior so far", stream.records(), known.prior());
      tabulated(stream, "all", stream.records(), known.all());
      tabulated(stream, "first " + KeyedSet.CAP + " of a key", known.used(), known.capped());
      all.addAll(kind(trials, stream, GuaranteeLevel.NONE, OPEN));
      all.addAll(kind(trials, stream, GuaranteeLevel.BOUNDING, OPEN));
      for (double epsilon : EPSILONS) {
        all.addAll(kind(trials, stream, GuaranteeLevel.CONFIGURED, epsilon));
      }
      charts.put(set.label, stream.chart());
    }
    return new Outcome(
        summary,
        new Columns<Measured<Case>>()
            .add("set", each -> each.of().set().label)
            .add(
                "protection",
                each -> each.of().recipe().protection().name().toLowerCase(Locale.ROOT))
            .add("epsilon", each -> each.of().recipe().epsilon())
            .add("batch", each -> each.of().recipe().batch())
            .add("spread", each -> each.of().recipe().spread())
            .add("multiplier", each -> each.of().recipe().multiplier())
            .add("log-loss", each -> each.mean(0))
            .add("accuracy", each -> each.mean(1))
            .of(all),
        charts);
  }

  private void tabulated(Stream stream, String what, long learned, double loss) {
    summary.add(
        stream.set().label, what, learned, OPEN, loss, "-", "-", "-", "tabulated with the data");
    stream.chart().level(what + " (tabulated)", 0, stream.records(), loss);
  }

  private List<Measured<Case>> kind(
      Trials trials, Stream stream, GuaranteeLevel protection, double epsilon) {
    List<Case> grid = grid(stream.set(), protection, epsilon).stream()
        .map(recipe -> new Case(stream.set(), recipe))
        .toList();
    List<Measured<Case>> scored = trials.run(
        stream.set().label + ", " + protection + " " + epsilon,
        trials.choose(grid, grid.subList(0, Math.max(1, grid.size() / 10))),
        1,
        (each, none) -> stream.last(each.recipe()));
    KeyedRecipe best = Measured.best(scored, 0).of().recipe();
    long[] seeds = protection == GuaranteeLevel.CONFIGURED ? SEEDS : new long[] {CHOICE};
    List<List<ProgressiveScores.Point>> curves = LongStream.of(seeds)
        .parallel()
        .mapToObj(seed -> stream.curve(best, seed))
        .toList();
    add(stream, best, curves);
    return scored;
  }

  private void add(Stream stream, KeyedRecipe best, List<List<ProgressiveScores.Point>> curves) {
    int points = curves.get(0).size();
    double[] losses = losses(curves, points - 1).toArray();
    String what =
        best.protection() == GuaranteeLevel.NONE ? "all" : "at most " + KeyedSet.CAP + " of a key";
    summary.add(
        stream.set().label,
        what,
        best.learned(stream.set(), stream.recording()),
        best.epsilon(),
        DoubleStream.of(losses).average().orElseThrow(),
        DoubleStream.of(losses).min().orElseThrow(),
        DoubleStream.of(losses).max().orElseThrow(),
        curves.stream()
            .mapToDouble(curve -> curve.get(points - 1).accuracy())
            .average()
            .orElseThrow(),
        best.description(stream.records()));
    List<Measured<ProgressiveScores.Point>> line = IntStream.range(FIRST_POINT, points)
        .mapToObj(i -> new Measured<>(
            curves.get(0).get(i),
            losses(curves, i).mapToObj(loss -> new double[] {loss}).toList()))
        .toList();
    String noise = best.epsilon() == OPEN ? ", no noise" : ", epsilon " + best.epsilon();
    stream.chart().measured(what + noise, line, ProgressiveScores.Point::examples, 0);
  }

  private static DoubleStream losses(List<List<ProgressiveScores.Point>> curves, int place) {
    return curves.stream().mapToDouble(curve -> curve.get(place).loss());
  }
}
