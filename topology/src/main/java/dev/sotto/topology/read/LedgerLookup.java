package dev.sotto.topology.read;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.LedgerProof;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Looks in the ledger for the entries that some model versions say they belong to. */
public final class LedgerLookup {
  private final Map<String, ModelSnapshot> wanted = new HashMap<>();
  private final Map<String, Boolean> found = new HashMap<>();
  private final Map<String, LedgerEntry> confirming = new HashMap<>();

  /** Looks for the entries of these versions, at most one of each model. */
  public LedgerLookup(Collection<ModelSnapshot> versions) {
    versions.forEach(each -> wanted.put(each.modelId(), each));
  }

  /** Takes the next record of the ledger; one that cannot be read matches nothing. */
  public void accept(byte[] bytes) {
    LedgerEntry entry;
    try {
      entry = Codecs.LEDGER.decode(bytes);
    } catch (UnreadableRecordException unreadable) {
      return; // LedgerChecker names it
    }
    ModelSnapshot version = wanted.get(entry.modelId());
    if (version == null || version.version() != entry.round()) {
      return;
    }
    boolean same = LedgerProof.confirms(entry, bytes, version);
    found.merge(entry.modelId(), same, Boolean::logicalOr);
    if (same) {
      confirming.put(entry.modelId(), entry);
    }
  }

  /** The entry that confirms a model's version; empty where none does. */
  public Optional<LedgerEntry> entry(String modelId) {
    return Optional.ofNullable(confirming.get(modelId));
  }

  /**
   * Whether a model's version is that of its entry; null where the ledger has no entry of its
   * round.
   */
  public Boolean matches(String modelId) {
    return found.get(modelId);
  }
}
