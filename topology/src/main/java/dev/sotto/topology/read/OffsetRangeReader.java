package dev.sotto.topology.read;

import java.time.Duration;
import java.util.function.Predicate;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads a stretch of a partition. Offsets without a record (transaction markers, aborted data) are
 * never inferred: it ends at a record at or behind the end, or when the consumer's position gets
 * there.
 */
public final class OffsetRangeReader {
  private static final Duration POLL = Duration.ofMillis(100);

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
    consumer.seek(where, from);
    long reached = from;
    long deadline = System.nanoTime() + patience.toNanos();
    while (reached < to) {
      for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL).records(where)) {
        if (record.offset() >= to) {
          return true;
        }
        if (!visitor.test(record)) {
          return false;
        }
      }
      long position = consumer.position(where);
      if (position > reached) {
        reached = position;
        deadline = System.nanoTime() + patience.toNanos();
      } else if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("reading " + where + " from " + from + " to " + to
            + " stood still at offset " + reached + " for " + patience.toMillis() + " ms");
      }
    }
    return true;
  }
}
