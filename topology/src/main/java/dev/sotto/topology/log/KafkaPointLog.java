package dev.sotto.topology.log;

import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.read.OffsetRangeReader;
import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.apache.kafka.common.TopicPartition;

/** Reads the control topic, committed records only. */
final class KafkaPointLog implements PointLog {
  private final Map<String, Object> config;
  private final String control;
  private final TopicCipher cipher;
  private final String events;
  private final Duration patience;

  KafkaPointLog(
      Map<String, Object> config,
      String control,
      TopicCipher cipher,
      String events,
      Duration patience) {
    this.config = config;
    this.control = control;
    this.cipher = cipher;
    this.events = events;
    this.patience = patience;
  }

  @Override
  public void read(int partition, Consumer<RoundPoint> visitor) {
    TopicPartition where = new TopicPartition(control, partition);
    try (var consumer = ReaderConfig.toTheEnd(config, "read_committed")) {
      consumer.assign(List.of(where));
      long from = consumer.beginningOffsets(List.of(where)).get(where);
      long end = consumer.endOffsets(List.of(where)).get(where);
      OffsetRangeReader.read(consumer, where, from, end, patience, record -> {
        ControlRecords.point(record.key(), record.value(), record.headers(), cipher)
            .ifPresent(visitor);
        return true;
      });
    }
  }

  @Override
  public long endOfEvents(int partition) {
    TopicPartition where = new TopicPartition(events, partition);
    try (var consumer = ReaderConfig.toTheEnd(config, "read_committed")) {
      return consumer.endOffsets(List.of(where)).get(where);
    }
  }
}
