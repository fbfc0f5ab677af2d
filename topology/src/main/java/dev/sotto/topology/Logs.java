package dev.sotto.topology;

import dev.sotto.topology.core.LedgerLog;
import dev.sotto.topology.core.SlotLog;
import java.util.Map;

/** Makes the readers of committed logs for one task; tests without a broker have their own. */
public interface Logs {
  /**
   * A reader of the training topic.
   *
   * @param config the application's configuration, for its client settings
   * @param modelHeader name of the header to hand on, or null
   */
  SlotLog slots(Map<String, Object> config, String topic, String modelHeader);

  /** Whether the funnel's sequence holds any committed slot of an event partition. */
  boolean sequenceHolds(
      Map<String, Object> config, String sequence, SequencedDecoder decoder, int partition);

  /** A reader of the ledger topic. */
  LedgerLog ledger(Map<String, Object> config, String topic);
}
