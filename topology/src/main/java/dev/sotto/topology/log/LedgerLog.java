package dev.sotto.topology.log;

import java.util.Optional;
import java.util.function.Consumer;

/** The published ledger, read from committed data. */
public interface LedgerLog {
  /**
   * The bytes of the last committed entry of a partition. Waits until transactions that were open
   * when it was called have ended: an uncommitted tail is not the end.
   */
  Optional<byte[]> last(int partition);

  /** Hands the committed entries from a sequence number on to a visitor, in order. */
  void read(int partition, long fromSequence, Consumer<byte[]> visitor);

  /**
   * The name of the noise key of a round that was published elsewhere and is to come out here as it
   * was; null for rounds that follow the configuration. Only replays of a run whose key was rotated
   * know any.
   */
  default String keyOf(String modelId, long round) {
    return null;
  }

  /**
   * The newest round of a model that was published elsewhere and is to come out here; 0 where none
   * is. Only replays know any.
   */
  default long roundsElsewhere(String modelId) {
    return 0;
  }
}
