package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.release.Releaser;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.log.LedgerLog;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * The end of one ledger partition, and the entries that were published before but have to be
 * derived again: where state is behind the ledger, what is derived must equal what was published.
 */
final class LedgerChain {
  private final LedgerLog log;
  private final int partition;
  private final Map<String, NavigableMap<Long, byte[]>> toDeriveAgain = new HashMap<>();
  private long toDeriveFrom = Long.MAX_VALUE;
  private long sequence;
  private byte[] hash = Sha256.none();

  LedgerChain(LedgerLog log, int partition) {
    this.log = log;
    this.partition = partition;
  }

  /** Reads the end of the ledger; null where it is empty. */
  LedgerEntry open() {
    byte[] last = log.last(partition).orElse(null);
    if (last == null) {
      return null;
    }
    LedgerEntry entry = Codecs.LEDGER.decode(last);
    sequence = entry.sequence();
    hash = Sha256.sha256(last);
    return entry;
  }

  long sequence() {
    return sequence;
  }

  byte[] hash() {
    return hash;
  }

  /**
   * Loads the entries from a sequence number on, to be compared with what will be derived again.
   */
  void expect(long fromSequence, byte[] hashBefore) {
    if (fromSequence >= toDeriveFrom || fromSequence > sequence) {
      return;
    }
    long until = Math.min(toDeriveFrom, sequence + 1);
    byte[][] before = {hashBefore};
    long[] next = {fromSequence};
    log.read(partition, fromSequence, bytes -> {
      LedgerEntry entry = Codecs.LEDGER.decode(bytes);
      if (entry.sequence() != next[0] && next[0] < until) {
        throw broken(next[0], "found sequence " + entry.sequence());
      }
      if (before[0] != null && !Arrays.equals(before[0], entry.previousHash())) {
        throw broken(entry.sequence(), "its previousHash does not fit the entry before");
      }
      next[0]++;
      before[0] = Sha256.sha256(bytes);
      if (entry.sequence() < until) {
        toDeriveAgain
            .computeIfAbsent(entry.modelId(), id -> new TreeMap<>())
            .put(entry.round(), bytes);
      }
    });
    if (next[0] < until) {
      throw broken(next[0], "it is missing");
    }
    toDeriveFrom = fromSequence;
  }

  private UnsafeToContinueException broken(long at, String what) {
    return new UnsafeToContinueException("the ledger (partition " + partition
        + ") is broken at sequence " + at + ": " + what
        + "; it must never be truncated or written by others. Restore it, or " + NewHistory.START);
  }

  /**
   * The published bytes of a version that must be derived again, or null; each is given out once.
   */
  byte[] toDeriveAgain(String modelId, long round) {
    Map<Long, byte[]> rounds = toDeriveAgain.get(modelId);
    return rounds == null ? null : rounds.remove(round);
  }

  /** The newest published version of a model that must be derived again; 0 where there is none. */
  long newest(String modelId) {
    return isAhead(modelId) ? toDeriveAgain.get(modelId).lastKey() : 0;
  }

  /** Whether published versions of a model still have to be derived again. */
  boolean isAhead(String modelId) {
    Map<Long, byte[]> rounds = toDeriveAgain.get(modelId);
    return rounds != null && !rounds.isEmpty();
  }

  /**
   * Whether a model's published versions have not all been derived again.
   *
   * @param round the newest one that the model has closed
   */
  boolean isBehind(String modelId, long round) {
    return isAhead(modelId) || round < log.roundsElsewhere(modelId);
  }

  /** The name of the noise key of a published round that must be derived again, or null. */
  String keyOf(String modelId, long round) {
    NavigableMap<Long, byte[]> rounds = toDeriveAgain.get(modelId);
    Map.Entry<Long, byte[]> paid = rounds == null ? null : rounds.ceilingEntry(round);
    return paid == null
        ? log.keyOf(modelId, round)
        : Codecs.LEDGER.decode(paid.getValue()).keyId();
  }

  /** Refuses to go on where the ledger knows the model under another run. */
  void requireSameRun(String modelId, byte[] runId) {
    Map<Long, byte[]> rounds = toDeriveAgain.get(modelId);
    if (rounds == null || rounds.isEmpty()) {
      return;
    }
    LedgerEntry entry = Codecs.LEDGER.decode(rounds.values().iterator().next());
    if (entry.semantics() != Releaser.SEMANTICS) {
      throw new UnsafeToContinueException(
          NewHistory.otherSemantics("the ledger of model " + modelId, entry.semantics()));
    }
    if (!Arrays.equals(entry.runId(), runId)) {
      throw new UnsafeToContinueException("the ledger knows model " + modelId + " under run "
          + hex(entry.runId())
          + " (noise key "
          + entry.keyId() + ", configuration " + hex(entry.fingerprint()) + "), but this is run "
          + hex(runId)
          + ": key, configuration, app.id or run.label differ. Put them back, or "
          + NewHistory.START);
    }
  }

  /** Refuses a new entry while published ones of its model have not been derived again. */
  void requireNothingLeft(String modelId, long round, long headRound) {
    Map<Long, byte[]> rounds = toDeriveAgain.get(modelId);
    boolean left = rounds != null && rounds.keySet().stream().anyMatch(each -> each > round);
    if (left || round <= headRound) {
      throw new UnsafeToContinueException(
          "version " + round + " of model " + modelId + " was paid for before (up to round "
              + Math.max(
                  headRound, left ? rounds.keySet().stream().max(Long::compare).get() : 0)
              + "), but the ledger does not hold its entry; restore the ledger topic");
    }
  }

  /** Appends a new entry: returns its bytes, and moves the end. */
  byte[] append(LedgerEntry entry) {
    byte[] bytes = Codecs.LEDGER.encode(entry);
    sequence = entry.sequence();
    hash = Sha256.sha256(bytes);
    return bytes;
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
