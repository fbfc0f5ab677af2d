package dev.sotto.replay.cluster;

import org.apache.kafka.streams.processor.api.Record;

/** Takes what a learner publishes, as it is committed. All of it does nothing unless it is overridden. */
public interface Outputs {
  /** An entry of the ledger, as bytes. */
  default void ledger(int partition, String modelId, byte[] entry) {}

  /** A part of a snapshot: some weights, or the manifest that makes them whole. */
  default void snapshot(int partition, String key, byte[] value) {}

  /** Private metrics. */
  default void metrics(int partition, String modelId, byte[] value) {}

  /** A record that was set aside; its headers say why, and where it lay. */
  default void deadLetter(Record<byte[], byte[]> letter) {}
}
