package dev.sotto.topology.processor;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.Arrays;
import java.util.Set;

/** Sends every output of a model to the partition of the same number as its home. */
public final class HomePartitioner {
  private HomePartitioner() {}

  /** For keys that are a model id. */
  public static OutputPartitioner ofIds(ModelIdRule ids, CandidateModels candidates, int homes) {
    return (topic, key, value, partitions) ->
        home(ids, candidates.recordsOf(key), homes, topic, partitions);
  }

  /** For keys that are a model id, a slash, and a part's name. */
  public static OutputPartitioner ofParts(ModelIdRule ids, CandidateModels candidates, int homes) {
    return (topic, key, value, partitions) -> {
      int end = key.length - 1;
      while (key[end] != '/') {
        end--;
      }
      byte[] modelId = Arrays.copyOf(key, end);
      return home(ids, candidates.recordsOf(modelId), homes, topic, partitions);
    };
  }

  private static Set<Integer> home(
      ModelIdRule ids, byte[] modelId, int homes, String topic, int partitions) {
    if (partitions > homes) {
      throw new UnsafeToContinueException(
          "topic " + topic + " must have " + homes + " partitions, but has " + partitions
              + ": the chain of its ledger would be split; " + NewHistory.START);
    }
    return Set.of(ids.home(modelId, partitions));
  }
}
