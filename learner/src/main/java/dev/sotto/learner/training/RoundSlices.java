package dev.sotto.learner.training;

import dev.sotto.learner.accounting.OffsetRange;
import java.util.List;

/**
 * How the offsets of several partitions are cut into rounds: each round takes the same number of
 * offsets from each, without a gap, whatever they hold. So a model is a function of the partitions'
 * logs alone.
 *
 * <p>Where a round is a block of several queries, every query reads the same slice: the methods
 * take the number of a query in the whole run, from 1, which is that of the round where it is one
 * query.
 */
public final class RoundSlices {
  private final long[] origins;
  private final long slots;
  private final long queries;

  /** A cut where every round is one query, or where rounds and not queries are asked for. */
  public RoundSlices(List<OffsetRange> firstSlices) {
    this(firstSlices, 1);
  }

  /**
   * A cut.
   *
   * @param firstSlices the slice of round 1 in partitions 0, 1, ...: all of one length
   * @param queries of a round
   */
  public RoundSlices(List<OffsetRange> firstSlices, long queries) {
    this.queries = queries;
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

  /** The first query that reads an offset, from 1; 0 for one before the origin. */
  public long roundOf(int partition, long offset) {
    return offset < origins[partition] ? 0 : 1 + (offset - origins[partition]) / slots * queries;
  }

  /** The offset of the first slot that a query reads. */
  public long start(int partition, long query) {
    return Math.addExact(origins[partition], Math.multiplyExact((query - 1) / queries, slots));
  }

  /** One past the offset of the last slot that a query reads. */
  public long end(int partition, long query) {
    return start(partition, query) + slots;
  }

  /** What a query reads. */
  public OffsetRange slice(int partition, long query) {
    return new OffsetRange(partition, start(partition, query), end(partition, query));
  }

  /** What some rounds in a row read in a partition. */
  public OffsetRange ofRounds(int partition, long first, long last) {
    return new OffsetRange(
        partition, start(partition, (first - 1) * queries + 1), end(partition, last * queries));
  }
}
