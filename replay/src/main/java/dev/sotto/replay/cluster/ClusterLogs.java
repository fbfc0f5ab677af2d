package dev.sotto.replay.cluster;

import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.Logs;
import dev.sotto.topology.RoundsLog;
import dev.sotto.topology.SequencedDecoder;
import dev.sotto.topology.core.LedgerLog;
import dev.sotto.topology.core.PointLog;
import dev.sotto.topology.core.SlotLog;
import dev.sotto.topology.encryption.TopicCipher;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.common.header.Header;

/** The committed logs of a cluster in memory, as tasks read them again. */
record ClusterLogs(Cluster cluster) implements Logs {
  @Override
  public SlotLog slots(Map<String, Object> config, String topic, String modelHeader) {
    return (partition, from, to, visitor) -> {
      int patience = cluster.patience();
      try (Feed feed = cluster.feed(topic, partition)) {
        for (feed.seek(from); feed.hasNext() && feed.offset() < to; feed.advance()) {
          Header last = modelHeader == null ? null : feed.headers().lastHeader(modelHeader);
          byte[] model = last == null ? null : last.value();
          if (!visitor.accept(feed.offset(), feed.key(), feed.value(), model) || --patience <= 0) {
            return false;
          }
        }
        return true;
      }
    };
  }

  @Override
  public boolean sequenceHolds(
      Map<String, Object> config, String sequence, SequencedDecoder decoder, int partition) {
    Slot slot = new Slot(decoder.dimension());
    try (Feed feed = cluster.feed(sequence, 0)) {
      for (; feed.hasNext(); feed.advance()) {
        decoder.decode(feed.key(), feed.value(), slot);
        if (decoder.partition() == partition) {
          return true;
        }
      }
      return false;
    }
  }

  @Override
  public PointLog points(
      Map<String, Object> config, String control, TopicCipher cipher, String events) {
    return new PointLog() {
      @Override
      public void read(int partition, Consumer<RoundPoint> visitor) {
        try (Feed feed = cluster.feed(control, partition)) {
          for (; feed.hasNext(); feed.advance()) {
            RoundsLog.point(feed.key(), feed.value(), feed.headers(), cipher).ifPresent(visitor);
          }
        }
      }

      @Override
      public long endOfEvents(int partition) {
        return cluster.endOfEvents(partition);
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
    };
  }
}
