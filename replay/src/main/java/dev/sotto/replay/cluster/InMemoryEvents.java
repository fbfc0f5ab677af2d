package dev.sotto.replay.cluster;

import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.streams.processor.api.Record;

/** The event partitions of a cluster in memory, read piece by piece. */
final class InMemoryEvents implements SlotLog {
  private static final class Place {
    PartitionFeed feed;
    long position;
    long most; // behind the last record that was read
  }

  private final InMemoryCluster cluster;
  private final String topic;
  private final SourceReading reading;
  private final Map<Integer, Place> places = new HashMap<>();

  InMemoryEvents(InMemoryCluster cluster, String topic, SourceReading reading) {
    this.cluster = cluster;
    this.topic = topic;
    this.reading = reading;
  }

  @Override
  public boolean read(int partition, long from, long to, Visitor visitor) {
    Place place = places.computeIfAbsent(partition, this::open);
    if (place.position != from) {
      place.feed.seek(from);
      place.position = from;
    }
    int limit = cluster.readLimit();
    long bytes = cluster.fetchBytes();
    for (; place.feed.hasNext() && place.feed.offset() < to; place.feed.advance()) {
      PartitionFeed feed = place.feed;
      if (limit-- <= 0 || bytes <= 0) {
        return false;
      }
      bytes = InMemoryCluster.left(bytes, feed);
      place.position = feed.offset() + 1;
      if (place.position > place.most) {
        place.most = place.position;
        cluster.taken(
            partition,
            new Record<>(feed.key(), feed.value(), Math.max(0, feed.timestamp()), feed.headers()));
      }
      if (!visitor.accept(reading.record(
          feed.offset(), feed.timestamp(), feed.key(), feed.value(), feed.headers()))) {
        feed.advance();
        return false;
      }
    }
    if (cluster.followsOrder() && to > cluster.recordedTo(partition)) {
      cluster.endBeforeOrder(); // nothing behind what was announced and not recorded has its turn
      return false;
    }
    place.position = to;
    return true;
  }

  private Place open(int partition) {
    Place place = new Place();
    place.feed = cluster.feed(topic, partition);
    place.position = place.feed.position();
    return place;
  }

  @Override
  public void close() {
    places.values().forEach(each -> each.feed.close());
    places.clear();
  }
}
