package dev.sotto.learner.optimizer.heavytail;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.mechanism.QuerySchedule;
import java.util.List;

/**
 * An algorithm that learns from a block of slots by a fixed sequence of noisy means. Immutable; all
 * its numbers are public.
 */
public interface BlockAlgorithm {
  /** The queries of a block. */
  QuerySchedule queries();

  /** The l2 bound of what one slot adds to the sum of a query; positive. */
  double clip();

  /**
   * The factor of a gradient before it is cut to {@link #clip}: a query with a smaller clip of its
   * own has a factor above 1, and takes it off the noisy mean.
   *
   * @param query of the block, from 1
   */
  default double scale(long query) {
    return 1;
  }

  /**
   * Points of a query, each with a sum of its own: the answer holds as many vectors, one after the
   * other. At least 1.
   */
  default int points() {
    return 1;
  }

  /**
   * The points at which a query takes its gradients, as many as {@link #points}.
   *
   * @param query its number in the whole run, from 1
   * @param center {@link BlockIterates#point} then; not changed
   */
  default double[][] points(long query, double[] center) {
    return new double[][] {center};
  }

  /**
   * Whether nothing answers a query: its slots are read, and {@link BlockIterates#skip} goes on.
   *
   * @param query of the block, from 1
   */
  default boolean isSilent(long query) {
    return false;
  }

  /**
   * The share of a block's gradients that a good clip cuts: the clip is a quantile of norms
   * (docs/heavy-tails.md, "What must be known"). Above 0; it may exceed 1 where noise is very
   * large.
   */
  default double tail(BlockSize size) {
    throw new IllegalStateException("its clip is no quantile of norms");
  }

  /** The same for another number of weights, where settings depend on that. */
  default BlockAlgorithm ofDimension(int dimension) {
    return this;
  }

  /** Its state before the first block, at public weights; they are moved into its set. */
  BlockIterates start(double[] first);

  /**
   * Its state as it was written down.
   *
   * @param iterates what {@link BlockIterates#iterates} was then
   */
  BlockIterates resume(int dimension, double[] iterates);

  /** When another form or algorithm is the better choice, as sentences. */
  default List<String> advice(Objective objective) {
    return List.of();
  }

  /** What there is to know of it in a plan; empty for most. */
  default Section describe(PlanFigures plan) {
    return Section.untitled();
  }

  /** All settings, as canonical text of one line. */
  String describe();
}
