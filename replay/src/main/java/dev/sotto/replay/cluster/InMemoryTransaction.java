package dev.sotto.replay.cluster;

import dev.sotto.topology.layout.Subtopology;
import dev.sotto.topology.processor.OutputPartitioner;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.streams.processor.api.Record;

/** What tasks that commit together send. */
final class InMemoryTransaction {
  private final LearnerSettings settings;
  private final Map<String, List<InMemoryPartition>> topics;
  private final List<List<byte[]>> ledger;
  private final OutputListener outputs;
  private final Set<InMemoryPartition> marked = new HashSet<>();

  /**
   * An empty one.
   *
   * @param topics that are internal, by name, each with its partitions
   * @param ledger entries by partition: as many as there are homes of models
   */
  InMemoryTransaction(
      LearnerSettings settings,
      Map<String, List<InMemoryPartition>> topics,
      List<List<byte[]>> ledger,
      OutputListener outputs) {
    this.settings = settings;
    this.topics = topics;
    this.ledger = ledger;
    this.outputs = outputs;
  }

  void send(Subtopology.Output output, Record<byte[], byte[]> record) {
    String topic = output.topic();
    if (topics.containsKey(topic)) {
      for (int each : partitionsOf(output, record, topics.get(topic).size())) {
        InMemoryPartition log = topics.get(topic).get(each);
        log.append(record);
        marked.add(log);
      }
    } else if (topic.equals(Names.deadLetters(settings.app()))) {
      outputs.deadLetter(record);
    } else {
      publish(topic, partitionsOf(output, record, ledger.size()).iterator().next(), record);
    }
  }

  private void publish(String topic, int partition, Record<byte[], byte[]> record) {
    String key = new String(record.key(), StandardCharsets.UTF_8);
    if (topic.equals(Names.ledger(settings.app()))) {
      ledger.get(partition).add(record.value());
      outputs.ledger(partition, key, record.value());
    } else if (topic.equals(Names.snapshots(settings.app()))) {
      outputs.snapshot(partition, key, record.value());
    } else {
      outputs.metrics(partition, key, record.value());
    }
  }

  void abort(Subtopology.Output output, Record<byte[], byte[]> record) {
    if (topics.containsKey(output.topic())) {
      for (int each : partitionsOf(output, record, topics.get(output.topic()).size())) {
        InMemoryPartition log = topics.get(output.topic()).get(each);
        log.skip(1);
        marked.add(log);
      }
    }
  }

  /** Writes a marker to every partition that it wrote to. */
  void end() {
    marked.forEach(each -> each.skip(1));
  }

  private Set<Integer> partitionsOf(
      Subtopology.Output output, Record<byte[], byte[]> record, int count) {
    OutputPartitioner partitioner = output.partitioner();
    return partitioner == null
        ? Set.of(0)
        : partitioner.choose(output.topic(), record.key(), record.value(), count);
  }
}
