package dev.sotto.benchmarks;

import java.util.Arrays;
import java.util.Collection;
import java.util.function.ToDoubleFunction;

/** The middle and the ends of repeated measurements. */
record Spread(double median, double min, double max) {
  static Spread of(double... values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    int last = sorted.length - 1;
    double median = (sorted[last / 2] + sorted[(last + 1) / 2]) / 2;
    return new Spread(median, sorted[0], sorted[last]);
  }

  static <T> Spread of(Collection<T> all, ToDoubleFunction<T> figure) {
    return of(all.stream().mapToDouble(figure).toArray());
  }
}
