package dev.sotto.serdes.record;

import java.util.List;
import java.util.Optional;

/**
 * One model's state after some round, without its arrays: they are stored in pages, of which this says what they are.
 *
 * @param position every slot of the model below this offset is in this state
 * @param ledgerSequence sequence of the model's last ledger entry at that time, 0 before the first
 * @param round rounds released so far
 * @param before rounds of earlier generations
 * @param generation of the last round
 * @param digest the running digest, 32 bytes
 * @param arrays of the state, each of another name
 */
public record StateIndex(
    long position,
    long ledgerSequence,
    long round,
    long before,
    int generation,
    byte[] digest,
    List<StoredArray> arrays) {
  public StateIndex {
    arrays = List.copyOf(arrays);
  }

  /** The array of a name. */
  public Optional<StoredArray> array(String name) {
    return arrays.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
