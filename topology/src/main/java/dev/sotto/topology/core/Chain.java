package dev.sotto.topology.core;

import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.serdes.record.Codecs;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;

/**
 * The end of one ledger partition, and the entries that were published before but have to be derived again:
 * where state is behind the ledger, what is derived must equal what was published.
 */
final class Chain {
  private final LedgerLog log;
  private final int partition;
  private final Map<String, Map<Long, byte[]>> published = new HashMap<>();
  private long publishedFrom = Long.MAX_VALUE;
  private long sequence;
  private byte[] hash = Hashes.none();

  Chain(LedgerLog log, int partition) {
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
    hash = Hashes.sha256(last);
    return entry;
  }

  long sequence() {
    return sequence;
  }

  byte[] hash() {
    return hash;
  }

  /** Loads the entries from a sequence number on, to be compared with what will be derived again. */
  void expect(long fromSequence, byte[] hashBefore) {
    if (fromSequence >= publishedFrom || fromSequence > sequence) {
      return;
    }
    long until = Math.min(publishedFrom, sequence + 1);
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
      before[0] = Hashes.sha256(bytes);
      if (entry.sequence() < until) {
        published.computeIfAbsent(entry.modelId(), id -> new HashMap<>()).put(entry.round(), bytes);
      }
    });
    if (next[0] < until) {
      throw broken(next[0], "it is missing");
    }
    publishedFrom = fromSequence;
  }

  private Refusal broken(long at, String what) {
    return new Refusal(
        "the ledger (partition " + partition + ") is broken at sequence " + at + ": " + what
            + "; it must never be truncated or written by others. Restore it, or start a new model id whose budget"
            + " accounts for what was spent");
  }

  /** The published bytes of a round that must be derived again, or null; each is given out once. */
  byte[] published(String modelId, long round) {
    Map<Long, byte[]> rounds = published.get(modelId);
    return rounds == null ? null : rounds.remove(round);
  }

  /** Whether published rounds of a model still have to be derived again. */
  boolean isAhead(String modelId) {
    Map<Long, byte[]> rounds = published.get(modelId);
    return rounds != null && !rounds.isEmpty();
  }

  /** The name of the noise key of a published round that must be derived again, or null. */
  String keyOf(String modelId, long round) {
    Map<Long, byte[]> rounds = published.get(modelId);
    byte[] bytes = rounds == null ? null : rounds.get(round);
    return bytes == null
        ? log.keyOf(modelId, round)
        : Codecs.LEDGER.decode(bytes).keyId();
  }

  /** Refuses to go on where the ledger knows the model under another run. */
  void requireSameRun(String modelId, byte[] runId) {
    Map<Long, byte[]> rounds = published.get(modelId);
    if (rounds == null || rounds.isEmpty()) {
      return;
    }
    LedgerEntry entry = Codecs.LEDGER.decode(rounds.values().iterator().next());
    if (!Arrays.equals(entry.runId(), runId)) {
      throw new Refusal("the ledger knows model " + modelId + " under run " + hex(entry.runId())
          + " (noise key "
          + entry.keyId() + ", configuration " + hex(entry.fingerprint()) + "), but this is run "
          + hex(runId)
          + ": key, configuration or run.label differ. Put them back, or start a new model id"
          + " whose budget accounts for what was spent");
    }
  }

  /** Refuses a new entry while published ones of its model have not been derived again. */
  void requireNothingLeft(String modelId, long round, long headRound) {
    Map<Long, byte[]> rounds = published.get(modelId);
    boolean left = rounds != null && rounds.keySet().stream().anyMatch(each -> each > round);
    if (left || round <= headRound) {
      throw new Refusal(
          "round " + round + " of model " + modelId + " was paid for before (up to round "
              + Math.max(
                  headRound, left ? rounds.keySet().stream().max(Long::compare).get() : 0)
              + "), but the ledger does not hold its entry; restore the ledger topic");
    }
  }

  /** Appends a new entry: returns its bytes, and moves the end. */
  byte[] append(LedgerEntry entry) {
    byte[] bytes = Codecs.LEDGER.encode(entry);
    sequence = entry.sequence();
    hash = Hashes.sha256(bytes);
    return bytes;
  }

  static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }
}
