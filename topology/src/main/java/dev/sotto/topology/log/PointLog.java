package dev.sotto.topology.log;

import dev.sotto.serdes.record.RoundPoint;
import java.util.function.Consumer;

/**
 * What a worker reads for itself after a restart: the rounds that have been opened, and how far its
 * events go.
 */
public interface PointLog {
  /** Hands on what is committed, in order: at least the pieces of the newest rounds. */
  void read(int partition, Consumer<RoundPoint> visitor);

  /** One past the last committed offset of an event partition. */
  long endOfEvents(int partition);
}
