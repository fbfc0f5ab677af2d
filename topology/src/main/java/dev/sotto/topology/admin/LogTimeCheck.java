package dev.sotto.topology.admin;

import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.TopicSettings;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.record.TimestampType;

/**
 * Whether the records that are read next were dated by the broker. A topic that was set to
 * LogAppendTime later holds earlier ones that producers have dated.
 */
public final class LogTimeCheck {
  private LogTimeCheck() {}

  /**
   * Looks at the first record behind each offset, where versions or labels depend on log time.
   *
   * @param clients Kafka settings
   * @param next offsets from which partitions are read
   * @throws SottoException where a producer has dated one
   */
  public static void check(
      LearnerSettings settings,
      Map<String, String> clients,
      Supplier<Map<TopicPartition, Long>> next) {
    if (!settings.needsLogTimeOfEvents()) {
      return;
    }
    try (PartitionReader reader = new PartitionReader(clients, PartitionReader.COMMITTED)) {
      next.get().forEach((where, offset) -> {
        long from = Math.max(offset, reader.beginning(where));
        reader.read(where, from, reader.end(where), record -> {
          require(settings, record);
          return false;
        });
      });
    }
  }

  private static void require(LearnerSettings settings, ConsumerRecord<byte[], byte[]> record) {
    if (record.timestampType() != TimestampType.LOG_APPEND_TIME) {
      throw new SottoException(
          FailureKind.TOPIC,
          "record " + record.offset() + " of " + record.topic() + "-" + record.partition()
              + " was dated by its producer, before " + TopicSettings.TIMESTAMPS
              + " was set, and " + StartChecks.needsLogTime(settings)
              + " needs the broker's time of every record. Unset it, take a topic that had the"
              + " setting from its first record on, or begin after such records (events.start:"
              + " latest). Where something was learned before, " + NewHistory.START);
    }
  }
}
