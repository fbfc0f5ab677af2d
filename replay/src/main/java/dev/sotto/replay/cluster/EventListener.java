package dev.sotto.replay.cluster;

import org.apache.kafka.streams.processor.api.Record;

/** Receives every event before it is processed, and every output as a task makes it. */
@FunctionalInterface
public interface EventListener {
  /** One event. */
  void taken(int partition, Record<byte[], byte[]> event);

  /** One output, before the commit that publishes it: its task may take more events until then. */
  default void made(String sink, Record<byte[], byte[]> output) {}
}
