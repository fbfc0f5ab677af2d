package dev.sotto.topology;

import dev.sotto.topology.core.Refusal;
import dev.sotto.topology.core.SlotLog;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.header.Header;

/**
 * Reads a part of the training topic again. Offsets without a record (transaction markers, aborted data) are
 * never inferred: it stops at a record at or behind the end, or when the consumer's position gets there.
 */
final class KafkaSlotLog implements SlotLog {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Map<String, Object> config;
  private final String topic;
  private final String modelHeader;
  private final Duration patience;

  /**
   * A reader.
   *
   * @param patience how long it may stand still before it gives up, so that the thread is replaced
   */
  KafkaSlotLog(Map<String, Object> config, String topic, String modelHeader, Duration patience) {
    this.config = config;
    this.topic = topic;
    this.modelHeader = modelHeader;
    this.patience = patience;
  }

  @Override
  public boolean read(int partition, long from, long to, Visitor visitor) {
    TopicPartition where = new TopicPartition(topic, partition);
    try (Consumer<byte[], byte[]> consumer = ReaderConfig.consumer(config, "read_committed")) {
      consumer.assign(List.of(where));
      consumer.seek(where, from);
      long reached = from;
      long deadline = System.nanoTime() + patience.toNanos();
      while (reached < to) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(where)) {
          if (record.offset() >= to) {
            return true;
          }
          if (!visitor.accept(record.offset(), record.key(), record.value(), header(record))) {
            return false;
          }
        }
        long position = consumer.position(where);
        if (position > reached) {
          reached = position;
          deadline = System.nanoTime() + patience.toNanos();
        } else if (System.nanoTime() - deadline > 0) {
          throw new TimeoutException("reading " + where + " again from " + from + " to " + to
              + " stood still at " + reached + " for " + patience.toMillis() + " ms");
        }
      }
      return true;
    } catch (OffsetOutOfRangeException gone) {
      throw new Refusal(
          "the records of " + where + " from offset " + from + " to " + to
              + " are needed to restore the open round, but the topic no longer holds them; raise retention.ms of "
              + topic
              + ". What they held cannot be learned again: start a new app.id whose budget accounts for"
              + " what was spent",
          gone);
    }
  }

  private byte[] header(ConsumerRecord<byte[], byte[]> record) {
    Header last = modelHeader == null ? null : record.headers().lastHeader(modelHeader);
    return last == null ? null : last.value();
  }
}
