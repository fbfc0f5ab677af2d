package dev.sotto.topology.log;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.read.OffsetRangeCursor;
import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/** Reads a range of one partition of a topic. */
final class KafkaSlotLog implements SlotLog {
  private final Map<String, Object> config;
  private final String topic;
  private final SourceReading reading;
  private final Duration patience;
  private Consumer<byte[], byte[]> consumer; // of the reading that is open; null without

  /**
   * A reader.
   *
   * @param patience how long it may stand still before it gives up, so that the thread is replaced
   */
  KafkaSlotLog(Map<String, Object> config, String topic, SourceReading reading, Duration patience) {
    this.config = config;
    this.topic = topic;
    this.reading = reading;
    this.patience = patience;
  }

  @Override
  public Reading read(int partition, long from, long to) {
    TopicPartition where = new TopicPartition(topic, partition);
    close();
    consumer = ReaderConfig.toTheEnd(config, "read_committed");
    consumer.assign(List.of(where));
    OffsetRangeCursor cursor = new OffsetRangeCursor(consumer, where, from, to, patience);
    return new Reading() {
      @Override
      public SourceRecord next() {
        try {
          ConsumerRecord<byte[], byte[]> next = cursor.next();
          return next == null ? null : reading.record(next);
        } catch (OffsetOutOfRangeException gone) {
          throw new UnsafeToContinueException(
              "the records of " + where + " from offset " + from + " to " + to
                  + " are needed to restore the open round or to read the open block again, but the"
                  + " topic no longer holds them; raise retention.ms of "
                  + topic
                  + ". What they held cannot be learned again: " + NewHistory.START,
              gone);
        }
      }

      @Override
      public boolean isWhole() {
        return true; // else it would have waited
      }

      @Override
      public void close() {
        KafkaSlotLog.this.close();
      }
    };
  }

  @Override
  public void close() {
    if (consumer != null) {
      consumer.close();
      consumer = null;
    }
  }
}
