package dev.sotto.app.cluster;

import dev.sotto.topology.settings.LearnerSettings;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.Header;

/** Which model a record belongs to. */
public final class ModelLookup {
  private ModelLookup() {}

  /** The model's id; empty where the record belongs to none. */
  public static Optional<String> of(
      ConsumerRecord<byte[], byte[]> record, LearnerSettings settings, int partitions) {
    String name = settings.modelIds().header();
    Header header = name == null ? null : record.headers().lastHeader(name);
    return settings
        .modelIds()
        .modelOf(
            record.key(), header == null ? null : header.value(), record.partition(), partitions);
  }
}
