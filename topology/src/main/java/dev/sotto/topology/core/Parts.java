package dev.sotto.topology.core;

import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.record.RoundPart;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The parts of rounds that are not closed yet, as the coordinator gathers them. A worker that starts again sends its part
 * again: the same sum in other cipher text, of which the first counts.
 */
final class Parts {
  private final Plan plan;
  private final RoundsSettings rounds;
  private final PartDecoder decoder;
  private final Map<Long, Gathering> gatherings = new TreeMap<>();

  Parts(Plan plan, RoundsSettings rounds, PartDecoder decoder) {
    this.plan = plan;
    this.rounds = rounds;
    this.decoder = decoder;
  }

  /** What binds a part to its place: under these bytes it is sealed. */
  static byte[] place(long round, OffsetRange slice) {
    return ByteBuffer.allocate(28)
        .putLong(round)
        .putInt(slice.partition())
        .putLong(slice.from())
        .putLong(slice.to())
        .array();
  }

  /**
   * Takes one record.
   *
   * @param closed rounds that are closed already
   */
  void take(long offset, byte[] value, long closed) {
    RoundPart piece = decoder.decode(value);
    if (piece.round() <= closed) {
      return; // sent again by a worker that started again
    }
    if (piece.round() > closed + 1 + plan.lag()) {
      throw new Refusal("parts of rounds " + (closed + 1) + " to " + (piece.round() - 1)
          + " are no longer in the topic of parts: they are needed to derive again what was published. Restore the"
          + " state's changelogs, or start a new app.id whose budget accounts for what was spent");
    }
    int partition = piece.partition();
    OffsetRange slice = partition < 0 || partition >= rounds.slicing().partitions()
        ? null
        : rounds.slicing().slice(partition, piece.round());
    if (slice == null || slice.from() != piece.from() || slice.to() != piece.to()) {
      throw new Refusal("a part of round " + piece.round() + " is of partition " + partition
          + ", offsets " + piece.from() + " to " + piece.to()
          + ", which no worker of this application sums; another one writes to its topics");
    }
    gatherings
        .computeIfAbsent(
            piece.round(), round -> new Gathering(rounds.slicing().partitions(), offset))
        .put(piece);
  }

  /** Adds what has come to the learner's open round; whether that is full now. */
  boolean fills(ModelLearner learner) {
    long round = learner.round() + 1;
    Gathering gathering = gatherings.get(round);
    if (gathering == null) {
      return false;
    }
    if (learner.isExhausted()) {
      gatherings.clear();
      return false;
    }
    boolean full = false;
    for (int i = 0; i < gathering.arriving.length; i++) {
      Pieces pieces = gathering.arriving[i];
      if (pieces != null && pieces.isWhole() && !gathering.added[i]) {
        full = learner.merge(pieces.whole(), place(round, rounds.slicing().slice(i, round)));
        gathering.added[i] = true;
        gathering.arriving[i] = null;
      }
    }
    return full;
  }

  /** Forgets a full round; returns the offset from which on parts of later ones may lie. */
  long close(long round, long next) {
    gatherings.remove(round);
    return gatherings.values().stream()
        .mapToLong(each -> each.firstOffset)
        .min()
        .orElse(next);
  }

  /** Where a round's slots came from. */
  List<OffsetRange> ranges(long round) {
    return IntStream.range(0, rounds.slicing().partitions())
        .mapToObj(each -> rounds.slicing().slice(each, round))
        .toList();
  }

  /** Opens the round that may be summed now that one more is closed. */
  void openNext(ModelLearner learner) {
    long next = learner.round() + 1 + plan.lag();
    if (!learner.isExhausted() && plan.allows(next)) {
      rounds.points().open(next, learner.keyIdOf(next), learner.question(next).point());
    }
  }

  /** The partitions whose part of a round has not come. */
  Set<Integer> missing(long round) {
    Gathering gathering = gatherings.get(round);
    return IntStream.range(0, rounds.slicing().partitions())
        .filter(each -> gathering == null || !gathering.added[each])
        .boxed()
        .collect(Collectors.toSet());
  }

  private static final class Gathering {
    private final Pieces[] arriving;
    private final boolean[] added;
    private final long firstOffset;

    Gathering(int partitions, long firstOffset) {
      this.arriving = new Pieces[partitions];
      this.added = new boolean[partitions];
      this.firstOffset = firstOffset;
    }

    void put(RoundPart piece) {
      int partition = piece.partition();
      if (added[partition]) {
        return;
      }
      if (arriving[partition] == null) {
        arriving[partition] = new Pieces(piece.pieces());
      }
      if (!arriving[partition].isWhole()) {
        arriving[partition].put(piece.index(), piece.sealed());
      }
    }
  }
}
