package dev.sotto.topology.read;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Follows the chain of every ledger partition, computes every cost again, and says what does not
 * hold. What it finds is a fault with partition and offset, never an exception.
 */
public final class LedgerChecker {
  private final boolean whole;
  private final Map<Integer, byte[]> hashes = new HashMap<>();
  private final Map<Integer, Long> sequences = new HashMap<>();
  private final Map<String, LedgerEntry> newest = new HashMap<>();
  /** By model, the version that took slots of each partition last, and the end of its range. */
  private final Map<String, Map<Integer, Paid>> paid = new HashMap<>();

  private final CostRecomputation figures = new CostRecomputation();
  private final List<String> faults = new ArrayList<>();

  private record Paid(long version, long to) {}

  /** Of a ledger that is read from its beginning. */
  public LedgerChecker() {
    this(true);
  }

  private LedgerChecker(boolean whole) {
    this.whole = whole;
  }

  /** Of the end of a ledger: what lies before the first entries is not known, and not checked. */
  public static LedgerChecker ofTheEnd() {
    return new LedgerChecker(false);
  }

  /**
   * Takes the next entry of a partition, and returns it; null where it is no entry, which is a
   * fault.
   */
  public LedgerEntry accept(int partition, long offset, byte[] bytes) {
    String place = "partition " + partition + ", offset " + offset;
    if (bytes == null) {
      faults.add(place + ": there is no entry, but a deletion mark");
      return null;
    }
    LedgerEntry entry;
    try {
      entry = Codecs.LEDGER.decode(bytes);
    } catch (UnreadableRecordException unreadable) {
      faults.add(place + ": " + unreadable.getMessage());
      return null;
    }
    String where = place + " (sequence " + entry.sequence() + ")";
    boolean known = whole || sequences.containsKey(partition);
    long expected = sequences.getOrDefault(partition, 0L) + 1;
    if (known && entry.sequence() != expected) {
      faults.add(where + ": expected sequence " + expected);
    }
    if (known
        && !Arrays.equals(entry.previousHash(), hashes.getOrDefault(partition, Sha256.none()))) {
      faults.add(where + ": previousHash is not the hash of the entry before");
    }
    if (repeats(entry.ranges())) {
      faults.add(where + ": a partition is named twice: " + entry.ranges());
    }
    follows(where, newest.get(entry.modelId()), entry);
    requireNew(where, entry);
    figures.broken(entry).forEach(broken -> faults.add(where + ": " + broken));
    hashes.put(partition, Sha256.sha256(bytes));
    sequences.put(partition, entry.sequence());
    newest.put(entry.modelId(), entry);
    return entry;
  }

  private static boolean repeats(List<OffsetRange> ranges) {
    return ranges.stream().map(OffsetRange::partition).distinct().count() < ranges.size();
  }

  private void follows(String where, LedgerEntry before, LedgerEntry entry) {
    if (before == null) {
      if (whole && entry.firstRound() != 1) {
        faults.add(where + ": the first entry of model " + entry.modelId()
            + " must begin with round 1, but begins with round " + entry.firstRound());
      }
      return;
    }
    if (!Arrays.equals(before.runId(), entry.runId())) {
      paid.remove(entry.modelId());
      faults.add(where + ": a second run of model " + entry.modelId() + " begins: add its cost"
          + " (mu add up in squares)");
      return;
    }
    if (entry.firstRound() != before.round() + 1) {
      faults.add(where + ": round " + entry.firstRound() + " of model " + entry.modelId()
          + " follows round " + before.round());
    }
    if (!settings(before).equals(settings(entry))) {
      faults.add(where + ": settings of model " + entry.modelId() + " changed within a run");
    }
    if (entry.guarantee().mu() < before.guarantee().mu()) {
      faults.add(where + ": the cost of model " + entry.modelId() + " went down");
    }
  }

  /**
   * Versions follow each other in every partition: nothing may lie before the end of one before,
   * which need not be the last, and slots lie at offsets of their own.
   */
  private void requireNew(String where, LedgerEntry entry) {
    Map<Integer, Paid> ends = paid.computeIfAbsent(entry.modelId(), model -> new HashMap<>());
    long offsets = 0;
    for (OffsetRange range : entry.ranges()) {
      Paid before = ends.put(range.partition(), new Paid(entry.round(), range.to()));
      if (before != null && range.from() < before.to()) {
        faults.add(where + ": version " + entry.round() + " of model " + entry.modelId()
            + " takes offsets that version " + before.version() + " has paid for");
      }
      offsets += range.to() - range.from();
    }
    long slots = entry.terms().batch() * (entry.round() - entry.firstRound() + 1);
    if (slots > offsets) {
      faults.add(where + ": " + slots + " slots cannot lie at " + offsets + " offsets");
    }
  }

  /** What every entry of one run has in common, and its figures rest on. */
  private static List<Object> settings(LedgerEntry entry) {
    return List.of(
        entry.clip(),
        entry.sigma(),
        entry.terms(),
        entry.algorithm(),
        entry.budgetEpsilon(),
        entry.origin(),
        entry.semantics(),
        entry.guarantee().unit(),
        entry.guarantee().adjacency(),
        entry.guarantee().mechanism(),
        entry.guarantee().delta(),
        List.of(ByteBuffer.wrap(entry.fingerprint())));
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
