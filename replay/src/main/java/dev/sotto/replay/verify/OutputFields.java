package dev.sotto.replay.verify;

import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.NoisyMetrics;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The fields in which two manifests, or two records of private metrics, differ. */
final class OutputFields {
  private OutputFields() {}

  /** The fields in which a published version's manifest differs from the replayed one. */
  static List<FieldDifference> differences(ModelSnapshot published, ModelSnapshot replayed) {
    List<FieldDifference> found = new ArrayList<>();
    add(found, "loss", published.loss(), replayed.loss());
    add(found, "algorithm", published.algorithm(), replayed.algorithm());
    add(found, "dimension", published.dimension(), replayed.dimension());
    add(found, "chunks", published.chunks(), replayed.chunks());
    add(found, "generation", published.generation(), replayed.generation());
    add(found, "last", published.last(), replayed.last());
    add(found, "ranges", published.ranges(), replayed.ranges());
    add(found, "guarantee", published.guarantee(), replayed.guarantee());
    add(found, "runId", LedgerFields.hex(published.runId()), LedgerFields.hex(replayed.runId()));
    add(
        found,
        "fingerprint",
        LedgerFields.hex(published.fingerprint()),
        LedgerFields.hex(replayed.fingerprint()));
    add(found, "digest", LedgerFields.hex(published.digest()), LedgerFields.hex(replayed.digest()));
    features(found, published.features(), replayed.features());
    return found;
  }

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
      List<FieldDifference> found, String name, Object published, Object replayed) {
    if (!published.equals(replayed)) {
      found.add(new FieldDifference(name, published.toString(), replayed.toString()));
    }
  }

  /**
   * Lines that only one of two texts has, in their order; those at the same place of their gap side
   * by side.
   */
  private static void features(List<FieldDifference> found, String published, String replayed) {
    List<String> one = new ArrayList<>(Arrays.asList(published.split("\n")));
    List<String> other = new ArrayList<>(Arrays.asList(replayed.split("\n")));
    List<String> common = LineDifference.common(one, other);
    int i = 0;
    int j = 0;
    for (int next = 0; next <= common.size(); next++) {
      String line = next < common.size() ? common.get(next) : null;
      while (i < one.size() && !one.get(i).equals(line)
          || j < other.size() && !other.get(j).equals(line)) {
        boolean inOne = i < one.size() && !one.get(i).equals(line);
        boolean inOther = j < other.size() && !other.get(j).equals(line);
        found.add(new FieldDifference(
            "features", inOne ? one.get(i++) : "", inOther ? other.get(j++) : ""));
      }
      i++;
      j++;
    }
  }
}
