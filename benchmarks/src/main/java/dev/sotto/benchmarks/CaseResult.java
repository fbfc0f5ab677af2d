package dev.sotto.benchmarks;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * All repetitions of one case.
 *
 * @param records in the topic
 * @param bytes of a record's value
 * @param runs what each contender took, by its name; run i of each is of repetition i
 */
record CaseResult(
    BenchmarkCase what, long records, double bytes, Map<String, List<MeasuredRun>> runs) {
  /**
   * One contender's figure over another's, repetition by repetition: they ran one after the other,
   * so that what else the machine did weighs on both.
   */
  Quantiles ratio(String over, String under, ToDoubleFunction<MeasuredRun> figure) {
    List<MeasuredRun> above = runs.get(over);
    List<MeasuredRun> below = runs.get(under);
    return Quantiles.of(IntStream.range(0, above.size())
        .mapToDouble(i -> figure.applyAsDouble(above.get(i)) / figure.applyAsDouble(below.get(i)))
        .toArray());
  }
}
