package dev.sotto.app.operations;

import dev.sotto.topology.LearnerSettings;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Which model a record belongs to. */
final class Models {
  private Models() {}

  /** The model's id; empty where the record belongs to none. */
  static Optional<String> of(
      ConsumerRecord<byte[], byte[]> record, LearnerSettings settings, int partitions) {
    String name = settings.modelIds().header();
    Header header = name == null ? null : record.headers().lastHeader(name);
    return settings
        .modelIds()
        .modelOf(
            record.key(), header == null ? null : header.value(), record.partition(), partitions);
  }
}
