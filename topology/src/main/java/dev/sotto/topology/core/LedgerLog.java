package dev.sotto.topology.core;

import java.util.Optional;
import java.util.function.Consumer;

/** The published ledger, read from committed data. */
public interface LedgerLog {
  /**
   * The bytes of the last committed entry of a partition. Waits until transactions that were open when it was
   * called have ended: an uncommitted tail is not the end.
   */
  Optional<byte[]> last(int partition);

  /** Hands the committed entries from a sequence number on to a visitor, in order. */
  void read(int partition, long fromSequence, Consumer<byte[]> visitor);
}
