package dev.sotto.topology.log;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/**
 * Reads one piece of a partition of the event topic after the other, and goes on where the piece
 * before it of the same partition ended, without asking the broker again for what it was sent
 * already, as far as there is room for it. Offsets without a record are never inferred, as in
 * {@link KafkaSlotLog}.
 */
final class EventReader implements SlotLog {
  private static final Duration POLL = Duration.ofMillis(100);

  /** A fetch that waits would keep waiting for a partition that is of no interest any more. */
  private static final int MOST_WAIT = 10; // milliseconds

  /** What a record takes on the heap beside its bytes. */
  private static final long OBJECTS = 200;

  /** Of the heap, for records of partitions that wait while another is read. */
  private static final int PART_OF_HEAP = 16;

  private static final int TOGETHER = 64;
  private static final long LEAST_FETCH = 64 << 10;
  private static final long MOST_FETCH = 4 << 20;

  private static final class Cursor {
    long position = -1; // the next offset that is of interest
    Iterator<ConsumerRecord<byte[], byte[]>> polled = Collections.emptyIterator();
    ConsumerRecord<byte[], byte[]> next; // taken from the iterator, and not handed on
    long bytes; // of all that were polled together, until the last of them is taken

    void polled(List<ConsumerRecord<byte[], byte[]>> records) {
      polled = records.iterator();
      next = null;
      bytes = 0;
      for (ConsumerRecord<byte[], byte[]> each : records) {
        bytes += OBJECTS
            + Math.max(0, each.serializedKeySize())
            + Math.max(0, each.serializedValueSize());
      }
    }

    boolean isEmpty() {
      return next == null && !polled.hasNext();
    }
  }

  private final Supplier<Consumer<byte[], byte[]>> consumers;
  private final String topic;
  private final SourceReading reading;
  private final Duration patience;
  private final long most;
  /** Those read most recently come last. */
  private final Map<TopicPartition, Cursor> cursors = new LinkedHashMap<>(16, 0.75f, true);

  private Consumer<byte[], byte[]> consumer; // null before the first reading

  /**
   * A reader.
   *
   * @param patience how long it may stand still before it gives up, so that the thread is replaced
   */
  EventReader(Map<String, Object> config, String topic, SourceReading reading, Duration patience) {
    this(
        consumers(config),
        topic,
        reading,
        patience,
        Runtime.getRuntime().maxMemory() / PART_OF_HEAP);
  }

  /**
   * A reader with a consumer of another make.
   *
   * @param most bytes of records that are kept of partitions while another is read
   */
  EventReader(
      Supplier<Consumer<byte[], byte[]>> consumers,
      String topic,
      SourceReading reading,
      Duration patience,
      long most) {
    this.consumers = consumers;
    this.topic = topic;
    this.reading = reading;
    this.patience = patience;
    this.most = most;
  }

  /**
   * Bytes of one fetch of one partition: so few that those of {@value #TOGETHER} partitions have
   * room while they wait, or they would be fetched again for every range that is read.
   */
  static long fetchBytes(long heap) {
    return Math.max(LEAST_FETCH, Math.min(MOST_FETCH, heap / PART_OF_HEAP / TOGETHER));
  }

  /**
   * The most memory of a reader of a number of partitions: records that wait, the piece that is
   * being read, and a fetch of each partition.
   */
  static long bytes(long heap, int partitions) {
    return heap / PART_OF_HEAP + (partitions + 1) * fetchBytes(heap);
  }

  private static Supplier<Consumer<byte[], byte[]>> consumers(Map<String, Object> config) {
    Map<String, Object> own = new HashMap<>(config);
    own.put(
        ReaderConfig.OWN + ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, Integer.toString(MOST_WAIT));
    own.put(
        ReaderConfig.OWN + ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG,
        Long.toString(fetchBytes(Runtime.getRuntime().maxMemory())));
    return () -> ReaderConfig.consumer(own, "read_committed");
  }

  @Override
  public Reading read(int partition, long from, long to) {
    return new Piece(new TopicPartition(topic, partition), from, to);
  }

  private final class Piece implements Reading {
    private final TopicPartition where;
    private final long from;
    private final long to;
    private final Cursor cursor;
    private long deadline;
    private boolean moved = true; // since the deadline was set

    Piece(TopicPartition where, long from, long to) {
      this.where = where;
      this.from = from;
      this.to = to;
      this.cursor = cursorAt(where, from);
    }

    @Override
    public SourceRecord next() {
      try {
        while (cursor.position < to) {
          if (!cursor.isEmpty()) {
            ConsumerRecord<byte[], byte[]> record =
                cursor.next == null ? cursor.polled.next() : cursor.next;
            boolean within = record.offset() < to;
            cursor.next = within ? null : record;
            cursor.position = within ? record.offset() + 1 : to;
            moved = true;
            return within ? reading.record(record) : null;
          }
          look();
        }
        return null;
      } catch (OffsetOutOfRangeException gone) {
        throw new UnsafeToContinueException(
            "the records of " + where + " from offset " + from + " to " + to
                + " have been announced, but not learned, and the topic no longer holds them; raise"
                + " retention.ms of " + topic
                + ". What they held cannot be learned again: " + NewHistory.START,
            gone);
      }
    }

    /** There are no records behind the position, or they are fetched. */
    private void look() {
      if (moved) {
        deadline = System.nanoTime() + patience.toNanos();
      }
      long position = consumer.position(where);
      cursor.position = Math.min(Math.max(position, cursor.position), to);
      if (cursor.position >= to) {
        return;
      }
      poll(where, cursor);
      moved = !cursor.isEmpty() || consumer.position(where) > position;
      if (!moved && System.nanoTime() - deadline > 0) {
        throw new TimeoutException("reading " + where + " from " + from + " to " + to
            + " stood still at offset " + position + " for " + patience.toMillis() + " ms");
      }
    }

    @Override
    public boolean isWhole() {
      return cursor.position >= to;
    }
  }

  private void poll(TopicPartition where, Cursor cursor) {
    cursor.polled(List.of());
    makeRoom(where);
    Set<TopicPartition> others = new HashSet<>(cursors.keySet());
    others.remove(where);
    consumer.pause(others);
    consumer.resume(List.of(where));
    cursor.polled(consumer.poll(POLL).records(where));
  }

  /** Gives up what was polled of partitions that were not read for longest; it is fetched again. */
  private void makeRoom(TopicPartition where) {
    long held = held();
    for (Map.Entry<TopicPartition, Cursor> each : cursors.entrySet()) {
      Cursor other = each.getValue();
      if (held <= most) {
        return;
      }
      if (!each.getKey().equals(where) && other.bytes > 0) {
        held -= other.bytes;
        other.polled(List.of());
        consumer.seek(each.getKey(), other.position); // also drops what was fetched beyond
      }
    }
  }

  /** Bytes of all records that are kept. */
  long held() {
    return cursors.values().stream().mapToLong(each -> each.bytes).sum();
  }

  private Cursor cursorAt(TopicPartition where, long from) {
    if (consumer == null) {
      consumer = consumers.get();
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
      cursor.polled(List.of());
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
