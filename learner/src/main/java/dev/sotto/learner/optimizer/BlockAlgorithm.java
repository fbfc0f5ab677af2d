package dev.sotto.learner.optimizer;

import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.release.NoisySum;
import java.util.Optional;

/**
 * An algorithm that learns from a block of slots by a fixed sequence of noisy means. Immutable; all
 * its numbers are public.
 */
public interface BlockAlgorithm extends Optimizer {
  /** The queries of a block. */
  QuerySchedule queries();

  /**
   * The l2 bound of what one slot adds to the sum of a query; positive. A query with a smaller clip
   * of its own has a {@link #scale} above 1, and takes it off the noisy mean.
   */
  double clip();

  /** Moves weights into the set that holds them. */
  void project(double[] weights);

  /**
   * A state whose vectors are not set yet.
   *
   * @param published weights in the set; kept
   */
  BlockIterates iterates(double[] published);

  @Override
  default Optional<QuerySchedule> block() {
    return Optional.of(queries());
  }

  /** Its state before the first block, at public weights; they are moved into its set. */
  @Override
  default BlockIterates start(double[] first) {
    double[] inside = first.clone();
    project(inside);
    BlockIterates iterates = iterates(inside);
    iterates.restart();
    return iterates;
  }

  /**
   * Its state as it was written down.
   *
   * @param iterates what {@link BlockIterates#iterates} was then
   */
  default BlockIterates resume(int dimension, double[] iterates) {
    return iterates(new double[dimension]).resume(iterates);
  }

  @Override
  default BlockIterates resume(int dimension, double[] iterates, NoisySum latest) {
    return resume(dimension, iterates);
  }
}
