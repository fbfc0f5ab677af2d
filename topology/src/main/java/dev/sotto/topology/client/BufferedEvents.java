package dev.sotto.topology.client;

import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.ConsumerRecords;
import org.apache.kafka.common.TopicPartition;

/**
 * How many bytes of records wait between a consumer's poll and their processor, by partition.
 * Streams itself bounds their number only. A partition belongs to one thread at a time, which both
 * polls and processes.
 */
public final class BufferedEvents {
  /** What a record takes on the heap beside its bytes: objects, headers, places in queues. */
  public static final long OBJECTS = 200;

  private static final int TOGETHER = 64;

  private final Map<TopicPartition, Waiting> partitions = new ConcurrentHashMap<>();

  BufferedEvents() {}

  /** Records of one partition that wait, a few of them in each entry. */
  static final class Waiting {
    private final Deque<long[]> entries = new ArrayDeque<>(); // the last offset, and bytes
    private long bytes;
    private volatile long next = Long.MAX_VALUE; // the last offset of the first entry

    private synchronized void add(List<ConsumerRecord<byte[], byte[]>> records) {
      for (int from = 0; from < records.size(); from += TOGETHER) {
        int to = Math.min(records.size(), from + TOGETHER);
        long sum = 0;
        for (ConsumerRecord<byte[], byte[]> each : records.subList(from, to)) {
          sum += OBJECTS
              + Math.max(0, each.serializedKeySize())
              + Math.max(0, each.serializedValueSize());
        }
        entries.add(new long[] {records.get(to - 1).offset(), sum});
        bytes += sum;
      }
      next = entries.isEmpty() ? Long.MAX_VALUE : entries.peek()[0];
    }

    /** A record has come to its processor. */
    void taken(long offset) {
      if (offset >= next) {
        drop(offset);
      }
    }

    private synchronized void drop(long offset) {
      while (!entries.isEmpty() && entries.peek()[0] <= offset) {
        bytes -= entries.poll()[1];
      }
      next = entries.isEmpty() ? Long.MAX_VALUE : entries.peek()[0];
    }

    private synchronized long bytes() {
      return bytes;
    }
  }

  /** What waits of a partition. */
  Waiting of(TopicPartition partition) {
    return partitions.computeIfAbsent(partition, none -> new Waiting());
  }

  /** Records have come, of which those of some topics will be taken. */
  void polled(ConsumerRecords<byte[], byte[]> records, Set<String> topics) {
    records.partitions().stream()
        .filter(each -> topics.contains(each.topic()))
        .forEach(each -> of(each).add(records.records(each)));
  }

  /** Nothing waits any more of some partitions: they have moved, or are read again. */
  void forget(Collection<TopicPartition> some) {
    some.forEach(each -> {
      Waiting waiting = partitions.get(each);
      if (waiting != null) {
        waiting.taken(Long.MAX_VALUE);
      }
    });
  }

  /** Bytes of a partition's records that wait. */
  long bytes(TopicPartition partition) {
    Waiting waiting = partitions.get(partition);
    return waiting == null ? 0 : waiting.bytes();
  }

  /** Bytes of all records that wait. */
  public long bytes() {
    return partitions.values().stream().mapToLong(Waiting::bytes).sum();
  }
}
