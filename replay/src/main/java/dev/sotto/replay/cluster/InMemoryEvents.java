package dev.sotto.replay.cluster;

import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.log.SourceRecord;
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
  public Reading read(int partition, long from, long to) {
    Place place = places.computeIfAbsent(partition, this::open);
    if (place.position != from) {
      place.feed.seek(from);
      place.position = from;
    }
    return new Piece(place, partition, to);
  }

  private final class Piece implements Reading {
    private final Place place;
    private final int partition;
    private final long to;
    private int records = cluster.readLimit();
    private long bytes = cluster.fetchBytes();

    Piece(Place place, int partition, long to) {
      this.place = place;
      this.partition = partition;
      this.to = to;
    }

    @Override
    public SourceRecord next() {
      PartitionFeed feed = place.feed;
      if (!feed.hasNext() || feed.offset() >= to) {
        end();
        return null;
      }
      if (records <= 0 || bytes <= 0) {
        return null;
      }
      records--;
      bytes -= feed.bytes();
      place.position = feed.offset() + 1;
      if (place.position > place.most) {
        place.most = place.position;
        cluster.taken(
            partition,
            new Record<>(feed.key(), feed.value(), Math.max(0, feed.timestamp()), feed.headers()));
      }
      SourceRecord record =
          reading.record(feed.offset(), feed.timestamp(), feed.key(), feed.value(), feed.headers());
      feed.advance();
      return record;
    }

    private void end() {
      if (cluster.topics().followsOrder() && to > cluster.topics().recordedTo(partition)) {
        cluster.endBeforeOrder(); // nothing behind what was announced and not recorded has its turn
      } else {
        place.position = to;
      }
    }

    @Override
    public boolean isWhole() {
      return place.position >= to;
    }
  }

  private Place open(int partition) {
    Place place = new Place();
    place.feed = cluster.topics().feed(topic, partition);
    place.position = place.feed.position();
    return place;
  }

  @Override
  public void close() {
    places.values().forEach(each -> each.feed.close());
    places.clear();
  }
}
