package dev.sotto.topology.processor;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Sends every output of a model to the partition of the same number as its home. */
public final class HomePartitioner {
  private HomePartitioner() {}

  /** For keys that are a model id. */
  public static StreamPartitioner<byte[], byte[]> ofIds(
      ModelIdRule ids, CandidateModels candidates, int homes) {
    return (topic, key, value, partitions) ->
        home(ids, candidates.recordsOf(key), homes, topic, partitions);
  }

  /** For keys that are a model id, a slash, and a part's name. */
  public static StreamPartitioner<byte[], byte[]> ofParts(
      ModelIdRule ids, CandidateModels candidates, int homes) {
    return (topic, key, value, partitions) -> {
      int end = key.length - 1;
      while (key[end] != '/') {
        end--;
      }
      byte[] modelId = Arrays.copyOf(key, end);
      return home(ids, candidates.recordsOf(modelId), homes, topic, partitions);
    };
  }

  private static Optional<Set<Integer>> home(
      ModelIdRule ids, byte[] modelId, int homes, String topic, int partitions) {
    if (partitions > homes) {
      throw new UnsafeToContinueException(
          "topic " + topic + " must have " + homes + " partitions, but has " + partitions
              + ": the chain of its ledger would be split; " + NewHistory.START);
    }
    return Optional.of(Set.of(ids.home(modelId, partitions)));
  }
}
