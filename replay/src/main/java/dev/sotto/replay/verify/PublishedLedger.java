package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.LedgerChecker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * A published ledger whose chains are whole and whose figures follow from each other; kept as
 * bytes.
 */
final class PublishedLedger {
  private static final int MOST_FAULTS = 5;

  private final SortedMap<Integer, List<byte[]>> partitions = new TreeMap<>();
  private final SortedMap<String, NavigableMap<Long, byte[]>> models = new TreeMap<>();

  private PublishedLedger() {}

  /**
   * Reads and checks a ledger.
   *
   * @throws SottoException (UNVERIFIED) where it does not hold, or has no entry
   */
  static PublishedLedger read(PublishedOutputs published) {
    PublishedLedger read = new PublishedLedger();
    LedgerChecker checker = new LedgerChecker();
    published.ledger((partition, offset, key, value) -> {
      LedgerEntry entry = checker.accept(partition, offset, value);
      if (entry != null) {
        read.partitions.computeIfAbsent(partition, id -> new ArrayList<>()).add(value);
        read.models
            .computeIfAbsent(entry.modelId(), id -> new TreeMap<>())
            .put(entry.round(), value);
      }
    });
    requireWhole(checker.faults());
    if (read.models.isEmpty()) {
      throw new SottoException(
          FailureKind.UNVERIFIED, "the ledger has no entry: there is nothing to compare with");
    }
    return read;
  }

  private static void requireWhole(List<String> faults) {
    if (!faults.isEmpty()) {
      String more =
          faults.size() <= MOST_FAULTS ? "" : "; and " + (faults.size() - MOST_FAULTS) + " more";
      throw new SottoException(
          FailureKind.UNVERIFIED,
          "the published ledger does not hold by itself, so nothing was compared with it: "
              + String.join("; ", faults.subList(0, Math.min(MOST_FAULTS, faults.size()))) + more);
    }
  }

  /** Ids of all models, sorted. */
  Iterable<String> models() {
    return models.keySet();
  }

  /** How many rounds of a model it pays for. */
  long rounds(String modelId) {
    NavigableMap<Long, byte[]> versions = versions(modelId);
    return versions.isEmpty() ? 0 : versions.lastKey();
  }

  private NavigableMap<Long, byte[]> versions(String modelId) {
    return models.getOrDefault(modelId, Collections.emptyNavigableMap());
  }

  /** How many entries a partition has. */
  long entries(int partition) {
    return partitions.getOrDefault(partition, List.of()).size();
  }

  /** The bytes of a version's entry; empty where there is none. */
  Optional<byte[]> bytes(String modelId, long version) {
    return Optional.ofNullable(versions(modelId).get(version));
  }

  /** A version's entry; empty where there is none. */
  Optional<LedgerEntry> entry(String modelId, long version) {
    return bytes(modelId, version).map(Codecs.LEDGER::decode);
  }

  /** The bytes of the entry that pays for a round; empty where there is none. */
  Optional<byte[]> paying(String modelId, long round) {
    return Optional.ofNullable(versions(modelId).ceilingEntry(round)).map(Map.Entry::getValue);
  }

  /** The first entry of every partition that has one. */
  SortedMap<Integer, LedgerEntry> firstEntries() {
    SortedMap<Integer, LedgerEntry> first = new TreeMap<>();
    for (Map.Entry<Integer, List<byte[]>> each : partitions.entrySet()) {
      first.put(each.getKey(), Codecs.LEDGER.decode(each.getValue().get(0)));
    }
    return first;
  }

  /**
   * The rounds at which the noise key changed, with the key from there on; the first round is one
   * of them.
   */
  NavigableMap<Long, String> keys(String modelId) {
    NavigableMap<Long, String> keys = new TreeMap<>();
    String before = null;
    for (byte[] each : versions(modelId).values()) {
      LedgerEntry entry = Codecs.LEDGER.decode(each);
      if (!entry.keyId().equals(before)) {
        before = entry.keyId();
        keys.put(entry.firstRound(), before);
      }
    }
    return keys;
  }
}
