package dev.sotto.topology;

import dev.sotto.topology.core.Refusal;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Sends every output of a model to the partition of the same number as its home. */
final class HomePartitions {
  private HomePartitions() {}

  /** For keys that are a model id. */
  static StreamPartitioner<byte[], byte[]> ofIds(ModelIds ids, int homes) {
    return (topic, key, value, partitions) -> home(ids, key, homes, topic, partitions);
  }

  /** For keys that are a model id, a slash, and a part's name. */
  static StreamPartitioner<byte[], byte[]> ofParts(ModelIds ids, int homes) {
    return (topic, key, value, partitions) -> {
      int end = key.length - 1;
      while (key[end] != '/') {
        end--;
      }
      return home(ids, Arrays.copyOf(key, end), homes, topic, partitions);
    };
  }

  private static Optional<Set<Integer>> home(
      ModelIds ids, byte[] modelId, int homes, String topic, int partitions) {
    if (partitions > homes) {
      throw new Refusal(
          "topic " + topic + " must have " + homes + " partitions, but has " + partitions
              + ": the chain of its ledger would be split. Start a new app.id whose budget accounts for what was spent");
    }
    return Optional.of(Set.of(ids.home(modelId, partitions)));
  }
}
