package dev.sotto.benchmarks;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** The middle and the ends of repeated measurements. */
record Quantiles(double median, double min, double max) {
  static Quantiles of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double median = (sorted[last / 2] + sorted[(last + 1) / 2]) / 2;
    return new Quantiles(median, sorted[0], sorted[last]);
  }

  static <T> Quantiles of(Collection<T> all, ToDoubleFunction<T> figure) {
    return of(all.stream().mapToDouble(figure).toArray());
  }

  /**
   * The median, and the ends in brackets, all divided by a unit, with the given number of decimals.
   */
  String text(double unit, int decimals) {
    String each = "%." + decimals + "f";
    return String.format(
        Locale.ROOT, each + " (" + each + "-" + each + ")", median / unit, min / unit, max / unit);
  }
}
