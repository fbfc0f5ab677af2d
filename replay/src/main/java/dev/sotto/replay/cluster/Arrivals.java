package dev.sotto.replay.cluster;

import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.topology.log.Announcing;
import dev.sotto.topology.log.OrderTurns;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.streams.processor.api.Record;

/**
 * The events of layout ordered as they arrive: their committed ends, and who announces them. What is
 * announced is in the order's topic at once, whatever becomes of the tasks' transactions.
 */
final class Arrivals {
  private static final class Partition {
    final PartitionFeed feed;
    final long begin;
    long end;
    long time; // the latest of its records

    Partition(PartitionFeed feed) {
      this.feed = feed;
      this.begin = feed.position();
      this.end = begin;
    }
  }

  private final InMemoryCluster cluster;
  private final List<Partition> partitions = new ArrayList<>();
  private final boolean recorded;
  private final Map<Integer, Long> ends = new TreeMap<>();
  private final Map<Integer, Long> announced = new TreeMap<>();
  private OrderTurns turns; // null while nobody announces
  private long arrived;

  /**
   * Nothing has arrived yet.
   *
   * @param recorded whether the events are a recording, and not what a join writes
   */
  Arrivals(InMemoryCluster cluster, int count, boolean recorded) {
    this.cluster = cluster;
    this.recorded = recorded;
    for (int i = 0; i < count; i++) {
      partitions.add(new Partition(cluster.feed(cluster.settings().eventTopic(), i)));
    }
  }

  int partitions() {
    return partitions.size();
  }

  /** How many events have arrived. */
  long count() {
    return arrived;
  }

  /** Lets some events of a partition arrive; returns how many did. */
  int arrive(int partition, int most) {
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

  /** What a join has written has arrived, with its transactions' markers. */
  private void arriveAsWritten() {
    for (int i = 0; i < partitions.size(); i++) {
      arrive(i, Integer.MAX_VALUE);
      partitions.get(i).end = cluster.log(cluster.settings().eventTopic(), i).end();
    }
  }

  /** The ends are asked for, and announced; whether that said anything. */
  boolean announce() {
    if (turns == null) {
      return false;
    }
    if (!recorded) {
      arriveAsWritten();
    }
    long time = 0;
    for (int i = 0; i < partitions.size(); i++) {
      Partition each = partitions.get(i);
      turns.begin(i, each.begin);
      ends.put(i, each.end);
      time = Math.max(time, each.time);
    }
    InMemoryPartition order = cluster.log(Names.order(cluster.application()), 0);
    long before = order.end();
    long now = time;
    turns.announce(
        ends, each -> order.append(new Record<>(null, Codecs.ANNOUNCEMENT.encode(each), now)));
    announced.putAll(ends);
    return order.end() > before;
  }

  /** Whether every event has arrived, and been announced. */
  boolean isOver() {
    for (int i = 0; i < partitions.size(); i++) {
      boolean more = recorded
          ? partitions.get(i).feed.hasNext()
          : partitions.get(i).end
              < cluster.log(cluster.settings().eventTopic(), i).end();
      if (more || announced.getOrDefault(i, -1L) < partitions.get(i).end) {
        return false;
      }
    }
    return true;
  }

  /** One more life of the trainer, whose announcer knows what stands in the order's topic. */
  Announcing announce(OrderPlace place) {
    OrderTurns mine = new OrderTurns(place);
    try (PartitionFeed order = cluster.feed(Names.order(cluster.application()), 0)) {
      for (order.seek(place.next()); order.hasNext(); order.advance()) {
        Announcement earlier = Codecs.ANNOUNCEMENT.decode(order.value());
        mine.knows(earlier);
      }
    }
    turns = mine;
    return () -> turns = turns == mine ? null : turns;
  }

  void close() {
    partitions.forEach(each -> each.feed.close());
  }
}
