package dev.sotto.replay.cluster;

import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.log.Announcing;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.PointLog;
import dev.sotto.topology.log.ReadEnd;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The committed logs of a cluster in memory. */
record InMemoryLogs(InMemoryCluster cluster) implements Logs {
  @Override
  public SlotLog source(Map<String, Object> config, String topic, SourceReading reading) {
    return (partition, from, to) -> {
      PartitionFeed feed = cluster.topics().feed(topic, partition);
      feed.seek(from);
      return new FeedReading(feed, to, cluster.readLimit(), cluster.fetchBytes(), reading);
    };
  }

  @Override
  public SlotLog events(Map<String, Object> config, String topic, SourceReading reading) {
    return new InMemoryEvents(cluster, topic, reading);
  }

  @Override
  public Announcing announce(
      Map<String, Object> config, Announcing.Topics topics, OrderPlace place) {
    return cluster.arrivals() == null ? () -> {} : cluster.arrivals().announce(place);
  }

  @Override
  public long groupPosition(Map<String, Object> config, String group, String topic, int partition) {
    return cluster.committed(topic, partition);
  }

  @Override
  public int partitions(Map<String, Object> config, String topic) {
    return cluster.topics().partitions();
  }

  @Override
  public ReadEnd end(Map<String, Object> config, String topic) {
    return (partition, offset, now, wanted) -> {
      try (PartitionFeed feed = cluster.topics().feed(topic, partition)) {
        feed.seek(offset);
        return !feed.hasNext() && feed.isOver() ? Long.MAX_VALUE : ReadEnd.THERE_IS_MORE;
      }
    };
  }

  @Override
  public PointLog points(
      Map<String, Object> config, String control, TopicCipher cipher, String events) {
    return new PointLog() {
      @Override
      public void read(int partition, Consumer<RoundPoint> visitor) {
        try (PartitionFeed feed = cluster.topics().feed(control, partition)) {
          for (; feed.hasNext(); feed.advance()) {
            ControlRecords.point(feed.key(), feed.value(), feed.headers(), cipher)
                .ifPresent(visitor);
          }
        }
      }

      @Override
      public long endOfEvents(int partition) {
        return cluster.topics().endOfEvents(partition);
      }
    };
  }

  @Override
  public LedgerLog ledger(Map<String, Object> config, String topic) {
    return new LedgerLog() {
      @Override
      public Optional<byte[]> last(int partition) {
        List<byte[]> entries = cluster.ledger(partition);
        return entries.isEmpty() ? Optional.empty() : Optional.of(entries.get(entries.size() - 1));
      }

      @Override
      public void read(int partition, long fromSequence, Consumer<byte[]> visitor) {
        List.copyOf(cluster.ledger(partition)).stream().skip(fromSequence - 1).forEach(visitor);
      }

      @Override
      public String keyOf(String modelId, long round) {
        return cluster.keys().keyOf(modelId, round);
      }

      @Override
      public long roundsElsewhere(String modelId) {
        return cluster.keys().rounds(modelId);
      }
    };
  }
}
