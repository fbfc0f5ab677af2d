package dev.sotto.benchmarks.experiments;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;

/**
 * What was measured of one case.
 *
 * @param runs the figures of each repetition
 */
record Measured<C>(C of, List<double[]> runs) {
  /** The mean of a figure over repetitions. */
  double mean(int figure) {
    return values(figure).average().orElse(Double.NaN);
  }

  double min(int figure) {
    return values(figure).min().orElse(Double.NaN);
  }

  double max(int figure) {
    return values(figure).max().orElse(Double.NaN);
  }

  /** The standard error of the mean; 0 of one repetition. */
  double error(int figure) {
    double mean = mean(figure);
    double squares = values(figure).map(each -> (each - mean) * (each - mean)).sum();
    return Math.sqrt(squares / Math.max(1, runs.size() - 1) / runs.size());
  }

  private DoubleStream values(int figure) {
    return runs.stream().mapToDouble(each -> each[figure]);
  }

  /** The smallest mean of a figure: the best in hindsight. */
  static <C> Measured<C> best(Collection<Measured<C>> all, int figure) {
    return all.stream()
        .min(Comparator.comparingDouble(each -> each.mean(figure)))
        .orElseThrow(() -> new IllegalArgumentException("there is no such case in the grid"));
  }

  /** The same of those among them. */
  static <C> Measured<C> best(Collection<Measured<C>> all, int figure, Predicate<C> among) {
    return best(all.stream().filter(each -> among.test(each.of)).toList(), figure);
  }

  /** The best of each group, in the order of the groups. */
  static <C, K extends Comparable<K>> List<Measured<C>> bests(
      Collection<Measured<C>> all, int figure, Function<C, K> group) {
    TreeMap<K, Measured<C>> best = new TreeMap<>();
    for (Measured<C> each : all) {
      best.merge(group.apply(each.of), each, (a, b) -> b.mean(figure) < a.mean(figure) ? b : a);
    }
    return List.copyOf(best.values());
  }
}
