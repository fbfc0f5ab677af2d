package dev.sotto.replay.cluster;

import org.apache.kafka.streams.processor.api.Record;

/** Hears of every event before it is processed. */
@FunctionalInterface
public interface EventWatcher {
  /** One event. */
  void taken(int partition, Record<byte[], byte[]> event);
}
