package dev.sotto.client;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Looks for the ledger entry of a version, from the end of the ledger backwards. */
final class LedgerSearch {
  private static final long FIRST_WINDOW = 64;
  private static final long GROWTH = 8;

  private final TopicReader reader;

  LedgerSearch(TopicReader reader) {
    this.reader = reader;
  }

  /** What is wrong with a version, by the ledger; empty where its entry confirms it. */
  Optional<String> fault(ModelSnapshot version) {
    List<TopicPartition> partitions = reader.partitions();
    Map<TopicPartition, Long> beginnings = reader.beginnings(partitions);
    Map<TopicPartition, Long> ends = reader.ends(partitions);
    for (TopicPartition each : partitions) {
      Boolean same = find(version, each, beginnings.get(each), ends.get(each));
      if (same != null) {
        return same
            ? Optional.empty()
            : Optional.of("it is not what its ledger entry in partition " + each.partition()
                + " says: run, digest or hash differ");
      }
    }
    return Optional.of("the ledger has no entry of it");
  }

  private Boolean find(ModelSnapshot version, TopicPartition where, long begin, long end) {
    Boolean[] same = new Boolean[1];
    boolean[] passed = new boolean[1]; // an older entry of the model was met
    for (long window = FIRST_WINDOW; ; window *= GROWTH) {
      long from = Math.max(begin, end - window);
      reader.read(where, from, end, record -> {
        LedgerEntry entry = entry(record.value());
        if (entry == null || !entry.modelId().equals(version.modelId())) {
          return;
        }
        passed[0] |= entry.round() < version.version();
        if (entry.round() == version.version()) {
          same[0] = Boolean.TRUE.equals(same[0]) || confirms(entry, record.value(), version);
        }
      });
      if (same[0] != null || passed[0] || from == begin) {
        return same[0];
      }
    }
  }

  private static LedgerEntry entry(byte[] bytes) {
    try {
      return bytes == null ? null : Codecs.LEDGER.decode(bytes);
    } catch (UnreadableRecordException unreadable) {
      return null;
    }
  }

  private static boolean confirms(LedgerEntry entry, byte[] bytes, ModelSnapshot version) {
    return Arrays.equals(version.runId(), entry.runId())
        && Arrays.equals(version.ledgerHash(), Sha256.sha256(bytes))
        && (entry.snapshotDigest().length == 0 // entries of version 1 did not say
            || Arrays.equals(version.digest(), entry.snapshotDigest()));
  }
}
