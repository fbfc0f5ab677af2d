package dev.sotto.replay.recorder;

import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.read.PartitionReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.common.TopicPartition;

/** Looks up the offsets that a request means, once, when recording begins. */
final class RangeResolver {
  private final PartitionReader reader;
  private final RecordRequest request;
  private final List<String> warnings;

  /**
   * Ranges of a topic.
   *
   * @param reader of committed records: its ends are the last stable offsets
   * @param warnings for ranges that are shortened
   */
  RangeResolver(PartitionReader reader, RecordRequest request, List<String> warnings) {
    this.reader = reader;
    this.request = request;
    this.warnings = warnings;
  }

  /**
   * The ranges.
   *
   * @throws SottoException where a partition does not exist, or what is asked for is gone or not
   *     there yet
   */
  List<RecordedRange> of(int partitions) {
    List<RecordedRange> ranges = new ArrayList<>();
    for (int partition : chosen(partitions)) {
      TopicPartition where = new TopicPartition(request.topic(), partition);
      long beginning = reader.beginning(where);
      long end = reader.end(where);
      long from = offset(where, request.from(), beginning, end);
      if (from < beginning) {
        throw gone(where, from, beginning);
      }
      if (from > end) {
        throw new SottoException(
            FailureKind.USAGE,
            where + " ends at offset " + end + " (the last stable offset), but --from asks for "
                + from + "; name an earlier one");
      }
      long asked = offset(where, request.to(), beginning, end);
      if (asked > end) {
        warnings.add(where + " was recorded to offset " + end + " only, not to " + asked
            + ": nothing after it was committed");
      }
      long to = Math.min(asked, end);
      if (to < from) {
        throw new SottoException(
            FailureKind.USAGE,
            "the range of " + where + " ends before it begins: from " + from + " to " + to);
      }
      ranges.add(new RecordedRange(partition, from, to, -1));
    }
    return ranges;
  }

  /** The failure that records have been deleted. */
  static SottoException gone(TopicPartition where, long wanted, long beginning) {
    return new SottoException(
        FailureKind.TOPIC,
        where + " begins at offset " + beginning + ", but should be recorded from " + wanted
            + ": retention has deleted what lies between. Record from a later offset, or to a new"
            + " file");
  }

  private Iterable<Integer> chosen(int partitions) {
    TreeSet<Integer> all = new TreeSet<>();
    for (int i = 0; i < partitions; i++) {
      all.add(i);
    }
    TreeSet<Integer> chosen =
        request.partitions().isEmpty() ? all : new TreeSet<>(request.partitions());
    if (!all.containsAll(chosen)) {
      throw new SottoException(
          FailureKind.USAGE,
          "topic " + request.topic() + " has partitions 0 to " + (partitions - 1) + ", but "
              + chosen + " were asked for");
    }
    requireAmong(all, request.from());
    requireAmong(all, request.to());
    return chosen;
  }

  private void requireAmong(Set<Integer> all, RangeBound bound) {
    if (bound instanceof RangeBound.Offsets named
        && !all.containsAll(named.offsets().keySet())) {
      throw new SottoException(
          FailureKind.USAGE,
          "topic " + request.topic() + " has partitions 0 to " + (all.size() - 1) + ", but " + bound
              + " names another");
    }
  }

  private long offset(TopicPartition where, RangeBound bound, long beginning, long end) {
    if (bound instanceof RangeBound.Earliest) {
      return beginning;
    }
    if (bound instanceof RangeBound.Latest) {
      return end;
    }
    if (bound instanceof RangeBound.Offset offset) {
      return offset.offset();
    }
    if (bound instanceof RangeBound.Time time) {
      return Math.min(end, reader.firstAt(where, time.time().toEpochMilli()).orElse(end));
    }
    Long offset = ((RangeBound.Offsets) bound).offsets().get(where.partition());
    if (offset == null) {
      throw new SottoException(
          FailureKind.USAGE,
          bound + " names no offset for partition " + where.partition()
              + "; name one for each, or choose with --partitions");
    }
    return offset;
  }
}
