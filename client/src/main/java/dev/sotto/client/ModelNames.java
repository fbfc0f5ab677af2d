package dev.sotto.client;

import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/** Finds ids of models in the last records of a snapshots topic. */
final class ModelNames {
  private static final String MANIFEST = "/manifest";
  private static final long FIRST_WINDOW = 64;
  private static final long GROWTH = 8;

  private final TopicReader reader;

  ModelNames(TopicReader reader) {
    this.reader = reader;
  }

  /** The models of the last records, of each partition at least one if it has any. */
  SortedSet<String> find() {
    SortedSet<String> models = new TreeSet<>();
    List<TopicPartition> partitions = reader.partitions();
    Map<TopicPartition, Long> beginnings = reader.beginnings(partitions);
    Map<TopicPartition, Long> ends = reader.ends(partitions);
    partitions.forEach(each -> models.addAll(last(each, beginnings.get(each), ends.get(each))));
    return models;
  }

  private SortedSet<String> last(TopicPartition where, long begin, long end) {
    for (long window = FIRST_WINDOW; ; window *= GROWTH) {
      long from = Math.max(begin, end - window);
      SortedSet<String> models = new TreeSet<>();
      reader.read(where, from, end, record -> {
        if (SnapshotAssembler.isManifest(record.key())) {
          String key = new String(record.key(), StandardCharsets.UTF_8);
          models.add(key.substring(0, key.length() - MANIFEST.length()));
        }
      });
      if (!models.isEmpty() || from == begin) {
        return models;
      }
    }
  }
}
