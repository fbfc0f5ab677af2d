package dev.sotto.app.operations;

import dev.sotto.learner.round.Slicing;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.read.PartitionReader;
import java.util.SortedMap;
import java.util.TreeMap;
import org.apache.kafka.common.TopicPartition;

/** Tells of offsets in layout rounds whose round is not closed what it waits for. */
final class SliceSearch {
  private final PartitionReader reader;
  private final LearnerSettings settings;
  private final Slicing slicing;

  SliceSearch(PartitionReader reader, LearnerSettings settings, RoundGenesis genesis) {
    this.reader = reader;
    this.settings = settings;
    this.slicing = new Slicing(genesis.firstSlices());
  }

  /** Explains an offset that no ledger entry covers. */
  Explanation open(RecordPlace place, RoundSearch.Found found, boolean gone) {
    if (place.partition() >= slicing.partitions()) {
      return Explanation.of(place, Fate.NO_MODEL, gone); // added later, and never read
    }
    long round = slicing.roundOf(place.partition(), place.offset());
    long closed = found.last() == null ? 0 : found.last().round();
    if (round == 0) {
      return Explanation.of(place, Fate.BEFORE_ORIGIN, gone);
    }
    if (round <= closed) {
      return Explanation.of(place, Fate.UNEXPLAINED, gone);
    }
    if (found.last() != null && found.last().last() || !settings.plan().allows(round)) {
      return Explanation.of(place, Fate.AFTER_BUDGET, gone);
    }
    if (round > closed + 1 + settings.plan().lag()) {
      return Explanation.of(place, Fate.WAITING, gone).withOpen(round, -1);
    }
    SortedMap<Integer, Long> awaited = awaited(round);
    long missing = awaited.values().stream().mapToLong(each -> each).sum();
    return Explanation.of(place, Fate.IN_OPEN_ROUND, gone)
        .withOpen(round, missing)
        .withAwaited(awaited);
  }

  /** A slice is complete with a record in its last offset, or behind it: the end of a transaction is handed to nobody. */
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
