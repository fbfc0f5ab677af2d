package dev.sotto.topology.rounds;

import dev.sotto.learner.range.NumberRange;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.failure.TransientException;
import java.util.Arrays;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

/** The newest rounds that the coordinator has opened for a worker, piece by piece as they come. */
final class RoundOpenings {
  private final NavigableMap<Long, Opening> openings = new TreeMap<>();
  private final int partition;
  private final int lag;
  private final int dimension;

  /**
   * None yet.
   *
   * @param partition of the worker
   * @param lag rounds that are open beside the oldest one
   * @param dimension of a point
   */
  RoundOpenings(int partition, int lag, int dimension) {
    this.partition = partition;
    this.lag = lag;
    this.dimension = dimension;
  }

  /** Takes a piece; one that is known already changes nothing. */
  void put(RoundPoint piece) {
    openings
        .computeIfAbsent(piece.round(), round -> new Opening(piece, dimension))
        .put(piece);
    // A long control log is read through at the start; only its end matters.
    openings.headMap(openings.lastKey() - lag - 2).clear();
  }

  /** The newest round of which all pieces have come; 0 for none. */
  long newest() {
    return openings.descendingMap().entrySet().stream()
        .filter(each -> each.getValue().isWhole())
        .mapToLong(each -> each.getKey())
        .findFirst()
        .orElse(0);
  }

  /** Whether all pieces of a round have come. */
  boolean has(long round) {
    Opening opening = openings.get(round);
    return opening != null && opening.isWhole();
  }

  /** The opening of a round, which must have come. */
  Opening of(long round) {
    if (!has(round)) {
      throw new TransientException("partition " + partition + " shows events of round " + round
          + " before that round was opened: records came out of their logical order");
    }
    return openings.get(round);
  }

  /** The point of a round; empty where it has not come, or is forgotten. */
  double[] point(long round) {
    return has(round) ? openings.get(round).point() : new double[0];
  }

  /** Forgets rounds before one. */
  void forgetBefore(long round) {
    openings.headMap(round).clear();
  }

  /** The opening of one round. */
  static final class Opening {
    private final String keyId;
    private final ChunkAssembler pieces;
    private final int dimension;
    private double[] point;
    private List<NumberRange> ranges;

    private Opening(RoundPoint first, int dimension) {
      this.keyId = first.keyId();
      this.pieces = new ChunkAssembler(first.pieces());
      this.dimension = dimension;
    }

    private void put(RoundPoint piece) {
      pieces.put(piece.index(), piece.weights());
    }

    private boolean isWhole() {
      return pieces.isWhole();
    }

    /** Name of the noise key of the round. */
    String keyId() {
      return keyId;
    }

    /** At which its gradients are taken. */
    double[] point() {
      unpack();
      return point;
    }

    /** What is known of the ranges of numbers; empty where none are measured. */
    List<NumberRange> ranges() {
      unpack();
      return ranges;
    }

    private void unpack() {
      if (point == null) {
        double[] all = PackedDoubles.unpack(pieces.whole());
        point = all.length == dimension ? all : Arrays.copyOf(all, dimension);
        ranges = NumberRange.unpack(Arrays.copyOfRange(all, dimension, all.length));
      }
    }
  }
}
