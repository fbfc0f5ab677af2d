package dev.sotto.replay.cluster;

import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.log.Announcing;
import dev.sotto.topology.log.JoinedTurns;
import dev.sotto.topology.log.OrderTurns;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The events of layout ordered as they arrive: their committed ends, and who announces them. What
 * is announced is in the order's topic at once, whatever becomes of the tasks' transactions.
 */
final class Arrivals {
  private static final class Partition {
    final PartitionFeed feed;
    final long begin;
    long end;
    long time; // the latest of its records
    long next; // where events come from a join: it has not written those from this offset on

    Partition(PartitionFeed feed) {
      this.feed = feed;
      this.begin = feed.position();
      this.end = begin;
    }
  }

  private final InMemoryCluster cluster;
  private final List<Partition> partitions = new ArrayList<>();
  private final boolean joined;
  private final Map<Integer, Long> ends = new TreeMap<>();
  private OrderTurns turns; // null while nobody announces
  private JoinedTurns merged; // of the same life
  private long arrived;

  /**
   * Nothing has arrived yet.
   *
   * @param joined whether the events are what a join writes, and not a recording
   */
  Arrivals(InMemoryCluster cluster, int count, boolean joined) {
    this.cluster = cluster;
    this.joined = joined;
    for (int i = 0; i < count; i++) {
      partitions.add(new Partition(cluster.topics().feed(cluster.settings().eventTopic(), i)));
    }
  }

  int partitions() {
    return partitions.size();
  }

  /** How many recorded events have arrived. */
  long count() {
    return arrived;
  }

  /** Lets some recorded events of a partition arrive; returns how many did. */
  int arrive(int partition, int most) {
    if (joined) {
      return 0;
    }
    Partition into = partitions.get(partition);
    int taken = 0;
    for (; taken < most && into.feed.hasNext(); taken++) {
      into.time = Math.max(into.time, into.feed.timestamp());
      into.feed.advance();
      into.end = into.feed.position();
    }
    arrived += taken;
    return taken;
  }

  /** The ends are asked for, and announced; whether that said anything. */
  boolean announce() {
    if (turns == null) {
      return false;
    }
    InMemoryPartition order = cluster.topics().log(Names.order(cluster.application()), 0);
    long before = order.end();
    if (joined) {
      readJoined();
      merged.announce(turns, each -> append(order, each));
    } else {
      for (int i = 0; i < partitions.size(); i++) {
        turns.begin(i, partitions.get(i).begin);
        ends.put(i, partitions.get(i).end);
      }
      turns.announce(ends, each -> append(order, each));
    }
    return order.end() > before;
  }

  private void append(InMemoryPartition order, Announcement announcement) {
    long now = partitions.stream().mapToLong(each -> each.time).max().orElse(0);
    order.append(new Record<>(null, Codecs.ANNOUNCEMENT.encode(announcement), now));
  }

  /** What the join has written since, and when the first event was appended that it has not. */
  private void readJoined() {
    for (int i = 0; i < partitions.size(); i++) {
      Partition each = partitions.get(i);
      turns.begin(i, each.begin);
      merged.begin(i);
      for (; each.feed.hasNext(); each.feed.advance()) {
        long time = LabelledEvent.time(each.feed.value());
        each.time = Math.max(each.time, time);
        each.next = LabelledEvent.offset(each.feed.value()) + 1;
        if (each.feed.offset() >= turns.end(i)) {
          merged.read(i, each.feed.offset() + 1, time);
        }
        each.end = each.feed.offset() + 1;
      }
      try (PartitionFeed events = cluster.topics().feed(cluster.settings().sourceTopic(), i)) {
        events.seek(each.next);
        if (events.hasNext()) {
          merged.readBefore(i, events.timestamp());
        } else if (events.isOver()) {
          merged.readBefore(i, Long.MAX_VALUE);
        }
      }
    }
  }

  /** Whether every event has arrived, and been announced. */
  boolean isOver() {
    for (int i = 0; i < partitions.size(); i++) {
      Partition each = partitions.get(i);
      if (each.feed.hasNext() || turns == null || !turns.knows(i) || turns.end(i) < each.end) {
        return false;
      }
    }
    return true;
  }

  /** One more life of the trainer, whose announcer knows what stands in the order's topic. */
  Announcing announce(OrderPlace place) {
    OrderTurns mine = new OrderTurns(place);
    try (PartitionFeed order = cluster.topics().feed(Names.order(cluster.application()), 0)) {
      for (order.seek(place.nextAnnouncement()); order.hasNext(); order.advance()) {
        Announcement earlier = Codecs.ANNOUNCEMENT.decode(order.value());
        mine.knows(earlier);
      }
    }
    turns = mine;
    merged = new JoinedTurns();
    if (joined) {
      partitions.forEach(each -> each.feed.seek(0));
    }
    return () -> turns = turns == mine ? null : turns;
  }

  void close() {
    partitions.forEach(each -> each.feed.close());
  }
}
