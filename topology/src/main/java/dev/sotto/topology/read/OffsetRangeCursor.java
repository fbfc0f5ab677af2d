package dev.sotto.topology.read;

import java.time.Duration;
import java.util.Collections;
import java.util.Iterator;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads a range of a partition, one record after the other. Offsets without a record (transaction
 * markers, aborted data) are never inferred: it ends at a record at or behind the end, or when the
 * consumer's position gets there.
 */
public final class OffsetRangeCursor {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Consumer<byte[], byte[]> consumer;
  private final TopicPartition where;
  private final long from;
  private final long to;
  private final Duration patience;
  private Iterator<ConsumerRecord<byte[], byte[]>> polled = Collections.emptyIterator();
  private long deadline;
  private boolean moved = true; // since the deadline was set
  private boolean ended;

  /**
   * Begins to read the records with {@code from <= offset < to}.
   *
   * @param consumer to which the partition is assigned, and of what is assigned the only one that
   *     is not paused
   * @param patience for how long the position may stand still
   */
  public OffsetRangeCursor(
      Consumer<byte[], byte[]> consumer,
      TopicPartition where,
      long from,
      long to,
      Duration patience) {
    this.consumer = consumer;
    this.where = where;
    this.from = from;
    this.to = to;
    this.patience = patience;
    this.ended = from >= to;
    consumer.seek(where, from);
  }

  /**
   * The next record; null behind the last.
   *
   * @throws TimeoutException where it stands still for longer
   */
  public ConsumerRecord<byte[], byte[]> next() {
    while (!polled.hasNext() && !ended) {
      poll();
    }
    if (ended) {
      return null;
    }
    ConsumerRecord<byte[], byte[]> next = polled.next();
    moved = true;
    ended = next.offset() >= to;
    return ended ? null : next;
  }

  private void poll() {
    if (moved) {
      deadline = System.nanoTime() + patience.toNanos();
      moved = false;
    }
    long position = consumer.position(where);
    if (position >= to) {
      ended = true;
      return;
    }
    polled = consumer.poll(POLL).records(where).iterator();
    moved = polled.hasNext() || consumer.position(where) > position;
    if (!moved && System.nanoTime() - deadline > 0) {
      throw new TimeoutException("reading " + where + " from " + from + " to " + to
          + " stood still at offset " + position + " for " + patience.toMillis() + " ms");
    }
  }
}
