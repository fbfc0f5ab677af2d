package dev.sotto.replay.cluster;

import org.apache.kafka.streams.processor.api.Record;

/** Receives what a learner publishes, as it is committed. */
public interface OutputListener {
  /** An entry of the ledger, as bytes. */
  default void ledger(int partition, String modelId, byte[] entry) {}

  /** A part of a snapshot: some of its weights, or its manifest. */
  default void snapshot(int partition, String key, byte[] value) {}

  /** Private metrics. */
  default void metrics(int partition, String modelId, byte[] value) {}

  /** A dead letter: an unusable record, with headers that say why, and where it comes from. */
  default void deadLetter(Record<byte[], byte[]> letter) {}
}
