package dev.sotto.app.explain;

import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/**
 * Where a record lies.
 *
 * @param topic name of its topic
 * @param partition at least 0
 * @param offset at least 0
 */
public record RecordPosition(String topic, int partition, long offset) {
  /** A position written as {@code TOPIC/PARTITION/OFFSET}; empty where the text is none. */
  public static Optional<RecordPosition> of(String text) {
    String[] parts = text.split("/", -1);
    if (parts.length != 3 || parts[0].isEmpty()) {
      return Optional.empty();
    }
    try {
      int partition = Integer.parseInt(parts[1]);
      long offset = Long.parseLong(parts[2]);
      return partition < 0 || offset < 0
          ? Optional.empty()
          : Optional.of(new RecordPosition(parts[0], partition, offset));
    } catch (NumberFormatException noNumber) {
      return Optional.empty();
    }
  }

  TopicPartition where() {
    return new TopicPartition(topic, partition);
  }

  @Override
  public String toString() {
    return topic + "/" + partition + "/" + offset;
  }
}
