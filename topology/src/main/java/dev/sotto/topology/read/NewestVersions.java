package dev.sotto.topology.read;

import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.apache.kafka.common.TopicPartition;

/**
 * The newest whole version of a model, found from the end of a topic of snapshots: what a reader
 * that begins needs, without the history before it. It reads the last few offsets of a partition,
 * and more and more of them, until they hold what is looked for: a third more in all than the last
 * attempt, which is at most four times as long as necessary.
 *
 * <p>Only committed records are read, and only versions whose chunks are all there and whose digest
 * fits are given out: where the newest is not whole, the one before it. Not safe for use by several
 * threads.
 */
public final class NewestVersions implements AutoCloseable {
  private static final long FIRST_WINDOW = 8;
  private static final int GROWTH = 4;

  private final PartitionReader reader;
  private final List<TopicPartition> partitions;
  private long records;
  private long bytes;
  private long damaged;

  /**
   * Opens a topic of snapshots.
   *
   * @param clients Kafka client settings
   * @throws dev.sotto.topology.failure.SottoException where no broker answers, the topic is
   *     missing, or reading it is not allowed
   */
  public NewestVersions(Map<String, ?> clients, String topic) {
    reader = new PartitionReader(clients, PartitionReader.COMMITTED);
    try {
      partitions = reader.partitions(topic);
    } catch (RuntimeException failed) {
      reader.close();
      throw failed;
    }
  }

  /**
   * The newest whole version of each of some models, by id; without those that have none.
   *
   * @throws dev.sotto.topology.failure.SottoException where reading fails or stands still
   */
  public Map<String, PublishedModel> of(Collection<String> models) {
    damaged = 0;
    Map<String, PublishedModel> all = new TreeMap<>();
    Set<String> left = new HashSet<>(models);
    for (TopicPartition each : partitions) {
      if (!left.isEmpty()) {
        Map<String, PublishedModel> found =
            search(each, newest -> newest.keySet().containsAll(left));
        found.keySet().retainAll(left);
        all.putAll(found);
        left.removeAll(found.keySet()); // a model lives in one partition
      }
    }
    return all;
  }

  /**
   * The newest whole version in each partition that has one, of whatever model.
   *
   * @throws dev.sotto.topology.failure.SottoException where reading fails or stands still
   */
  public List<PublishedModel> ofPartitions() {
    damaged = 0;
    return partitions.stream().map(this::last).flatMap(Optional::stream).toList();
  }

  private Optional<PublishedModel> last(TopicPartition where) {
    PublishedModel[] last = new PublishedModel[1];
    search(where, newest -> !newest.isEmpty(), each -> last[0] = each);
    return Optional.ofNullable(last[0]);
  }

  private Map<String, PublishedModel> search(
      TopicPartition where, Predicate<Map<String, PublishedModel>> enough) {
    return search(where, enough, each -> {});
  }

  /** Reads the last offsets of a partition, and more of them, until they are enough. */
  private Map<String, PublishedModel> search(
      TopicPartition where,
      Predicate<Map<String, PublishedModel>> enough,
      java.util.function.Consumer<PublishedModel> visitor) {
    long begin = reader.beginning(where);
    long end = reader.end(where);
    for (long window = FIRST_WINDOW; ; window *= GROWTH) {
      long from = Math.max(begin, end - window);
      SnapshotAssembler assembler = new SnapshotAssembler();
      long[] cut = {from == begin ? 0 : -1}; // damage that the window's own beginning does
      reader.read(where, from, end, record -> {
        records++;
        bytes +=
            Math.max(0, record.serializedKeySize()) + Math.max(0, record.serializedValueSize());
        assembler.acceptAny(record.key(), record.value()).ifPresent(visitor);
        if (cut[0] < 0 && SnapshotAssembler.isManifest(record.key())) {
          cut[0] = assembler.damaged();
        }
        return true;
      });
      Map<String, PublishedModel> newest = new TreeMap<>(assembler.newest());
      if (from == begin || enough.test(newest)) {
        damaged += assembler.damaged() - Math.max(0, cut[0]);
        return newest;
      }
    }
  }

  /** Records that were read so far, those that were read twice included. */
  public long recordsRead() {
    return records;
  }

  /** Bytes of their keys and values. */
  public long bytesRead() {
    return bytes;
  }

  /**
   * How many manifests did not verify in what the last search looked at, and how many records it
   * could not read. A version of which the search saw the end only is none of them.
   */
  public long damaged() {
    return damaged;
  }

  @Override
  public void close() {
    reader.close();
  }
}
