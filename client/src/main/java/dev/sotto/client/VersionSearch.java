package dev.sotto.client;

import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.TopicPartition;

/**
 * Looks for a version of one model from the end of the snapshots topic backwards: the newest is
 * found in the last records, however many versions there are.
 */
final class VersionSearch {
  private static final long FIRST_WINDOW = 64;
  private static final long GROWTH = 8;
  private static final int MOST_NAMED = 5;

  /**
   * A version with the time at which its manifest was written, in milliseconds since 1970.
   *
   * @param model the version
   * @param time of the record
   */
  record Found(PublishedModel model, long time) {}

  private final TopicReader reader;
  private final String modelId;
  private final byte[] prefix;
  private final Set<String> others = new TreeSet<>();
  private long oldest = Long.MAX_VALUE;
  private long newest = -1;

  VersionSearch(TopicReader reader, String modelId) {
    this.reader = reader;
    this.modelId = modelId;
    this.prefix = (modelId + "/").getBytes(StandardCharsets.UTF_8);
  }

  /** Whether a record of the snapshots topic is of this model. */
  boolean isOfModel(byte[] key) {
    if (key == null
        || key.length <= prefix.length
        || !Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length)) {
      return false;
    }
    for (int i = prefix.length; i < key.length; i++) {
      if (key[i] == '/') {
        return false; // of a model whose id begins with this one's and a slash
      }
    }
    return true;
  }

  /**
   * The newest whole version below some offsets, or that of one number.
   *
   * @param version the number, or empty for the newest
   */
  Optional<Found> find(
      OptionalLong version, List<TopicPartition> partitions, Map<TopicPartition, Long> ends) {
    Map<TopicPartition, Long> beginnings = reader.beginnings(partitions);
    oldest = Long.MAX_VALUE;
    newest = -1;
    for (TopicPartition each : partitions) {
      Optional<Found> found = find(version, each, beginnings.get(each), ends.get(each));
      if (found.isPresent()) {
        return found; // a model lives in one partition
      }
    }
    return Optional.empty();
  }

  private Optional<Found> find(OptionalLong version, TopicPartition where, long begin, long end) {
    for (long window = FIRST_WINDOW; ; window *= GROWTH) {
      long from = Math.max(begin, end - window);
      SnapshotAssembler assembler = new SnapshotAssembler();
      Found[] found = new Found[1];
      reader.read(where, from, end, record -> accept(record, version, assembler, found));
      if (found[0] != null || from == begin) {
        return Optional.ofNullable(found[0]);
      }
    }
  }

  private void accept(
      ConsumerRecord<byte[], byte[]> record,
      OptionalLong version,
      SnapshotAssembler assembler,
      Found[] found) {
    if (!isOfModel(record.key())) {
      remember(record.key());
      return;
    }
    assembler.acceptAny(record.key(), record.value()).ifPresent(whole -> {
      long number = whole.manifest().version();
      oldest = Math.min(oldest, number);
      newest = Math.max(newest, number);
      if (version.isEmpty() || version.getAsLong() == number) {
        found[0] = new Found(whole, record.timestamp());
      }
    });
  }

  private void remember(byte[] key) {
    if (others.size() < MOST_NAMED && SnapshotAssembler.isManifest(key)) {
      String text = new String(key, StandardCharsets.UTF_8);
      others.add(text.substring(0, text.lastIndexOf('/')));
    }
  }

  /** What the last search has met instead of the version that it looked for. */
  String met() {
    String instead = others.isEmpty() ? "" : "; it holds versions of " + String.join(", ", others);
    return newest < 0
        ? "the topic holds no whole version of model " + modelId + instead
        : "the versions of model " + modelId + " that are there go from " + oldest + " to "
            + newest;
  }
}
