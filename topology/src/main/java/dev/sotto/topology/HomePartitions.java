package dev.sotto.topology;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Sends every output of a model to the partition of the same number as its home. */
final class HomePartitions {
  private HomePartitions() {}

  /** For keys that are a model id. */
  static StreamPartitioner<byte[], byte[]> ofIds(ModelIds ids) {
    return (topic, key, value, partitions) -> Optional.of(Set.of(ids.home(key, partitions)));
  }

  /** For keys that are a model id, a slash, and a part's name. */
  static StreamPartitioner<byte[], byte[]> ofParts(ModelIds ids) {
    return (topic, key, value, partitions) -> {
      int end = key.length - 1;
      while (key[end] != '/') {
        end--;
      }
      return Optional.of(Set.of(ids.home(Arrays.copyOf(key, end), partitions)));
    };
  }
}
