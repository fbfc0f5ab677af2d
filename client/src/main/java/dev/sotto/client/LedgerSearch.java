package dev.sotto.client;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.serdes.avro.UnreadableRecordException;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.LedgerProof;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.common.TopicPartition;

/** Looks for the ledger entry of a version, from the end of the ledger backwards. */
final class LedgerSearch {
  private static final long FIRST_WINDOW = 64;
  private static final long GROWTH = 8;

  /** For how long a marker is waited for that is a moment late. */
  private static final Duration MOMENT = Duration.ofSeconds(2);

  private final TopicReader reader;
  private long before; // the newest entry of the model before the version, as far as was looked

  LedgerSearch(TopicReader reader) {
    this.reader = reader;
  }

  /**
   * What the ledger says of a version.
   *
   * @param fault what is wrong with it; empty where its entry confirms it
   * @param open what was written to the ledger and may hold its entry, though it is not known yet
   *     whether that counts; null where there is no such thing
   * @param before the newest version of its model before it that has an entry; -1 where none was
   *     met
   */
  record Answer(Optional<String> fault, TopicReader.Written open, long before) {}

  /**
   * Looks for the entry of a committed version. It was written in the same transaction, whose
   * marker may come to the ledger later than to the snapshots: that is waited for, for a moment.
   *
   * @param partition of the snapshots in which the version lies: that of its entry has this number
   * @param patient whether to wait
   */
  Answer ask(ModelSnapshot version, int partition, boolean patient) {
    before = -1;
    List<TopicPartition> all = reader.partitions();
    Map<TopicPartition, Long> begins = reader.beginnings(all);
    Map<TopicPartition, Long> ends = reader.ends(all);
    List<TopicPartition> its =
        all.stream().filter(each -> each.partition() == partition).toList();
    Optional<EntryCheck> entry = check(version, its, begins, ends);
    if (entry.isEmpty() && patient) {
      TopicReader.Written written = reader.written(its);
      boolean decided = written.await(MOMENT);
      entry = check(version, its, ends, reader.ends(its));
      if (entry.isEmpty() && !decided) {
        String text = "the ledger has no entry of it; a transaction is open in its partition "
            + partition + ", so it is looked at again";
        return new Answer(Optional.of(text), written, before);
      }
    }
    if (entry.isEmpty()) {
      List<TopicPartition> others =
          all.stream().filter(each -> each.partition() != partition).toList();
      entry = check(version, others, begins, ends);
    }
    return new Answer(fault(entry), null, before);
  }

  private static Optional<String> fault(Optional<EntryCheck> entry) {
    if (entry.isEmpty()) {
      return Optional.of("the ledger has no entry of it");
    }
    return entry.get().same
        ? Optional.empty()
        : Optional.of("it is not what its ledger entry in partition " + entry.get().partition
            + " says: run, digest or hash differ");
  }

  private record EntryCheck(int partition, boolean same) {}

  private Optional<EntryCheck> check(
      ModelSnapshot version,
      List<TopicPartition> partitions,
      Map<TopicPartition, Long> from,
      Map<TopicPartition, Long> to) {
    for (TopicPartition each : partitions) {
      Boolean same = find(version, each, from.get(each), to.get(each));
      if (same != null) {
        return Optional.of(new EntryCheck(each.partition(), same));
      }
    }
    return Optional.empty();
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
        if (entry.round() < version.version()) {
          passed[0] = true;
          before = Math.max(before, entry.round());
        }
        if (entry.round() == version.version()) {
          same[0] =
              Boolean.TRUE.equals(same[0]) || LedgerProof.confirms(entry, record.value(), version);
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
}
