package dev.sotto.topology.layout;

import dev.sotto.topology.processor.OutputPartitioner;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.kafka.streams.processor.TimestampExtractor;
import org.apache.kafka.streams.processor.api.Processor;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;

/**
 * One processor with what it reads, keeps and writes: the same for the drawing that Kafka Streams
 * runs and for whoever runs the processor elsewhere.
 *
 * @param name of the processor
 * @param inputs all of one number of partitions; one task for each
 * @param processor makes one a task
 */
public record Subtopology(
    String name,
    List<Input> inputs,
    Supplier<Processor<byte[], byte[], byte[], byte[]>> processor,
    List<StoreBuilder<KeyValueStore<String, byte[]>>> stores,
    List<Output> outputs) {
  public Subtopology {
    inputs = List.copyOf(inputs);
    stores = List.copyOf(stores);
    outputs = List.copyOf(outputs);
  }

  /**
   * A topic that is read.
   *
   * @param name of the source node
   * @param times of several inputs the record with the earliest time comes first
   */
  public record Input(String name, String topic, TimestampExtractor times) {}

  /**
   * A topic that is written.
   *
   * @param name of the sink node, to which the processor forwards
   * @param partitioner null for Kafka's own
   */
  public record Output(String name, String topic, OutputPartitioner partitioner) {
    public Output {
      Objects.requireNonNull(topic, "topic");
    }

    /** Records that cannot be used. */
    static Output letters(LearnerSettings settings) {
      return new Output(Names.TO_DEAD_LETTERS, Names.deadLetters(settings.app()), null);
    }
  }
}
