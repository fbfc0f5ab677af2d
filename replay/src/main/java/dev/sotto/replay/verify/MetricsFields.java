package dev.sotto.replay.verify;

import dev.sotto.learner.round.NoisyMetrics;
import java.util.ArrayList;
import java.util.List;

/** What private metrics state. */
final class MetricsFields {
  private MetricsFields() {}

  /** The figures in which two records differ. */
  static List<FieldDifference> differences(NoisyMetrics published, NoisyMetrics replayed) {
    List<FieldDifference> found = new ArrayList<>();
    add(found, "firstRound", published.firstRound(), replayed.firstRound());
    add(found, "slots", published.slots(), replayed.slots());
    add(found, "lossBound", published.lossBound(), replayed.lossBound());
    add(found, "noiseStd", published.noiseStd(), replayed.noiseStd());
    add(found, "sums", published.sums().length, replayed.sums().length);
    for (int i = 0; i < Math.min(published.sums().length, replayed.sums().length); i++) {
      add(found, "sums[" + i + "]", published.sums()[i], replayed.sums()[i]);
    }
    return found;
  }

  private static void add(
      List<FieldDifference> found, String name, Number published, Number replayed) {
    if (!published.equals(replayed)) {
      found.add(new FieldDifference(name, published.toString(), replayed.toString()));
    }
  }
}
