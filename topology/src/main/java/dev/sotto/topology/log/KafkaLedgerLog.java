package dev.sotto.topology.log;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.read.OffsetRangeReader;
import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TimeoutException;

/** Reads the ledger topic, committed entries only. */
final class KafkaLedgerLog implements LedgerLog {
  private static final long FIRST_STEP = 64;

  private final Map<String, Object> config;
  private final String topic;
  private final Duration patience;

  KafkaLedgerLog(Map<String, Object> config, String topic, Duration patience) {
    this.config = config;
    this.topic = topic;
    this.patience = patience;
  }

  @Override
  public Optional<byte[]> last(int partition) {
    TopicPartition where = new TopicPartition(topic, partition);
    long written = end(where, "read_uncommitted");
    try (var consumer = ReaderConfig.toTheEnd(config, "read_committed")) {
      consumer.assign(List.of(where));
      return last(consumer, where, committedEnd(consumer, where, written));
    }
  }

  /** The same as far as it is committed by now, whatever is open behind. */
  Optional<byte[]> lastCommitted(int partition) {
    TopicPartition where = new TopicPartition(topic, partition);
    try (var consumer = ReaderConfig.toTheEnd(config, "read_committed")) {
      consumer.assign(List.of(where));
      return last(consumer, where, consumer.endOffsets(List.of(where)).get(where));
    }
  }

  private Optional<byte[]> last(
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      TopicPartition where,
      long end) {
    long begin = consumer.beginningOffsets(List.of(where)).get(where);
    for (long step = FIRST_STEP; ; step *= 8) {
      long from = Math.max(begin, end - step);
      byte[][] last = new byte[1][];
      scan(consumer, where, from, end, bytes -> last[0] = bytes);
      if (last[0] != null || from == begin) {
        return Optional.ofNullable(last[0]);
      }
    }
  }

  @Override
  public void read(int partition, long fromSequence, java.util.function.Consumer<byte[]> visitor) {
    TopicPartition where = new TopicPartition(topic, partition);
    try (var consumer = ReaderConfig.toTheEnd(config, "read_committed")) {
      consumer.assign(List.of(where));
      long end = consumer.endOffsets(List.of(where)).get(where);
      // Every entry takes an offset of its own, so the n-th lies at n - 1 or behind.
      long from = Math.max(consumer.beginningOffsets(List.of(where)).get(where), fromSequence - 1);
      scan(consumer, where, from, end, bytes -> {
        LedgerEntry entry = Codecs.LEDGER.decode(bytes);
        if (entry.sequence() >= fromSequence) {
          visitor.accept(bytes);
        }
      });
    }
  }

  private long end(TopicPartition where, String isolation) {
    try (var consumer = ReaderConfig.toTheEnd(config, isolation)) {
      return consumer.endOffsets(List.of(where)).get(where);
    }
  }

  /** The committed end, once every transaction that was open at {@code written} has ended. */
  private long committedEnd(
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      TopicPartition where,
      long written) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (true) {
      long end = consumer.endOffsets(List.of(where)).get(where);
      if (end >= written) {
        return end;
      }
      if (System.nanoTime() - deadline > 0) {
        throw new TimeoutException("a transaction on " + where + " has been open for "
            + patience.toMillis() + " ms: committed up to " + end + ", written up to " + written);
      }
      pause();
    }
  }

  private static void pause() {
    try {
      Thread.sleep(50);
    } catch (InterruptedException stop) {
      Thread.currentThread().interrupt();
      throw new TimeoutException("interrupted while waiting for the ledger's end", stop);
    }
  }

  private void scan(
      org.apache.kafka.clients.consumer.Consumer<byte[], byte[]> consumer,
      TopicPartition where,
      long from,
      long end,
      java.util.function.Consumer<byte[]> visitor) {
    OffsetRangeReader.read(consumer, where, from, end, patience, record -> {
      visitor.accept(record.value());
      return true;
    });
  }
}
