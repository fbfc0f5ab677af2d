package dev.sotto.replay.recording.text;

import org.apache.kafka.common.utils.Utils;

/**
 * To which partition a record goes: by the hash of its key, as Kafka's producer chooses it; in turn
 * where it has none. It must see every record in order, those that are left out too.
 */
public final class KeyPartitioner {
  private final int partitions;
  private long withKey;
  private long withoutKey;

  /** Over this number of partitions, at least 1. */
  public KeyPartitioner(int partitions) {
    this.partitions = partitions;
  }

  /** The partition of the next record. */
  public int next(byte[] key) {
    if (key == null) {
      return (int) (withoutKey++ % partitions);
    }
    withKey++;
    return partitions == 1 ? 0 : Utils.toPositive(Utils.murmur2(key)) % partitions;
  }

  /** How records were spread, in words. */
  public String words() {
    String how = withKey == 0
        ? "in turns, since they have no key"
        : withoutKey == 0 ? "by key" : "by key, or in turns where they have none";
    return "spread over " + partitions + " partitions " + how;
  }
}
