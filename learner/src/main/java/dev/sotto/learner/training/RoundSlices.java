package dev.sotto.learner.training;

import dev.sotto.learner.accounting.OffsetRange;
import java.util.List;

/**
 * How the offsets of several partitions are cut into rounds: each round takes the same number of
 * offsets from each, without a gap, whatever they hold. So a model is a function of the partitions'
 * logs alone.
 */
public final class RoundSlices {
  private final long[] origins;
  private final long slots;

  /**
   * A cut.
   *
   * @param firstSlices the slice of round 1 in partitions 0, 1, ...: all of one length
   */
  public RoundSlices(List<OffsetRange> firstSlices) {
    if (firstSlices.isEmpty()) {
      throw new IllegalArgumentException(
          "there must be at least one partition, but there was none");
    }
    origins = new long[firstSlices.size()];
    slots = firstSlices.get(0).to() - firstSlices.get(0).from();
    for (int i = 0; i < origins.length; i++) {
      OffsetRange slice = firstSlices.get(i);
      if (slice.partition() != i || slice.to() - slice.from() != slots) {
        throw new IllegalArgumentException(
            "first slices must be those of partitions 0, 1, ..., all of " + slots
                + " slots, but were " + firstSlices);
      }
      origins[i] = slice.from();
    }
  }

  /** How many partitions there are. */
  public int partitions() {
    return origins.length;
  }

  /** Slots of one round in each partition. */
  public long slots() {
    return slots;
  }

  /** The first offset of a partition that is in any round. */
  public long origin(int partition) {
    return origins[partition];
  }

  /** The round of an offset, from 1; 0 for one before the origin. */
  public long roundOf(int partition, long offset) {
    return offset < origins[partition] ? 0 : 1 + (offset - origins[partition]) / slots;
  }

  /** The offset of a round's first slot. */
  public long start(int partition, long round) {
    return Math.addExact(origins[partition], Math.multiplyExact(round - 1, slots));
  }

  /** One past the offset of a round's last slot. */
  public long end(int partition, long round) {
    return start(partition, round + 1);
  }

  /** A round's slice. */
  public OffsetRange slice(int partition, long round) {
    return new OffsetRange(partition, start(partition, round), end(partition, round));
  }
}
