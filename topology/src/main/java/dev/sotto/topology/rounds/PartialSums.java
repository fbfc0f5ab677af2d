package dev.sotto.topology.rounds;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.topology.failure.NewHistory;
import dev.sotto.topology.failure.UnsafeToContinueException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The parts of rounds (or, where rounds are blocks, of queries: their numbers count through the
 * whole run) that are not closed yet, as the coordinator gathers them. A worker that
 * starts again sends its part again: the same sum in other cipher text, of which the first counts.
 */
public final class PartialSums {
  private final Plan plan;
  private final RoundsSettings rounds;
  private final Map<Long, Gathering> gatherings = new TreeMap<>();

  public PartialSums(Plan plan, RoundsSettings rounds) {
    this.plan = plan;
    this.rounds = rounds;
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
   * @param place of the record in the topic of parts
   * @param closed rounds that are closed already
   */
  public void take(long place, byte[] value, long closed) {
    RoundPart piece = RoundCodecs.PART.decode(value);
    if (piece.round() <= closed) {
      return; // sent again by a worker that started again
    }
    if (piece.round() > closed + 1 + plan.lag()) {
      throw new UnsafeToContinueException(
          "parts of rounds " + (closed + 1) + " to " + (piece.round() - 1)
              + " are no longer in the topic of parts: they are needed to derive again what was"
              + " published. Restore the"
              + " state's changelogs, or " + NewHistory.START);
    }
    int partition = piece.partition();
    OffsetRange slice = partition < 0 || partition >= rounds.slicing().partitions()
        ? null
        : rounds.slicing().slice(partition, piece.round());
    if (slice == null || slice.from() != piece.from() || slice.to() != piece.to()) {
      throw new UnsafeToContinueException(
          "a part of round " + piece.round() + " is of partition " + partition
              + ", offsets " + piece.from() + " to " + piece.to()
              + ", which no worker of this application sums; another one writes to its topics");
    }
    gatherings
        .computeIfAbsent(
            piece.round(), round -> new Gathering(rounds.slicing().partitions(), place))
        .put(piece);
  }

  /** Adds what has come to the learner's open round; whether that is full now. */
  public boolean fills(ModelLearner learner) {
    long round = learner.answered() + 1;
    Gathering gathering = gatherings.get(round);
    if (gathering == null) {
      return false;
    }
    if (learner.isExhausted()) {
      gatherings.clear();
      return false;
    }
    boolean full = false;
    for (int i = 0; i < gathering.added.length; i++) {
      byte[] whole = gathering.takeWhole(i);
      if (whole != null) {
        full = learner.merge(whole, place(round, rounds.slicing().slice(i, round)));
      }
    }
    return full;
  }

  /** Forgets a full round; returns the place from which on parts of later ones may lie. */
  public long close(long round, long next) {
    gatherings.remove(round);
    return gatherings.values().stream().mapToLong(each -> each.firstPlace).min().orElse(next);
  }

  /** Where the slots of some rounds in a row came from. */
  public List<OffsetRange> ranges(long firstRound, long lastRound) {
    RoundSlices slices = rounds.slicing();
    return IntStream.range(0, slices.partitions())
        .mapToObj(each -> slices.ofRounds(each, firstRound, lastRound))
        .toList();
  }

  /** Opens a round for all workers, where the budget covers it; returns whether it does. */
  public boolean open(ModelLearner learner, long round, String keyId) {
    boolean covered = learner.covers(round);
    if (covered) {
      rounds.points().open(learner.queryOf(round), keyId);
    }
    return covered;
  }

  /** The partitions whose part of a round has not come. */
  public Set<Integer> missing(long round) {
    Gathering gathering = gatherings.get(round);
    return IntStream.range(0, rounds.slicing().partitions())
        .filter(each -> gathering == null || !gathering.added[each])
        .boxed()
        .collect(Collectors.toSet());
  }

  /** What has come of one round, by partition. */
  private static final class Gathering {
    private final List<Map<Long, ChunkAssembler>> attempts = new ArrayList<>();
    private final boolean[] added;
    private final long firstPlace;

    Gathering(int partitions, long firstPlace) {
      for (int i = 0; i < partitions; i++) {
        attempts.add(new TreeMap<>());
      }
      this.added = new boolean[partitions];
      this.firstPlace = firstPlace;
    }

    /**
     * Compaction may have left some pieces of one attempt and all of another: they are kept apart.
     */
    void put(RoundPart piece) {
      if (!added[piece.partition()]) {
        attempts
            .get(piece.partition())
            .computeIfAbsent(piece.attempt(), none -> new ChunkAssembler(piece.pieces()))
            .put(piece.index(), piece.sealed());
      }
    }

    /** The part of a partition, once; null while it has not come, or was given out already. */
    byte[] takeWhole(int partition) {
      for (ChunkAssembler pieces : attempts.get(partition).values()) {
        if (pieces.isWhole()) {
          byte[] whole = pieces.whole();
          attempts.get(partition).clear();
          added[partition] = true;
          return whole;
        }
      }
      return null;
    }
  }
}
