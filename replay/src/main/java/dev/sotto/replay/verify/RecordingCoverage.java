package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.replay.recording.RecordingHeader;
import dev.sotto.topology.settings.Layout;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Whether a recording reaches from where a model began to where its ledger ends. */
final class RecordingCoverage {
  private final Map<Integer, RecordedRange> recorded = new HashMap<>();

  RecordingCoverage(RecordingHeader header) {
    header.ranges().forEach(each -> recorded.put(each.partition(), each));
  }

  /** The offsets at which learning began, by partition of the topic that was recorded. */
  static Map<Integer, Long> starts(Layout layout, PublishedLedger ledger) {
    Map<Integer, Long> starts = new HashMap<>();
    ledger.firstEntries().forEach((partition, entry) -> {
      if (layout.spansPartitions()) { // its ranges are those of every event partition
        entry.ranges().forEach(each -> starts.put(each.partition(), each.from()));
      } else {
        starts.put(partition, entry.origin());
      }
    });
    return starts;
  }

  /**
   * Why nothing can be derived from a recording of which the model's beginning is missing; empty
   * where it is there.
   */
  Optional<String> lacksBeginning(Map<Integer, Long> starts) {
    for (Map.Entry<Integer, Long> start : new TreeMap<>(starts).entrySet()) {
      RecordedRange range = recorded.get(start.getKey());
      if (range == null) {
        return Optional.of("the recording lacks partition " + start.getKey()
            + ", from which the model has learned since offset " + start.getValue());
      }
      if (range.from() > start.getValue()) {
        return Optional.of("the recording of partition " + start.getKey() + " begins at offset "
            + range.from() + ", but the model has learned since offset " + start.getValue()
            + ": without the records between them no round can be derived. Record from there on,"
            + " where the topic still"
            + " has them");
      }
    }
    return Optional.empty();
  }

  /**
   * Why a published round was not replayed.
   *
   * @param entry of the first such round
   * @return empty where the recording holds all offsets of the round, so that it should have
   */
  Optional<String> endsBefore(LedgerEntry entry) {
    for (OffsetRange range : entry.ranges()) {
      RecordedRange has = recorded.get(range.partition());
      if (has == null) {
        return Optional.of("the recording lacks partition " + range.partition());
      }
      if (has.to() < range.to()) {
        return Optional.of("round " + entry.round() + " needs partition " + range.partition()
            + " up to offset " + (range.to() - 1) + "; the recording ends "
            + (has.to() < 0 ? "before" : "after offset " + (has.to() - 1)));
      }
    }
    return Optional.empty();
  }
}
