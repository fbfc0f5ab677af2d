package dev.sotto.evaluation.audit.neighbour;

import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.header.internals.RecordHeaders;

/**
 * The users' topics as an audit makes them.
 *
 * @param partitions of each topic
 * @param events in the order of their partitions and offsets
 * @param labels that come later; empty where the events hold them
 */
record MadeLog(int partitions, List<MadeRecord> events, List<MadeRecord> labels) {
  MadeLog {
    events = List.copyOf(events);
    labels = List.copyOf(labels);
  }

  /** The same log with other contents. */
  MadeLog with(UnaryOperator<MadeRecord> changed) {
    return new MadeLog(
        partitions,
        events.stream().map(changed).toList(),
        labels.stream().map(changed).toList());
  }

  RecordedInput input(LearnerSettings settings) {
    RecordedInput input = RecordedInput.of(recording(settings.sourceTopic(), events));
    return settings.labels().isEmpty()
        ? input
        : input.labels(settings, recording(settings.labels().get().topic(), labels));
  }

  private InMemoryRecording recording(String topic, List<MadeRecord> records) {
    InMemoryRecording.Builder made = InMemoryRecording.of(topic).topicId("id-of-" + topic);
    for (int partition = 0; partition < partitions; partition++) {
      made.partition(partition, 0);
    }
    for (MadeRecord each : records) {
      RecordHeaders headers = new RecordHeaders();
      each.headers().forEach(header -> headers.add(header.name(), header.value()));
      MadeRecord.Place at = each.at();
      made.add(at.partition(), at.offset(), at.time(), each.key(), each.value(), headers);
    }
    return made.build();
  }
}
