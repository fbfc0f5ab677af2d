package dev.sotto.app.view;

import dev.sotto.learner.training.NoisyMetrics;
import java.util.List;
import java.util.stream.IntStream;

/**
 * One bin of a reliability curve: the predictions from one probability to another, and the labels
 * that came.
 */
public record ReliabilityBin(
    double from, double to, double count, double meanLabel, double meanLabelError) {
  /** The bins of a window. */
  public static List<ReliabilityBin> of(NoisyMetrics noisy) {
    return IntStream.range(0, noisy.bins())
        .mapToObj(bin -> new ReliabilityBin(
            (double) bin / noisy.bins(),
            (bin + 1.0) / noisy.bins(),
            noisy.count(bin),
            noisy.meanLabel(bin),
            noisy.meanLabelError(bin)))
        .toList();
  }
}
