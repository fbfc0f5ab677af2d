package dev.sotto.topology.log;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads one piece of a partition of the event topic after the other, and goes on where the piece
 * before it of the same partition ended, without asking the broker again for what it was sent
 * already. Offsets without a record are never inferred, as in {@link KafkaSlotLog}.
 */
final class EventReader implements SlotLog {
  private static final Duration POLL = Duration.ofMillis(100);

  /** A fetch that waits would keep waiting for a partition that is of no interest any more. */
  private static final int MOST_WAIT = 10; // milliseconds

  private static final class Cursor {
    long position = -1; // the next offset that is of interest
    Iterator<ConsumerRecord<byte[], byte[]>> polled =
        List.<ConsumerRecord<byte[], byte[]>>of().iterator();
    ConsumerRecord<byte[], byte[]> next; // taken from the iterator, and not handed on
  }

  private final Map<String, Object> config;
  private final String topic;
  private final Duration patience;
  private final Map<TopicPartition, Cursor> cursors = new HashMap<>();
  private Consumer<byte[], byte[]> consumer; // null before the first reading

  /**
   * A reader.
   *
   * @param patience how long it may stand still before it gives up, so that the thread is replaced
   */
  EventReader(Map<String, Object> config, String topic, Duration patience) {
    this.config = new HashMap<>(config);
    this.config.put(
        ReaderConfig.OWN + ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, Integer.toString(MOST_WAIT));
    this.topic = topic;
    this.patience = patience;
  }

  @Override
  public boolean read(int partition, long from, long to, Visitor visitor) {
    TopicPartition where = new TopicPartition(topic, partition);
    try {
      Cursor cursor = cursorAt(where, from);
      long deadline = System.nanoTime() + patience.toNanos();
      while (true) {
        while (cursor.next != null || cursor.polled.hasNext()) {
          ConsumerRecord<byte[], byte[]> record =
              cursor.next == null ? cursor.polled.next() : cursor.next;
          cursor.next = record;
          if (record.offset() >= to) {
            cursor.position = to;
            return true;
          }
          cursor.next = null;
          cursor.position = record.offset() + 1;
          if (!visitor.accept(new SourceRecord(
              record.offset(), record.timestamp(), record.key(), record.value(), null))) {
            return false;
          }
        }
        long position = consumer.position(where);
        if (position > cursor.position) {
          cursor.position = Math.min(position, Math.max(to, cursor.position));
        }
        if (position >= to) {
          return true;
        }
        poll(where, cursor);
        if (cursor.polled.hasNext() || consumer.position(where) > position) {
          deadline = System.nanoTime() + patience.toNanos();
        } else if (System.nanoTime() - deadline > 0) {
          throw new TimeoutException("reading " + where + " from " + from + " to " + to
              + " stood still at offset " + position + " for " + patience.toMillis() + " ms");
        }
      }
    } catch (OffsetOutOfRangeException gone) {
      throw new UnsafeToContinueException(
          "the records of " + where + " from offset " + from + " to " + to
              + " have been announced, but not learned, and the topic no longer holds them; raise"
              + " retention.ms of " + topic
              + ". What they held cannot be learned again: " + NewHistory.START,
          gone);
    }
  }

  private void poll(TopicPartition where, Cursor cursor) {
    Set<TopicPartition> others = new HashSet<>(cursors.keySet());
    others.remove(where);
    consumer.pause(others);
    consumer.resume(List.of(where));
    cursor.polled = consumer.poll(POLL).records(where).iterator();
  }

  private Cursor cursorAt(TopicPartition where, long from) {
    if (consumer == null) {
      consumer = ReaderConfig.consumer(config, "read_committed");
    }
    Cursor cursor = cursors.get(where);
    if (cursor == null) {
      cursor = new Cursor();
      cursors.put(where, cursor);
      consumer.assign(cursors.keySet());
    }
    if (cursor.position != from) {
      consumer.seek(where, from);
      cursor.position = from;
      cursor.polled = List.<ConsumerRecord<byte[], byte[]>>of().iterator();
      cursor.next = null;
    }
    return cursor;
  }

  @Override
  public void close() {
    cursors.clear();
    if (consumer != null) {
      consumer.close();
      consumer = null;
    }
  }
}
