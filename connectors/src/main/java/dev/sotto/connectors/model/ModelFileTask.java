package dev.sotto.connectors.model;

import dev.sotto.connectors.BuildVersion;
import dev.sotto.connectors.ConnectorSettings;
import dev.sotto.serdes.avro.UnreadableRecordException;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.sink.ErrantRecordReporter;
import org.apache.kafka.connect.sink.SinkRecord;
import org.apache.kafka.connect.sink.SinkTask;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts model versions together and writes the newest of each batch of records before it takes the
 * next.
 */
public final class ModelFileTask extends SinkTask {
  private static final Logger LOG = LoggerFactory.getLogger(ModelFileTask.class);

  private final Map<TopicPartition, PartitionModels> partitions = new HashMap<>();
  private ModelFolder files;
  private ErrantRecordReporter reporter;

  @Override
  public String version() {
    return BuildVersion.text();
  }

  @Override
  public void start(Map<String, String> properties) {
    ConnectorSettings.refuse(ModelFileConfig.faults(properties));
    files = new ModelFolder(ModelFileConfig.of(properties));
    reporter = context == null ? null : context.errantRecordReporter();
  }

  @Override
  public void open(Collection<TopicPartition> opened) {
    opened.forEach(each -> partitions.put(each, new PartitionModels()));
    files.forget(); // another task may have written since
  }

  @Override
  public void close(Collection<TopicPartition> closed) {
    closed.forEach(partitions::remove);
  }

  @Override
  public void put(Collection<SinkRecord> records) {
    Map<String, PublishedVersion> newest = new LinkedHashMap<>();
    for (SinkRecord record : records) {
      var partition = new TopicPartition(record.originalTopic(), record.originalKafkaPartition());
      try {
        partitions
            .computeIfAbsent(partition, each -> new PartitionModels())
            .accept(
                bytes("key", record.key()),
                bytes("value", record.value()),
                record.originalKafkaOffset())
            .ifPresent(model -> newest.put(
                model.manifest().modelId(),
                new PublishedVersion(model, partition, record.originalKafkaOffset())));
      } catch (UnreadableRecordException unreadable) {
        setAside(record, partition, unreadable);
      }
    }
    newest.values().forEach(files::keep);
  }

  private static byte[] bytes(String part, Object value) {
    if (value == null || value instanceof byte[]) {
      return (byte[]) value;
    }
    throw new ConnectException(
        part + ".converter must be org.apache.kafka.connect.converters.ByteArrayConverter,"
            + " since bytes are read, but it made a " + value.getClass().getName());
  }

  private void setAside(
      SinkRecord record, TopicPartition partition, UnreadableRecordException why) {
    if (reporter == null) {
      throw new ConnectException(
          "every record of " + partition + " must be part of a model version, but offset "
              + record.originalKafkaOffset() + " was not: " + why.getMessage(),
          why);
    }
    LOG.warn(
        "Sets offset {} of {} aside: {}",
        record.originalKafkaOffset(),
        partition,
        why.getMessage());
    reporter.report(record, why);
  }

  /** Up to the first chunk whose manifest has not come: a restart needs it again. */
  @Override
  public Map<TopicPartition, OffsetAndMetadata> preCommit(
      Map<TopicPartition, OffsetAndMetadata> consumed) {
    Map<TopicPartition, OffsetAndMetadata> safe = new HashMap<>();
    consumed.forEach((partition, offset) -> {
      PartitionModels models = partitions.get(partition);
      long first = models == null ? Long.MAX_VALUE : models.firstOpen();
      safe.put(partition, first < offset.offset() ? new OffsetAndMetadata(first) : offset);
    });
    return safe;
  }

  @Override
  public void stop() {
    partitions.clear();
  }
}
