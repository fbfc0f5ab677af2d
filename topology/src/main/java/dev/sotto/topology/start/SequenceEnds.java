package dev.sotto.topology.start;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.StoragePlace;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.Names;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/**
 * How far a stopped funnel has read each event partition, by its own sequence: what a consumer group
 * says can be moved. Read from the end backwards; in the sequence a partition's slots stand in their
 * order.
 */
final class SequenceEnds {
  private static final long FIRST_STEP = 16_384;

  private SequenceEnds() {}

  /**
   * What it has forwarded.
   *
   * @param clients Kafka client settings
   * @param app whose sequence it is
   * @param partitions of the event topic
   * @param encryption under which the sequence was written
   * @return one range a partition of which there is a slot; empty where a record cannot be read
   */
  static Optional<List<OffsetRange>> read(
      Map<String, ?> clients, String app, int partitions, Encryption encryption) {
    TopicPartition sequence = new TopicPartition(Names.sequence(app), 0);
    var cipher = encryption.topic(StoragePlace.topic(sequence.topic(), 0));
    SlotCodec codec = new SlotCodec();
    Map<Integer, Long> next = new TreeMap<>();
    boolean[] unreadable = new boolean[1];
    try (PartitionReader reader = new PartitionReader(clients, PartitionReader.COMMITTED)) {
      long begin = reader.beginning(sequence);
      long end = reader.end(sequence);
      long step = FIRST_STEP;
      for (long to = end; to > begin && next.size() < partitions && !unreadable[0]; step *= 4) {
        long from = Math.max(begin, to - step);
        reader.read(sequence, from, to, record -> {
          byte[] slot;
          try {
            slot = cipher.open(record.value());
          } catch (RuntimeException foreign) {
            slot = null;
          }
          if (!codec.locate(slot)) {
            unreadable[0] = true;
            return false;
          }
          next.merge(codec.partition(), codec.offset() + 1, Math::max);
          return true;
        });
        to = from;
      }
    }
    if (unreadable[0]) {
      return Optional.empty();
    }
    List<OffsetRange> learned = new ArrayList<>();
    next.forEach((partition, to) -> learned.add(new OffsetRange(partition, 0, to)));
    return Optional.of(learned);
  }
}
