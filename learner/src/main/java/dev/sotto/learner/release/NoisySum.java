package dev.sotto.learner.release;

import dev.sotto.learner.example.Vectors;
import dev.sotto.learner.memory.CoordinateRanges;

/**
 * What an optimizer gets, and all it gets: the noisy prefix sum after one round, the noisy answer
 * of one query, or the sum over the noisy nodes of a tree. {@link PrefixRelease} makes the first,
 * {@link SumAnswers} and {@link PathAnswers} the second, {@link TreeAnswers} the third, and
 * {@link Releaser} gives it out; everything computed from it is post-processing.
 */
public final class NoisySum {
  private final long round;
  private final double divisor;
  private final double unit;
  private final PrefixSum prefix;
  private final long[] last;
  private final TreeSum tree;

  /** A prefix, and the last round's part of it; null where that is not known any more. */
  static NoisySum ofPrefix(long round, PrefixSum prefix, long[] last, Lattice lattice) {
    return new NoisySum(round, prefix, last, null, lattice.unit(), lattice.batch());
  }

  private NoisySum(
      long round, PrefixSum prefix, long[] last, TreeSum tree, double unit, double divisor) {
    this.round = round;
    this.prefix = prefix;
    this.last = last;
    this.tree = tree;
    this.unit = unit;
    this.divisor = divisor;
  }

  /**
   * The answer of one query.
   *
   * @param slots of the query; where coins choose, how many of them do on average
   */
  static NoisySum ofQuery(long round, long[] sum, double unit, double slots) {
    return new NoisySum(round, null, sum, null, unit, slots);
  }

  /**
   * The sum over the nodes of a tree.
   *
   * @param slots of one leaf
   */
  static NoisySum ofTree(long round, TreeSum tree, double unit, long slots) {
    return new NoisySum(round, null, null, tree, unit, slots);
  }

  /** How many rounds are in the prefix, at least 1. */
  public long round() {
    return round;
  }

  /**
   * Writes the noisy prefix of batch means, {@code (G_t + N_t) / B}, or the tree's sum of them. The
   * division comes after the noise.
   *
   * @throws IllegalStateException where it is the answer of one query, of which no prefix is known
   */
  public void mean(double[] into) {
    if (tree != null) {
      tree.value(into);
      Vectors.divide(into, divisor, 0, into.length);
    } else {
      CoordinateRanges.each(into.length, (from, to) -> mean(into, from, to));
    }
  }

  /** {@link #mean(double[])} of a prefix, in the coordinates from one up to another. */
  public void mean(double[] into, int from, int to) {
    if (prefix == null) {
      throw new IllegalStateException("a query has an answer of its own, and no prefix");
    }
    prefix.toDoubles(into, unit, divisor, from, to);
  }

  /**
   * Writes the noisy batch mean of the last round alone, by how much {@link #mean} has grown; of a
   * query, its answer.
   *
   * @throws IllegalStateException where the last round was released before a restart
   */
  public void lastMean(double[] into) {
    CoordinateRanges.each(into.length, (from, to) -> lastMean(into, from, to));
  }

  /** The same in the coordinates from one up to another. */
  public void lastMean(double[] into, int from, int to) {
    if (last == null) {
      throw new IllegalStateException("the last round's own sum is known at its release only");
    }
    for (int i = from; i < to; i++) {
      into[i] = last[i] * unit;
    }
    Vectors.divide(into, divisor, from, to);
  }
}
