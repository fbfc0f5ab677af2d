package dev.sotto.topology.log;

import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.read.ReaderConfig;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.InterruptException;
import org.apache.kafka.common.errors.RetriableException;

/** Asks a cluster; with consumers that are kept while it is asked now and then. */
final class KafkaReadEnd implements ReadEnd {
  private static final Duration POLL = Duration.ofMillis(20);
  private static final int MOST_POLLS = 5;
  private static final Duration ASKED = Duration.ofSeconds(5);
  private static final long PAUSE = 250; // milliseconds, between looks at where it ends
  private static final int MOST_LOOKS = 20;

  private final Map<String, Object> config;
  private final String topic;
  private Consumer<byte[], byte[]> committed; // null before the first request
  private Consumer<byte[], byte[]> all;

  KafkaReadEnd(Map<String, Object> config, String topic) {
    this.config = new HashMap<>(config);
    // One record is enough to know that there is more.
    this.config.put(ReaderConfig.OWN + ConsumerConfig.MAX_POLL_RECORDS_CONFIG, "1");
    this.config.put(ReaderConfig.OWN + ConsumerConfig.MAX_PARTITION_FETCH_BYTES_CONFIG, "1024");
    this.config.put(ReaderConfig.OWN + ConsumerConfig.FETCH_MAX_WAIT_MS_CONFIG, "10");
    this.topic = topic;
  }

  @Override
  public long readBefore(int partition, long offset, long now, long wanted) {
    if (wanted > now) {
      return THERE_IS_MORE;
    }
    TopicPartition where = new TopicPartition(topic, partition);
    open(where);
    long end = all.endOffsets(List.of(where)).get(where);
    if (offset >= end) {
      return offset == end ? now : THERE_IS_MORE; // else a new leader's, or of another topic
    }
    committed.seek(where, offset);
    for (int polls = 0; polls < MOST_POLLS; polls++) {
      if (!committed.poll(POLL).isEmpty()) {
        return THERE_IS_MORE;
      }
      if (committed.position(where) >= end) { // markers, and records that were aborted
        return now;
      }
    }
    return THERE_IS_MORE;
  }

  private void open(TopicPartition where) {
    if (committed == null) {
      all = ReaderConfig.consumer(config, "read_uncommitted");
      committed = ReaderConfig.consumer(config, "read_committed");
      committed.assign(List.of(where));
    }
  }

  /** A leader that is new may not know at once how far its log is committed. */
  @Override
  public void requireReaches(int partition, long offset) {
    TopicPartition where = new TopicPartition(topic, partition);
    for (int looks = 0; offset > 0; looks++) {
      open(where);
      try {
        if (all.endOffsets(List.of(where), ASKED).get(where) >= offset) {
          return;
        }
        Thread.sleep(PAUSE);
      } catch (RetriableException unknown) {
        return;
      } catch (InterruptedException stop) {
        throw new InterruptException(stop);
      }
      if (looks == MOST_LOOKS) {
        throw new UnsafeToContinueException(
            "topic " + topic + " ends before what has been joined of it: it was deleted and made"
                + " again, or has lost records. Restore it. Labels may also come from a topic of"
                + " another name from now on; for other events, " + NewHistory.START);
      }
    }
  }

  @Override
  public void close() {
    if (committed != null) {
      committed.close();
      all.close();
      committed = null;
    }
  }
}
