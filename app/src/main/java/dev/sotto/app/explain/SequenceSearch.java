package dev.sotto.app.explain;

import dev.sotto.learner.example.Slot;
import dev.sotto.topology.log.SequencedSlotDecoder;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LearnerSettings;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Finds an event in the funnel's sequence by halving: the source offsets of one partition grow
 * along it. Reads the whole sequence at most once over, where the partition is rare.
 */
final class SequenceSearch {
  private static final long WINDOW = 10_000;
  private static final String TASK = "sequence";

  private final PartitionReader reader;
  private final TopicPartition where;
  private final SequencedSlotDecoder decoder;
  private final Slot slot;
  private final ReadProgress watch;
  private long begin;
  private long end;
  private long read;

  SequenceSearch(
      PartitionReader reader, TopicPartition where, LearnerSettings settings, ReadProgress watch) {
    this.reader = reader;
    this.where = where;
    this.decoder = new SequencedSlotDecoder(settings.plan().inputs(), settings.sequenceCipher());
    this.slot = new Slot(settings.plan().inputs());
    this.watch = watch;
  }

  /**
   * What was found.
   *
   * @param offset in the sequence, or -1
   * @param earlier whether the sequence holds an earlier event of the partition
   * @param later whether it holds a later one
   */
  record Found(long offset, boolean earlier, boolean later) {}

  /** The event of a partition and an offset. */
  Found find(int partition, long offset) {
    begin = reader.beginning(where);
    end = reader.end(where);
    long low = begin;
    long high = end;
    boolean earlier = false;
    boolean later = false;
    while (low < high) {
      long from = high - low > WINDOW ? low + (high - low) / 2 : low;
      long[] first = first(partition, from, high);
      if (first[0] < 0) {
        high = from;
        if (from == low) {
          break;
        }
      } else if (first[1] == offset) {
        return new Found(first[0], earlier, later);
      } else if (first[1] < offset) {
        earlier = true;
        low = first[0] + 1;
      } else {
        later = true;
        if (from == low) {
          break;
        }
        high = from;
      }
    }
    return new Found(-1, earlier, later);
  }

  /**
   * Place and source offset of the first event of a partition in a range; -1 where it has none.
   */
  private long[] first(int partition, long from, long to) {
    long[] found = {-1, -1};
    reader.read(where, from, to, record -> {
      watch.at(TASK, Math.min(++read, end - begin), end - begin);
      decode(record);
      if (decoder.partition() != partition) {
        return true;
      }
      found[0] = record.offset();
      found[1] = decoder.offset();
      return false;
    });
    return found;
  }

  private void decode(ConsumerRecord<byte[], byte[]> record) {
    decoder.decode(record.key(), record.value(), slot);
  }

  /** The event behind a record of the sequence; null where it is none of the funnel's. */
  RecordPosition source(ConsumerRecord<byte[], byte[]> record, String eventTopic) {
    decode(record);
    return decoder.partition() < 0
        ? null
        : new RecordPosition(eventTopic, decoder.partition(), decoder.offset());
  }
}
