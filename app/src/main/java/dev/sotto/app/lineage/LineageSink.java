package dev.sotto.app.lineage;

import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.TransientException;
import java.util.List;
import java.util.Map;

/** Where events go, and how far they have gone: that outlives the process. */
interface LineageSink extends AutoCloseable {
  /** The last entry of each ledger partition whose events are there, by partition. */
  Map<Integer, LedgerPlace> places();

  /**
   * Hands events on, in their order. Where it fails, {@link #places()} tells what is there.
   *
   * @throws TransientException where trying again may help
   * @throws SottoException where it does not
   */
  void write(List<EntryEvents> entries);

  @Override
  void close();
}
