package dev.sotto.replay.recording.container;

import dev.sotto.replay.recording.Integrity;
import dev.sotto.replay.recording.RecordedRange;
import java.util.ArrayList;
import java.util.List;

/** How far a container is written: partitions that are finished, and the one that is being written. */
final class Progressed {
  private final List<RecordedRange> ranges;
  private final List<Stretch> finished = new ArrayList<>();
  private Sums sums = new Sums(Integrity.DIGEST);
  private long start;
  private long block;
  private long records;
  private long blocks;
  private long offset = -1;

  /**
   * The beginning.
   *
   * @param start where the first block goes
   */
  Progressed(List<RecordedRange> ranges, long start) {
    this.ranges = List.copyOf(ranges);
    this.start = start;
  }

  List<RecordedRange> ranges() {
    return ranges;
  }

  List<Stretch> finished() {
    return finished;
  }

  boolean complete() {
    return finished.size() == ranges.size();
  }

  /** The partition that is being written. */
  RecordedRange current() {
    return ranges.get(finished.size());
  }

  /** How many sealed blocks there are, of all partitions. */
  long blocks() {
    return blocks;
  }

  void addBlock() {
    blocks++;
  }

  /** How many records of it there are. */
  long records() {
    return records;
  }

  /** The last offset of it; -1 before the first. */
  long offset() {
    return offset;
  }

  /**
   * One more record of the current partition.
   *
   * @throws IllegalArgumentException where it does not belong there
   */
  void add(int partition, long nextOffset, byte[] bytes, int from, int length) {
    check(partition, nextOffset);
    sums.add(bytes, from, length);
  }

  /** The same where its bytes are added by blocks. */
  void check(int partition, long nextOffset) {
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

  void addBytes(byte[] bytes, int from, int length) {
    sums.add(bytes, from, length);
  }

  /**
   * The current partition is whole.
   *
   * @param position where the next one's blocks begin
   * @param sealed how many sealed blocks lie before them
   */
  void finish(long position, long sealed) {
    RecordedRange range = current();
    long to = range.to() >= 0 ? range.to() : Math.max(range.from(), offset + 1);
    finished.add(new Stretch(
        new RecordedRange(range.partition(), range.from(), to, records),
        start,
        block,
        sums.checksum(),
        sums.digest()));
    sums = new Sums(Integrity.DIGEST);
    start = position;
    block = sealed;
    blocks = sealed;
    records = 0;
    offset = -1;
  }
}
