package dev.sotto.client;

import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.snapshot.PublishedModel;
import dev.sotto.serdes.snapshot.SnapshotAssembler;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
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
   * @param partition in which it lies
   */
  record Found(PublishedModel model, long time, int partition) {}

  private final TopicReader reader;
  private final String modelId;
  private final byte[] prefix;
  private final Set<String> others = new TreeSet<>();
  private long oldest = Long.MAX_VALUE;
  private long newest = -1;
  private String damage; // of records behind the last whole version

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
   * The newest whole version between some offsets.
   *
   * @param wanted which versions may be taken
   */
  Optional<Found> find(
      Predicate<ModelSnapshot> wanted,
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> to) {
    damage = null;
    for (TopicPartition each : to.keySet()) {
      Optional<Found> found = find(wanted, each, from.get(each), to.get(each));
      if (found.isPresent()) {
        return found; // a model lives in one partition
      }
    }
    return Optional.empty();
  }

  private Optional<Found> find(
      Predicate<ModelSnapshot> wanted, TopicPartition where, long begin, long end) {
    for (long window = FIRST_WINDOW; ; window *= GROWTH) {
      long from = Math.max(begin, end - window);
      SnapshotAssembler assembler = new SnapshotAssembler();
      Found[] found = new Found[1];
      reader.read(where, from, end, record -> accept(record, wanted, assembler, found));
      if (found[0] != null || from == begin) {
        return Optional.ofNullable(found[0]);
      }
    }
  }

  private void accept(
      ConsumerRecord<byte[], byte[]> record,
      Predicate<ModelSnapshot> wanted,
      SnapshotAssembler assembler,
      Found[] found) {
    if (!isOfModel(record.key())) {
      remember(record.key());
      return;
    }
    long damaged = assembler.damaged();
    Optional<PublishedModel> complete = assembler.acceptAny(record.key(), record.value());
    if (assembler.damaged() > damaged) {
      damage = damage(record);
    }
    complete.ifPresent(whole -> {
      damage = null;
      long number = whole.manifest().version();
      oldest = Math.min(oldest, number);
      newest = Math.max(newest, number);
      if (wanted.test(whole.manifest())) {
        found[0] = new Found(whole, record.timestamp(), record.partition());
      }
    });
  }

  /** What is damaged behind the last whole version of the last search; empty where nothing is. */
  Optional<String> damage() {
    return Optional.ofNullable(damage);
  }

  /** What is wrong with a record that completes no version, though it should. */
  static String damage(ConsumerRecord<byte[], byte[]> record) {
    String where =
        record.topic() + ", partition " + record.partition() + ", offset " + record.offset();
    if (!SnapshotAssembler.isManifest(record.key())) {
      return where + " holds no chunk of weights";
    }
    try {
      ModelSnapshot manifest = Codecs.SNAPSHOT.decode(record.value());
      return "version " + manifest.version() + " of model " + manifest.modelId() + " (" + where
          + ") does not verify: a chunk of its weights is missing, or its digest differs";
    } catch (UnreadableRecordException unreadable) {
      return where + " holds no manifest that this version of Sotto understands: "
          + unreadable.getMessage();
    }
  }

  private void remember(byte[] key) {
    if (others.size() < MOST_NAMED && SnapshotAssembler.isManifest(key)) {
      String text = new String(key, StandardCharsets.UTF_8);
      others.add(text.substring(0, text.lastIndexOf('/')));
    }
  }

  /** What has been met instead of the version that it looked for. */
  String met() {
    String instead = others.isEmpty() ? "" : "; it holds versions of " + String.join(", ", others);
    return newest < 0
        ? "the topic holds no whole version of model " + modelId + instead
        : "the versions of model " + modelId + " that are there go from " + oldest + " to "
            + newest;
  }
}
