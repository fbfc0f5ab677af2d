package dev.sotto.topology.log;

import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.topology.read.OffsetRangeReader;
import dev.sotto.topology.read.ReaderConfig;
import dev.sotto.topology.settings.LateLabels;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.TopicPartition;

/**
 * Reads on a cluster what a join has written, for {@link JoinedTurns}, and of the events that it
 * has not written yet the time of the first: others need not wait for it longer than that.
 */
final class KafkaJoinedEvents implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(10);
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final int MOST_POLLS = 20; // of one look
  private static final int FIRST_STEP = 8; // offsets, backwards
  private static final long UNKNOWN = -1;

  /** How far one partition of the events is known. */
  private static final class Partition {
    long next = UNKNOWN; // every event below this offset has been read, joined
    long taken; // every event below it had been taken by the join when this life began
    long unknownSince; // by the clock: events from next on may wait that the topic holds no more
    long first = UNKNOWN; // offset of the first event at or behind next
    long firstTime;
  }

  private final Announcing.Topics topics;
  private final LateLabels labels;
  private final OrderTurns turns;
  private final JoinedTurns merged = new JoinedTurns();
  private final Map<Integer, Partition> partitions = new HashMap<>();
  private final Consumer<byte[], byte[]> joined;
  private final Consumer<byte[], byte[]> events;
  private final Consumer<byte[], byte[]> uncommitted;

  /**
   * Goes on behind what has been announced.
   *
   * @param turns which tell it
   */
  KafkaJoinedEvents(Map<String, Object> config, Announcing.Topics topics, OrderTurns turns) {
    this.topics = topics;
    this.labels = topics.labels().orElseThrow();
    this.turns = turns;
    Map<String, Object> own = new HashMap<>(config);
    own.put(
        ReaderConfig.OWN + ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, Long.toString(POLL.toMillis()));
    this.joined = ReaderConfig.consumer(own, "read_committed");
    // One record is enough.
    own.put(ReaderConfig.OWN + ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "1024");
    this.events = ReaderConfig.consumer(own, "read_committed", topics.group());
    this.uncommitted = ReaderConfig.consumer(own, "read_uncommitted");
  }

  /**
   * Reads on for a while.
   *
   * @param ends committed ends of the joined events
   */
  JoinedTurns read(Map<Integer, Long> ends) {
    ends.keySet().forEach(each -> partitions.computeIfAbsent(each, this::begin));
    readJoined(ends);
    Set<Integer> awaited = new HashSet<>();
    ends.forEach((partition, end) -> {
      if (merged.isAwaited(partition) && joined.position(ofJoined(partition)) >= end) {
        awaited.add(partition);
      }
    });
    look(awaited);
    return merged;
  }

  private TopicPartition ofJoined(int partition) {
    return new TopicPartition(topics.events(), partition);
  }

  private TopicPartition ofEvents(int partition) {
    return new TopicPartition(labels.features(), partition);
  }

  /** What this life reads begins behind what has been announced. */
  private Partition begin(int partition) {
    Partition begun = new Partition();
    begun.taken = KafkaLogs.groupPosition(events, ofEvents(partition));
    TopicPartition where = ofJoined(partition);
    joined.pause(joined.assignment());
    Set<TopicPartition> all = new HashSet<>(joined.assignment());
    all.add(where);
    joined.assign(all);
    long end = turns.end(partition);
    long begin = joined.beginningOffsets(List.of(where)).get(where);
    for (long step = FIRST_STEP, from = end; begun.next == UNKNOWN && from > begin; step *= 8) {
      from = Math.max(begin, end - step);
      OffsetRangeReader.read(joined, where, from, end, PATIENCE, record -> {
        begun.next = LabelledEvent.offset(record.value()) + 1;
        return true;
      });
    }
    joined.seek(where, end);
    begun.unknownSince = begun.next == UNKNOWN ? System.currentTimeMillis() : 0;
    merged.begin(partition);
    return begun;
  }

  private void readJoined(Map<Integer, Long> ends) {
    for (int polls = 0; polls < MOST_POLLS; polls++) {
      List<TopicPartition> wanted = ends.keySet().stream()
          .filter(each -> !merged.isFull(each) && joined.position(ofJoined(each)) < ends.get(each))
          .map(this::ofJoined)
          .toList();
      if (wanted.isEmpty()) {
        return;
      }
      joined.pause(joined.assignment());
      joined.resume(wanted);
      for (ConsumerRecord<byte[], byte[]> each : joined.poll(POLL)) {
        Partition of = partitions.get(each.partition());
        of.next = LabelledEvent.offset(each.value()) + 1;
        of.unknownSince = 0;
        merged.read(each.partition(), each.offset() + 1, LabelledEvent.time(each.value()));
      }
    }
  }

  /** Looks up to when nothing comes of partitions for which the others wait. */
  private void look(Set<Integer> awaited) {
    long now = System.currentTimeMillis();
    Set<TopicPartition> unread = new HashSet<>();
    for (int each : awaited) {
      Partition of = partitions.get(each);
      boolean waits = of.first != UNKNOWN && of.first >= of.next; // in the join
      if (!waits || of.next == UNKNOWN && isOver(of, now)) {
        unread.add(ofEvents(each));
      }
    }
    if (unread.isEmpty()) {
      return;
    }
    Map<TopicPartition, Long> ends = uncommitted.endOffsets(unread);
    Map<TopicPartition, Long> begins = events.beginningOffsets(unread);
    Map<TopicPartition, Long> from = new HashMap<>();
    for (TopicPartition each : unread) {
      long begin = known(partitions.get(each.partition()), begins.get(each), now);
      if (begin != UNKNOWN) {
        from.put(each, begin);
      }
    }
    readFirst(from, ends);
    from.forEach((where, position) -> {
      Partition of = partitions.get(where.partition());
      if (of.first >= position) {
        merged.readBefore(where.partition(), of.firstTime);
      } else if (position >= ends.get(where)) {
        of.next = Math.max(of.next, position);
        merged.readBefore(where.partition(), now - labels.grace().toMillis());
      }
    });
  }

  /**
   * The offset from which on the topic shows every event that may still be joined. What it no
   * longer holds, and what this life does not know to have been taken before the join began, may
   * wait in the join for as long as events wait, and no longer.
   */
  private long known(Partition of, long begin, long now) {
    if (isOver(of, now)) {
      of.next = Math.max(begin, of.next == UNKNOWN ? of.taken : of.next);
      of.unknownSince = 0;
    }
    if (of.next == UNKNOWN || of.next >= begin) {
      return Math.max(of.next, begin);
    }
    if (of.unknownSince == 0) {
      of.unknownSince = now;
    }
    return UNKNOWN;
  }

  /** Whether all that nobody knows of has been joined, as long as the join keeps up. */
  private boolean isOver(Partition of, long now) {
    return of.unknownSince > 0
        && now - of.unknownSince > labels.patience().plus(labels.grace()).toMillis();
  }

  /** Finds the first event of each partition, or moves its position to where there is none. */
  private void readFirst(Map<TopicPartition, Long> from, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> left = new HashMap<>(from);
    left.entrySet().removeIf(each -> each.getValue() >= ends.get(each.getKey()));
    if (left.isEmpty()) {
      return;
    }
    events.assign(left.keySet());
    left.forEach(events::seek);
    try {
      for (int polls = 0; polls < MOST_POLLS && !left.isEmpty(); polls++) {
        for (ConsumerRecord<byte[], byte[]> each : events.poll(POLL)) {
          Partition of = partitions.get(each.partition());
          if (left.remove(new TopicPartition(each.topic(), each.partition())) != null) {
            of.first = each.offset();
            of.firstTime = each.timestamp();
          }
        }
        left.keySet().removeIf(each -> {
          from.put(each, events.position(each)); // markers, and records that were aborted
          return from.get(each) >= ends.get(each);
        });
      }
    } catch (OffsetOutOfRangeException gone) {
      from.clear(); // retention was faster than the look
    }
  }

  @Override
  public void close() {
    joined.close();
    events.close();
    uncommitted.close();
  }
}
