package dev.sotto.learner.optimizer;

import dev.sotto.learner.description.Section;
import dev.sotto.learner.mechanism.PlanFigures;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.release.NoisySum;
import java.util.List;
import java.util.Optional;

/**
 * Turns noisy sums of gradients into weights, and says at which points the next gradients are
 * taken. It sees no examples: whatever it does is post-processing, and costs no privacy. Immutable.
 */
public interface Optimizer {
  /**
   * Where it stands before the first round.
   *
   * @param first public weights from which to start, the caller's; zeros where any start will do
   * @throws IllegalArgumentException where it cannot start there
   */
  OptimizerState start(double[] first);

  /** The start where any will do. */
  default OptimizerState start(int dimension) {
    return start(new double[dimension]);
  }

  /**
   * Where it stood after some round.
   *
   * @param iterates what {@link OptimizerState#iterates()} was then
   * @param latest the noisy prefix of the generation then; null where the next round begins another
   *     generation
   */
  OptimizerState resume(int dimension, double[] iterates, NoisySum latest);

  /** Why it has this form, as a sentence; empty where there was nothing to choose. */
  default String reason() {
    return "";
  }

  /** When another form or algorithm is the better choice, as sentences. */
  default List<String> advice(AdviceInputs of) {
    return List.of();
  }

  /** What there is to know of it in a plan; empty for most. */
  default Section describe(PlanFigures plan) {
    return Section.untitled();
  }

  /** All settings, as canonical text of one line: it goes into the fingerprint of a plan. */
  String describe();

  /** Whether each round but a generation's first also asks at the point of the round before. */
  default boolean isRecursive() {
    return false;
  }

  /**
   * The factor eta_t of the gradient at the point of round t of its generation. Where the algorithm
   * {@link #isRecursive}, the gradient of the same example at the point of the round before, times
   * that round's factor, is taken away from it, and the difference is clipped.
   *
   * @param t from 1
   */
  default double scale(long t) {
    return 1;
  }

  /**
   * The queries of a round, where they make it a block of as many slots as they read; empty where a
   * round of any size is one query. In a block {@link OptimizerState#tell} takes the answer of one
   * query after another, weights are published after the last one, and t counts the queries of a
   * block in {@link #scale} and {@link #clips}.
   */
  default Optional<QuerySchedule> block() {
    return Optional.empty();
  }

  /**
   * Why several places cannot sum the slots of a round in parts, as the rest of a sentence behind
   * the algorithm's name; empty where they can.
   */
  default Optional<String> hindersParts() {
    return block().flatMap(QuerySchedule::hindersParts);
  }

  /**
   * How two gradients of an example are cut before they are combined, in round (or query) t; null
   * where gradients, or their scaled differences, are cut as a whole.
   */
  default DifferenceClips clips(long t) {
    return null;
  }

  /**
   * The points at which a query takes its gradients: the centre, unless the schedule of a block
   * says that there are several. They follow from public numbers alone.
   *
   * @param query its number in the whole run, from 1
   * @param centre {@link OptimizerState#point()} then
   * @return as many as the schedule of the queries says, of the centre's length; the caller's
   */
  default double[][] points(long query, double[] centre) {
    return new double[][] {centre};
  }

  /** The norms of gradients that query t of a block counts; null where it sums gradients. */
  default NormBins norms(long t) {
    return null;
  }

  /**
   * The same algorithm for another number of weights, where its settings depend on that: audits add
   * coordinates.
   */
  default Optimizer ofDimension(int dimension) {
    return this;
  }
}
