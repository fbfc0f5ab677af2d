package dev.sotto.replay.cluster;

import org.apache.kafka.streams.processor.api.Record;

/** Receives every event before it is processed. */
@FunctionalInterface
public interface EventListener {
  /** One event. */
  void taken(int partition, Record<byte[], byte[]> event);
}
