package dev.sotto.learner.release;

import java.util.Optional;

/**
 * The exact sums of a query whose slots are all filled, and what its noise is bound to. A round is
 * a block of at least one query.
 *
 * @param sum full; emptied as it is released. Of a path, the answer is the noisy average of its
 *     points
 * @param metrics the same slots' figures, on the grid of the metering; emptied too; empty without
 *     metrics
 * @param points the point(s) at which its gradients were taken, or at which its path began
 * @param content the fingerprint of its slots
 * @param place which query it is
 * @param counts of a stage of ranges that ends with its slots; emptied too; else empty
 */
public record FullQuery(
    OpenSum sum,
    Optional<ClippedSum> metrics,
    double[][] points,
    byte[] content,
    Place place,
    Optional<Stage> counts) {
  /**
   * A stage of ranges.
   *
   * @param counts full
   * @param number from 1
   */
  public record Stage(RangeCounts counts, int number) {}

  /** A query with which no stage of ranges ends. */
  public FullQuery(
      OpenSum sum, Optional<ClippedSum> metrics, double[][] points, byte[] content, Place place) {
    this(sum, metrics, points, content, place, Optional.empty());
  }

  /**
   * The place of a query in the history.
   *
   * @param generation of its round: 0 until an algorithm restarts on fresh records, and never less
   *     than that of the round before
   * @param number in its round, from 1
   * @param last whether the round ends with it
   */
  public record Place(int generation, long number, boolean last) {
    /** Of a round that is one query. */
    public static Place ofRound(int generation) {
      return new Place(generation, 1, true);
    }
  }

  /** A round that is one query at one point, without metrics. */
  public static FullQuery ofRound(ClippedSum sum, double[] point, byte[] content, int generation) {
    return new FullQuery(
        sum, Optional.empty(), new double[][] {point}, content, Place.ofRound(generation));
  }
}
