package dev.sotto.topology.read;

import java.time.Duration;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Hands on what an {@link OffsetRangeCursor} reads. */
public final class OffsetRangeReader {
  private OffsetRangeReader() {}

  /**
   * Hands on the records with {@code from <= offset < to}, in order, until the visitor has enough.
   *
   * @param consumer to which the partition is assigned, and of what is assigned the only one that
   *     is not paused
   * @param patience for how long the position may stand still
   * @param visitor returns whether to go on
   * @return whether all of them were handed on
   * @throws TimeoutException where it stands still for longer
   */
  public static boolean read(
      Consumer<byte[], byte[]> consumer,
      TopicPartition where,
      long from,
      long to,
      Duration patience,
      Predicate<ConsumerRecord<byte[], byte[]>> visitor) {
    OffsetRangeCursor cursor = new OffsetRangeCursor(consumer, where, from, to, patience);
    for (var record = cursor.next(); record != null; record = cursor.next()) {
      if (!visitor.test(record)) {
        return false;
      }
    }
    return true;
  }
}
