package dev.sotto.app.explain;

import dev.sotto.learner.training.RoundSlices;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.read.PartitionReader;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Explains offsets in layout rounds whose round is not closed. */
final class SliceSearch {
  private final PartitionReader reader;
  private final LearnerSettings settings;
  private final RoundSlices slicing;

  SliceSearch(PartitionReader reader, LearnerSettings settings, RoundGenesis genesis) {
    this.reader = reader;
    this.settings = settings;
    this.slicing = new RoundSlices(genesis.firstSlices());
  }

  /** Explains an offset that no ledger entry covers. */
  RecordExplanation open(RecordPosition position, RoundSearch.Found found, boolean gone) {
    if (position.partition() >= slicing.partitions()) {
      return new RecordExplanation(
          position, RecordOutcome.NO_MODEL, gone); // added later, and never read
    }
    long round = slicing.roundOf(position.partition(), position.offset());
    long closed = found.last() == null ? 0 : found.last().round();
    if (round == 0) {
      return new RecordExplanation(position, RecordOutcome.BEFORE_ORIGIN, gone);
    }
    if (round <= closed) {
      return new RecordExplanation(position, RecordOutcome.UNEXPLAINED, gone);
    }
    if (found.last() != null && found.last().last() || !settings.plan().allows(round)) {
      return new RecordExplanation(position, RecordOutcome.AFTER_BUDGET, gone);
    }
    long ends = RoundSearch.lastOfVersion(settings.plan(), closed + 1);
    if (round > Math.max(ends, closed + 1 + settings.plan().lag())) {
      return new RecordExplanation(position, RecordOutcome.WAITING, gone).laterRound(round);
    }
    SortedMap<Integer, Long> awaited = awaited(Math.max(round, ends));
    long missing = awaited.values().stream().mapToLong(each -> each).sum();
    return new RecordExplanation(position, RoundSearch.open(closed + 1, ends), gone)
        .openRound(round, missing)
        .awaited(awaited);
  }

  /**
   * A slice is complete with a record in its last offset, or behind it: the end of a transaction is
   * handed to nobody.
   */
  private SortedMap<Integer, Long> awaited(long round) {
    SortedMap<Integer, Long> awaited = new TreeMap<>();
    for (int partition = 0; partition < slicing.partitions(); partition++) {
      TopicPartition where = new TopicPartition(settings.eventTopic(), partition);
      long end = slicing.end(partition, round);
      long written = reader.end(where);
      if (written < end) {
        awaited.put(partition, end - written);
      } else if (reader.read(
          where, Math.max(end - 1, reader.beginning(where)), written, record -> false)) {
        awaited.put(partition, 0L);
      }
    }
    return awaited;
  }
}
