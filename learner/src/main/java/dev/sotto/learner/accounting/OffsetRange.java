package dev.sotto.learner.accounting;

/**
 * The positions in one partition that a round, or several in a row, took slots from.
 *
 * @param partition the partition's number
 * @param from offset of the first slot
 * @param to one past the offset of the last slot; between them lie slots of other models, markers
 *     and aborted records too
 */
public record OffsetRange(int partition, long from, long to) {
  public OffsetRange {
    if (partition < 0 || from < 0 || to <= from) {
      throw new IllegalArgumentException(
          "an offset range needs partition >= 0 and 0 <= from < to, but was partition " + partition
              + ", [" + from + ", " + to + ")");
    }
  }

  /** From the first of both to the last; both of one partition. */
  public OffsetRange span(OffsetRange other) {
    return new OffsetRange(partition, Math.min(from, other.from), Math.max(to, other.to));
  }
}
