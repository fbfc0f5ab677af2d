package dev.sotto.topology.processor;

import java.util.Optional;
import java.util.Set;
import org.apache.kafka.common.header.Headers;
import org.apache.kafka.streams.processor.StreamPartitioner;

/** Chooses the partitions of an output record by its key and value alone. */
@FunctionalInterface
public interface OutputPartitioner extends StreamPartitioner<byte[], byte[]> {
  /**
   * The partitions to which the record goes.
   *
   * @param partitions how many the topic has
   */
  Set<Integer> choose(String topic, byte[] key, byte[] value, int partitions);

  @Override
  @SuppressWarnings("removal") // abstract in Kafka Streams for as long as it is there
  default Optional<Set<Integer>> partitions(
      String topic, byte[] key, byte[] value, int partitions) {
    return Optional.of(choose(topic, key, value, partitions));
  }

  @Override
  default Optional<Set<Integer>> partitions(
      String topic, byte[] key, byte[] value, Headers headers, int partitions) {
    return Optional.of(choose(topic, key, value, partitions));
  }
}
