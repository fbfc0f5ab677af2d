package dev.sotto.topology.layout;

import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.rocksdb.PersistentStores;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.TopicSettings;
import java.util.Map;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.state.KeyValueBytesStoreSupplier;
import org.apache.kafka.streams.state.KeyValueStore;
import org.apache.kafka.streams.state.StoreBuilder;
import org.apache.kafka.streams.state.Stores;

/** The stores of a learner's processors, in memory or on disk, each with its changelog. */
public final class LearnerStores {
  /**
   * Segments roll by time too: with the events' own times ten years of them would make hundreds.
   * And a segment that is being written is never compacted: with Kafka's 1 GiB a state of 60 MB,
   * written over and over, would lie there up to 20 times, all of it read by whoever restores it.
   * With 64 MiB a changelog stays below about three times the state plus what is written while the
   * broker's cleaner sleeps (15 s by default).
   */
  private static final Map<String, String> CHANGELOG = Map.of(
      "message.timestamp.type",
      "LogAppendTime",
      "segment.bytes",
      Integer.toString(64 << 20),
      TopicSettings.DELETIONS,
      Long.toString(TopicSettings.DELETIONS_KEPT.toMillis()));

  private LearnerStores() {}

  /** What joins keep: few writes, since they gather themselves what changes often. */
  public static StoreBuilder<KeyValueStore<String, byte[]>> joins() {
    return stored(Names.JOINS);
  }

  /**
   * Small and persistent, so that the process keeps its id over a restart and fences its dead
   * transaction at once.
   */
  static StoreBuilder<KeyValueStore<String, byte[]>> heads() {
    return stored(Names.HEADS);
  }

  /** One short history per unit, of any number of units: on disk. */
  static StoreBuilder<KeyValueStore<String, byte[]>> units() {
    return stored(Names.UNITS);
  }

  private static StoreBuilder<KeyValueStore<String, byte[]>> stored(String name) {
    return Stores.keyValueStoreBuilder(
            PersistentStores.values(name), Serdes.String(), Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingDisabled();
  }

  /** One model on the heap, beside the one that learns; many models on disk. */
  static StoreBuilder<KeyValueStore<String, byte[]>> learner(LearnerSettings settings) {
    return Stores.keyValueStoreBuilder(
            settings.modelIds().sharesPartitions()
                ? pages(settings.encryption())
                : Stores.inMemoryKeyValueStore(Names.LEARNER),
            Serdes.String(),
            Serdes.ByteArray())
        .withLoggingEnabled(CHANGELOG)
        .withCachingDisabled();
  }

  /**
   * Encrypted values are verified by RocksDB too, although they need not be: what does not decrypt
   * is taken for written under another key, and stops the learner, where a damaged file should not.
   */
  private static KeyValueBytesStoreSupplier pages(Encryption encryption) {
    return encryption.equals(Encryption.none())
        ? PersistentStores.pages(Names.LEARNER)
        : PersistentStores.values(Names.LEARNER);
  }
}
