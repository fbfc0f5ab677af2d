package dev.sotto.learner.training;

import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.GradientMap;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.range.NumberRange;
import java.util.List;

/**
 * What one round, or one query of a block, asks of each example:
 * {@code scale grad f(point) - previousScale grad f(previous)}, clipped as one; with clips of its
 * own, scale times what {@link DifferenceClips} says. Public, since it follows from noisy answers.
 *
 * @param round from 1
 * @param at where the gradient is taken, and its factor
 * @param earlier what is taken away from it; null where there is nothing
 * @param map of a gradient, or of two, to what is summed; null where they are cut as one
 * @param pool points around the point at which gradients are taken instead; null for the point
 * @param ranges of numbers without bounds, as far as the rounds before have shown them; empty where
 *     nothing is measured
 */
public record GradientQuery(
    long round, At at, At earlier, GradientMap map, PoolQuery pool, List<NumberRange> ranges) {
  private static final double[] NONE = {};
  private static final byte[] NO_SEED = {};

  /**
   * A gradient at a point.
   *
   * @param scale its factor
   * @param point the weights; shared, not to be changed; empty where it is needed but not known
   */
  record At(double scale, double[] point) {
    private static At earlier(double scale, double[] point) {
      return scale == 0 && point.length == 0 ? null : new At(scale, point);
    }
  }

  /** A query whose gradients, or scaled differences, are cut as a whole. */
  public GradientQuery(
      long round, double scale, double[] point, double previousScale, double[] previous) {
    this(round, new At(scale, point), At.earlier(previousScale, previous), null, null, List.of());
  }

  /** The factor of the gradient at the point. */
  public double scale() {
    return at.scale();
  }

  /** The weights at which the gradient is taken; shared, not to be changed. */
  public double[] point() {
    return at.point();
  }

  /** The factor of the gradient at the point of the round before; 0 without one. */
  double previousScale() {
    return earlier == null ? 0 : earlier.scale();
  }

  /** The point of the round before; empty where it is not asked for. */
  double[] previous() {
    return earlier == null ? NONE : earlier.point();
  }

  /**
   * A query of a block.
   *
   * @param round number of the query in the whole run
   * @param factor of the gradients beside that of the query: of the state
   * @param compared the point to compare with; null where there is none
   * @param seed of secret coins; empty where the query has none
   */
  static GradientQuery ofBlock(
      Plan plan, long round, double factor, double[] point, double[] compared, byte[] seed) {
    long number = plan.queryOf(round);
    NormBins norms = plan.optimizer().norms(number);
    return new GradientQuery(
        round,
        new At(plan.optimizer().scale(number) * factor, point),
        compared == null ? null : new At(0, compared),
        norms == null ? plan.optimizer().clips(number) : norms,
        PoolQuery.of(plan, round, number, point, seed),
        List.of());
  }

  /**
   * The query of a round, for a learner that knows the points alone. Of blocks, all of whose
   * queries read all of a block and compare with the query before: then rounds are numbers of
   * queries in the whole run.
   *
   * @param before the point of the round before; not read where the plan does not ask for it
   */
  public static GradientQuery of(Plan plan, long round, double[] point, double[] before) {
    if (plan.learnsFromBlocks()) {
      long number = plan.queryOf(round);
      boolean compares = number > 1 && plan.optimizer().clips(number) != null;
      return ofBlock(plan, round, 1, point, compares ? before : null, NO_SEED);
    }
    long within = plan.generations().within(round);
    boolean difference = plan.optimizer().isRecursive() && within > 1;
    return new GradientQuery(
        round,
        new At(plan.optimizer().scale(within), point),
        difference ? new At(plan.optimizer().scale(within - 1), before) : null,
        plan.optimizer().clips(within),
        null,
        List.of());
  }

  /** The same of examples whose numbers have these ranges, or are counted around them. */
  public GradientQuery with(List<NumberRange> known) {
    return known.isEmpty() && ranges.isEmpty()
        ? this
        : new GradientQuery(round, at, earlier, map, pool, known);
  }

  /** Whether it needs the point of the query before, which is not known. */
  public boolean lacksPrevious(Plan plan) {
    boolean compares =
        plan.learnsFromBlocks() ? clips() != null && plan.queryOf(round) > 1 : previousScale() != 0;
    return compares && !isDifference();
  }

  /** Whether the point of the round before is asked for too. */
  public boolean isDifference() {
    return earlier != null && earlier.point().length > 0;
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
      return new double[] {scale(), previousScale(), bins[0], bins[1], bins[2], bins[3]};
    }
    DifferenceClips clips = clips();
    return clips == null
        ? new double[] {scale(), previousScale()}
        : new double[] {
          scale(), previousScale(), clips.gradient(), clips.difference(), clips.share()
        };
  }

  /** Everything that gradients are taken at. */
  double[][] points() {
    if (pool != null) {
      return pool.answers() ? pool.points() : new double[][] {point()};
    }
    return isDifference() ? new double[][] {point(), previous()} : new double[][] {point()};
  }
}
