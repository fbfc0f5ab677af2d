package dev.sotto.topology.read;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.core.Hashes;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Follows the chain of every ledger partition, and says where it is broken. */
public final class LedgerChecker {
  private final Map<Integer, byte[]> hashes = new HashMap<>();
  private final Map<Integer, Long> sequences = new HashMap<>();
  private final Map<String, LedgerEntry> newest = new HashMap<>();
  private final List<String> faults = new ArrayList<>();

  /** Takes the next entry of a partition, and returns it. */
  public LedgerEntry accept(int partition, long offset, byte[] bytes) {
    LedgerEntry entry = Codecs.LEDGER.decode(bytes);
    String where = "partition " + partition + ", offset " + offset + " (sequence " + entry.sequence() + ")";
    long expected = sequences.getOrDefault(partition, 0L) + 1;
    if (entry.sequence() != expected) {
      faults.add(where + ": expected sequence " + expected);
    }
    if (!Arrays.equals(entry.previousHash(), hashes.getOrDefault(partition, Hashes.none()))) {
      faults.add(where + ": previousHash is not the hash of the entry before");
    }
    LedgerEntry before = newest.get(entry.modelId());
    boolean sameRun = before != null && Arrays.equals(before.runId(), entry.runId());
    if (sameRun && entry.round() != before.round() + 1) {
      faults.add(where + ": round " + entry.round() + " of model " + entry.modelId() + " follows round "
          + before.round());
    }
    if (sameRun && entry.guarantee().mu() < before.guarantee().mu()) {
      faults.add(where + ": the cost of model " + entry.modelId() + " went down");
    }
    if (entry.guarantee().epsilon() > entry.budgetEpsilon()) {
      faults.add(where + ": epsilon " + entry.guarantee().epsilon() + " is over the budget of "
          + entry.budgetEpsilon());
    }
    hashes.put(partition, Hashes.sha256(bytes));
    sequences.put(partition, entry.sequence());
    newest.put(entry.modelId(), entry);
    return entry;
  }

  /** Everything that does not fit; empty where the chains are whole. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /** The last entry of every model, by id. */
  public Map<String, LedgerEntry> newest() {
    return Map.copyOf(newest);
  }
}
