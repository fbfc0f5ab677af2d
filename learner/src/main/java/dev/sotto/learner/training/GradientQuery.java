package dev.sotto.learner.training;

import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.GradientMap;
import dev.sotto.learner.optimizer.NormBins;

/**
 * What one round, or one query of a block, asks of each example:
 * {@code scale grad f(point) - previousScale grad f(previous)}, clipped as one; with clips of its
 * own, scale times what {@link DifferenceClips} says. Public, since it follows from noisy answers.
 *
 * @param round from 1
 * @param scale factor of the gradient at the point
 * @param point the weights at which the gradient is taken; shared, not to be changed
 * @param previousScale factor of the gradient at the point of the round before
 * @param previous the point of the round before; empty where it is not asked for
 * @param map of a gradient, or of two, to what is summed; null where they are cut as one
 */
public record GradientQuery(
    long round,
    double scale,
    double[] point,
    double previousScale,
    double[] previous,
    GradientMap map) {
  private static final double[] NONE = {};

  /** A query whose gradients, or scaled differences, are cut as a whole. */
  public GradientQuery(
      long round, double scale, double[] point, double previousScale, double[] previous) {
    this(round, scale, point, previousScale, previous, null);
  }

  /**
   * A query of a block.
   *
   * @param round number of the query in the whole run
   * @param number of the query in the block
   * @param factor of the gradients beside that of the query: of the state
   * @param earlier the point to compare with; null where there is none
   */
  static GradientQuery ofBlock(
      Plan plan, long round, long number, double factor, double[] point, double[] earlier) {
    NormBins norms = plan.optimizer().norms(number);
    return new GradientQuery(
        round,
        plan.optimizer().scale(number) * factor,
        point,
        0,
        earlier == null ? NONE : earlier,
        norms == null ? plan.optimizer().clips(number) : norms);
  }

  /**
   * The query of a round, for a learner that knows the points alone. Of blocks, all of whose queries
   * read all of a block and compare with the query before: then rounds are numbers of queries in the
   * whole run.
   *
   * @param before the point of the round before; not read where the plan does not ask for it
   */
  public static GradientQuery of(Plan plan, long round, double[] point, double[] before) {
    if (plan.learnsFromBlocks()) {
      long number = (round - 1) % plan.queriesPerRound() + 1;
      boolean compares = number > 1 && plan.optimizer().clips(number) != null;
      return ofBlock(plan, round, number, 1, point, compares ? before : null);
    }
    long within = plan.generations().within(round);
    boolean difference = plan.optimizer().isRecursive() && within > 1;
    return new GradientQuery(
        round,
        plan.optimizer().scale(within),
        point,
        difference ? plan.optimizer().scale(within - 1) : 0,
        difference ? before : NONE,
        plan.optimizer().clips(within));
  }

  /** Whether it needs the point of the query before, which is not known. */
  public boolean lacksPrevious(Plan plan) {
    boolean compares = plan.learnsFromBlocks()
        ? clips() != null && (round - 1) % plan.queriesPerRound() > 0
        : previousScale != 0;
    return compares && !isDifference();
  }

  /** Whether the point of the round before is asked for too. */
  public boolean isDifference() {
    return previous.length > 0;
  }

  /** Clips of two gradients apart; null where they are cut as one, or none are summed. */
  DifferenceClips clips() {
    return map instanceof DifferenceClips clips ? clips : null;
  }

  /** The norms that are counted; null where gradients are summed. */
  NormBins norms() {
    return map instanceof NormBins norms ? norms : null;
  }

  /** The numbers that say how gradients become what is summed; kinds differ in how many. */
  double[] factors() {
    if (map instanceof NormBins norms) {
      double[] bins = norms.numbers();
      return new double[] {scale, previousScale, bins[0], bins[1], bins[2], bins[3]};
    }
    DifferenceClips clips = clips();
    return clips == null
        ? new double[] {scale, previousScale}
        : new double[] {scale, previousScale, clips.gradient(), clips.difference(), clips.share()};
  }

  /** Everything that gradients are taken at. */
  double[][] points() {
    return isDifference() ? new double[][] {point, previous} : new double[][] {point};
  }
}
