package dev.sotto.replay.verify;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.ExitCode;
import dev.sotto.topology.StartFailure;
import dev.sotto.topology.read.LedgerChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** A published ledger whose chains are whole and whose figures follow from each other; kept as bytes. */
final class PublishedLedger {
  private static final int MOST_FAULTS = 5;

  private final SortedMap<Integer, List<byte[]>> partitions = new TreeMap<>();
  private final SortedMap<String, List<byte[]>> models = new TreeMap<>();

  private PublishedLedger() {}

  /**
   * Reads and checks a ledger.
   *
   * @throws StartFailure (UNVERIFIED) where it does not hold, or has no entry
   */
  static PublishedLedger read(Published published) {
    PublishedLedger read = new PublishedLedger();
    LedgerChecker checker = new LedgerChecker();
    published.ledger((partition, offset, key, value) -> {
      LedgerEntry entry = checker.accept(partition, offset, value);
      if (entry != null) {
        read.partitions.computeIfAbsent(partition, id -> new ArrayList<>()).add(value);
        read.models.computeIfAbsent(entry.modelId(), id -> new ArrayList<>()).add(value);
      }
    });
    requireWhole(checker.faults());
    if (read.models.isEmpty()) {
      throw new StartFailure(
          ExitCode.UNVERIFIED, "the ledger has no entry: there is nothing to compare with");
    }
    return read;
  }

  private static void requireWhole(List<String> faults) {
    if (!faults.isEmpty()) {
      String more =
          faults.size() <= MOST_FAULTS ? "" : "; and " + (faults.size() - MOST_FAULTS) + " more";
      throw new StartFailure(
          ExitCode.UNVERIFIED,
          "the published ledger does not hold by itself, so nothing was compared with it: "
              + String.join("; ", faults.subList(0, Math.min(MOST_FAULTS, faults.size()))) + more);
    }
  }

  /** Ids of all models, sorted. */
  Iterable<String> models() {
    return models.keySet();
  }

  /** How many rounds of a model it has. */
  long rounds(String modelId) {
    return models.getOrDefault(modelId, List.of()).size();
  }

  /** How many entries a partition has. */
  long entries(int partition) {
    return partitions.getOrDefault(partition, List.of()).size();
  }

  /** The bytes of a round's entry; empty where there is none. */
  Optional<byte[]> bytes(String modelId, long round) {
    List<byte[]> all = models.getOrDefault(modelId, List.of());
    return round >= 1 && round <= all.size()
        ? Optional.of(all.get((int) (round - 1)))
        : Optional.empty();
  }

  /** A round's entry; empty where there is none. */
  Optional<LedgerEntry> entry(String modelId, long round) {
    return bytes(modelId, round).map(Codecs.LEDGER::decode);
  }

  /** The first entry of every partition that has one. */
  SortedMap<Integer, LedgerEntry> firstEntries() {
    SortedMap<Integer, LedgerEntry> first = new TreeMap<>();
    for (Map.Entry<Integer, List<byte[]>> each : partitions.entrySet()) {
      first.put(each.getKey(), Codecs.LEDGER.decode(each.getValue().get(0)));
    }
    return first;
  }

  /** The rounds at which the noise key changed, with the key from there on; the first round is one of them. */
  NavigableMap<Long, String> keys(String modelId) {
    NavigableMap<Long, String> keys = new TreeMap<>();
    String before = null;
    for (byte[] each : models.getOrDefault(modelId, List.of())) {
      LedgerEntry entry = Codecs.LEDGER.decode(each);
      if (!entry.keyId().equals(before)) {
        before = entry.keyId();
        keys.put(entry.round(), before);
      }
    }
    return keys;
  }
}
