package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.RecordedRange;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** The partitions of a container that are finished, and the one that is being written. */
final class WriteProgress {
  private final List<RecordedRange> ranges;
  private final List<PartitionSection> finished = new ArrayList<>();
  private final List<PartitionChecksums.Values> checksums = new ArrayList<>();
  private final PartitionChecksums current = new PartitionChecksums(Integrity.DIGEST);
  private long start;
  private long block;
  private long records;
  private long offset = -1;

  /**
   * Nothing is written yet.
   *
   * @param start where the first block goes
   */
  WriteProgress(List<RecordedRange> ranges, long start) {
    this.ranges = List.copyOf(ranges);
    this.start = start;
  }

  List<RecordedRange> ranges() {
    return ranges;
  }

  /** The partitions that are finished. */
  List<PartitionSection> finished() {
    return finished;
  }

  /** Their checksums. */
  List<PartitionChecksums.Values> checksums() {
    return checksums;
  }

  boolean isComplete() {
    return finished.size() == ranges.size();
  }

  /** The partition that is being written. */
  RecordedRange current() {
    return ranges.get(finished.size());
  }

  /** The first offset of it that is missing. */
  long nextOffset() {
    return Math.max(current().from(), offset + 1);
  }

  /** The number of records, of all partitions. */
  long records() {
    return records + finished.stream().mapToLong(each -> each.range().records()).sum();
  }

  /**
   * Counts a record of the current partition.
   *
   * @throws IllegalArgumentException where it does not belong there
   */
  void count(int partition, long nextOffset) {
    RecordedRange range = current();
    if (partition != range.partition()
        || nextOffset <= offset
        || nextOffset < range.from()
        || range.to() >= 0 && nextOffset >= range.to()) {
      throw new IllegalArgumentException("a record of partition " + partition + " with offset "
          + nextOffset + " must not follow " + offset + " of " + range);
    }
    offset = nextOffset;
    records++;
  }

  /** Adds the bytes of records that have been counted. */
  void add(ByteBuffer bytes) {
    current.add(bytes);
  }

  /**
   * Finishes the current partition.
   *
   * @param position where the next partition's blocks begin
   * @param nextBlock the number of encrypted blocks before them
   */
  void finish(long position, long nextBlock) {
    RecordedRange range = current();
    long to = range.to() >= 0 ? range.to() : nextOffset();
    finished.add(new PartitionSection(
        new RecordedRange(range.partition(), range.from(), to, records), start, block));
    checksums.add(current.values());
    start = position;
    block = nextBlock;
    records = 0;
    offset = -1;
  }
}
