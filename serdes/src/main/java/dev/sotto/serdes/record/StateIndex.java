package dev.sotto.serdes.record;

import dev.sotto.learner.training.VersionState;
import dev.sotto.serdes.avro.CompactDoubles;
import java.util.List;
import java.util.Optional;

/**
 * One model's state after some round, without its arrays: they are stored in pages, of which this
 * says what they are.
 *
 * @param position every slot of the model below this place is in this state
 * @param ledgerSequence sequence of the model's last ledger entry at that time, 0 before the first
 * @param round rounds released so far
 * @param before rounds of earlier generations
 * @param generation of the last round
 * @param digest the running digest, 32 bytes
 * @param version that is open
 * @param versionPlace of the open version's first slot, or -1 where none of its rounds is closed
 * @param compact whether the pages of the iterates are {@link CompactDoubles}; false where each
 *     takes 8 bytes
 * @param arrays of the state, each of another name
 */
public record StateIndex(
    long position,
    long ledgerSequence,
    long round,
    long before,
    int generation,
    byte[] digest,
    VersionState version,
    long versionPlace,
    boolean compact,
    List<StoredArray> arrays) {
  public StateIndex {
    arrays = List.copyOf(arrays);
  }

  /** The array of a name. */
  public Optional<StoredArray> array(String name) {
    return arrays.stream().filter(each -> each.name().equals(name)).findFirst();
  }
}
