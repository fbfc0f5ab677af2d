package dev.sotto.benchmarks.experiments;

import dev.sotto.benchmarks.table.ResultTable;
import dev.sotto.config.settings.GuaranteeLevel;
import dev.sotto.replay.ProgressiveScores;
import dev.sotto.replay.recording.Recording;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.DoubleStream;

/** All recipes over one stream: the best of each kind in hindsight, measured under other noise. */
final class KeyedRun {
  private static final int POINTS = 40;
  private static final int FIRST_POINT = 2; // what lies before is mostly the first, empty model
  private static final long CHOICE = 0;
  private static final long[] SEEDS = {1, 2, 3};

  private final KeyedSet set;
  private final Recording recording;
  private final KeyedSet.Reference reference;
  private final boolean quick;
  private final long records;

  private record Scored(KeyedRecipe recipe, ProgressiveScores.Point point) {}

  KeyedRun(KeyedSet set, Recording recording, KeyedSet.Reference reference, boolean quick) {
    this.set = set;
    this.recording = recording;
    this.reference = reference;
    this.quick = quick;
    this.records = recording.header().ranges().get(0).records();
  }

  Chart run(double[] epsilons, ResultTable summary, ResultTable all) {
    Chart chart = new Chart(
            set.label + ": progressive log-loss, at most " + KeyedSet.CAP + " records of a key",
            "records",
            false,
            "mean log-loss so far",
            false)
        .ofMany();
    tabulated("none: the prior so far", records, reference.prior(), summary, chart);
    tabulated("all", records, reference.all(), summary, chart);
    tabulated(
        "first " + KeyedSet.CAP + " of a key",
        reference.used(),
        reference.capped(),
        summary,
        chart);
    kind(GuaranteeLevel.NONE, Double.POSITIVE_INFINITY, summary, all, chart);
    kind(GuaranteeLevel.BOUNDING, Double.POSITIVE_INFINITY, summary, all, chart);
    for (double epsilon : epsilons) {
      kind(GuaranteeLevel.CONFIGURED, epsilon, summary, all, chart);
    }
    return chart;
  }

  private void tabulated(String what, long learned, double loss, ResultTable summary, Chart chart) {
    summary.add(
        set.label,
        what,
        learned,
        Double.POSITIVE_INFINITY,
        loss,
        "-",
        "-",
        "-",
        "tabulated with the data");
    chart.level(what + " (tabulated)", 0, records, loss);
  }

  private void kind(
      GuaranteeLevel protection,
      double epsilon,
      ResultTable summary,
      ResultTable all,
      Chart chart) {
    List<KeyedRecipe> grid = BoundedKeys.grid(set, protection, epsilon);
    List<KeyedRecipe> chosen = quick ? grid.subList(0, Math.max(1, grid.size() / 10)) : grid;
    List<Scored> scored = each(
        chosen,
        recipe ->
            new Scored(recipe, recipe.run(set, recording, CHOICE, Long.MAX_VALUE, point -> {})));
    scored.forEach(one -> all.add(
        set.label,
        protection.name().toLowerCase(Locale.ROOT),
        epsilon,
        one.recipe().batch(),
        one.recipe().spread(),
        one.recipe().multiplier(),
        one.point().loss(),
        one.point().accuracy()));
    KeyedRecipe best = scored.stream()
        .min(Comparator.comparingDouble(one -> one.point().loss()))
        .orElseThrow()
        .recipe();
    List<Long> seeds = new ArrayList<>();
    for (long seed : protection == GuaranteeLevel.CONFIGURED ? SEEDS : new long[] {CHOICE}) {
      seeds.add(seed);
    }
    List<List<ProgressiveScores.Point>> curves = each(seeds, seed -> curve(best, seed));
    add(protection, epsilon, best, curves, summary, chart);
  }

  private List<ProgressiveScores.Point> curve(KeyedRecipe recipe, long seed) {
    List<ProgressiveScores.Point> curve = new ArrayList<>();
    recipe.run(set, recording, seed, Math.max(1, records / POINTS), curve::add);
    return curve;
  }

  private void add(
      GuaranteeLevel protection,
      double epsilon,
      KeyedRecipe best,
      List<List<ProgressiveScores.Point>> curves,
      ResultTable summary,
      Chart chart) {
    int points = curves.get(0).size();
    double[] losses = losses(curves, points - 1).toArray();
    String what =
        protection == GuaranteeLevel.NONE ? "all" : "at most " + KeyedSet.CAP + " of a key";
    double accuracy = curves.stream()
        .mapToDouble(curve -> curve.get(points - 1).accuracy())
        .average()
        .orElseThrow();
    summary.add(
        set.label,
        what,
        best.learned(set, recording),
        epsilon,
        DoubleStream.of(losses).average().orElseThrow(),
        DoubleStream.of(losses).min().orElseThrow(),
        DoubleStream.of(losses).max().orElseThrow(),
        accuracy,
        best.description(records));
    double[] x = new double[points - FIRST_POINT];
    double[] mean = x.clone();
    double[] least = x.clone();
    double[] largest = x.clone();
    for (int i = 0; i < x.length; i++) {
      double[] here = losses(curves, i + FIRST_POINT).toArray();
      x[i] = curves.get(0).get(i + FIRST_POINT).examples();
      mean[i] = DoubleStream.of(here).average().orElseThrow();
      least[i] = DoubleStream.of(here).min().orElseThrow();
      largest[i] = DoubleStream.of(here).max().orElseThrow();
    }
    String noise = Double.isInfinite(epsilon) ? ", no noise" : ", epsilon " + epsilon;
    chart.line(what + noise, x, mean, least, largest);
  }

  private static DoubleStream losses(List<List<ProgressiveScores.Point>> curves, int place) {
    return curves.stream().mapToDouble(curve -> curve.get(place).loss());
  }

  private interface Work<A, B> {
    B of(A argument);
  }

  /** Several at a time, in their order. */
  private static <A, B> List<B> each(List<A> arguments, Work<A, B> work) {
    ExecutorService pool = Executors.newFixedThreadPool(Runtime.getRuntime().availableProcessors());
    try {
      List<Callable<B>> calls = new ArrayList<>();
      arguments.forEach(argument -> calls.add(() -> work.of(argument)));
      List<B> results = new ArrayList<>();
      for (Future<B> done : pool.invokeAll(calls)) {
        results.add(done.get());
      }
      return results;
    } catch (InterruptedException | ExecutionException failed) {
      throw new IllegalStateException("a run failed: " + failed, failed);
    } finally {
      pool.shutdownNow();
    }
  }
}
