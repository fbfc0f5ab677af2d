package dev.sotto.learner.mechanism;

import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Noise on the averages of paths that take one step for every slot, in their order, each within a
 * ball. Everything is in units of the clip L, so that no clip goes with parameters of another.
 */
public abstract sealed class OrderedNoise extends AnswerNoise permits PathNoise, CallNoise {
  /** What rounding an average to a lattice may add, relative to the step. */
  static final double LATTICE = 0x1p-14;

  private static final double LARGEST = 0x1p200;
  private static final AuditTerms AUDIT = new AuditTerms(
      new AuditTerms.Canaries(1 + 0x1p-10, 16, 1024),
      1024,
      2,
      true,
      Set.of(AuditTerms.SlotCheck.PATHS));

  private final int dimension;
  private final double reach;

  OrderedNoise(QuerySchedule schedule, int dimension, double reach) {
    super(schedule, 1, 1);
    this.dimension = dimension;
    this.reach = reach;
  }

  static void checkSize(String what, double value) {
    if (!(value >= 1 / LARGEST && value <= LARGEST)) {
      throw new IllegalArgumentException(
          what + " must be between 2^-200 and 2^200, but was " + value);
    }
  }

  /** The number of weights. */
  public final int dimension() {
    return dimension;
  }

  /** The radius of the ball that a path keeps to, in units of the clip. */
  public final double reach() {
    return reach;
  }

  /**
   * The largest step of a query's phase, in weights per unit of a gradient.
   *
   * @param query of the block, from 1
   */
  public abstract double step(long query);

  /** What the guarantee rests on beside convexity, as the end of a sentence. */
  public abstract String rests();

  /** The largest unit to which the averages of a query may be rounded. */
  public final double coarsest(long query, double clip) {
    return step(query) * clip * LATTICE / Math.sqrt(dimension) * (1 - 0x1p-40);
  }

  @Override
  public final Optional<OrderedNoise> ordered() {
    return Optional.of(this);
  }

  /**
   * Steps shrink as gradients get longer than the clip, from 64 clips on: canaries are as long as
   * the clip, hardly more. Those behind one of them move the average less.
   */
  @Override
  public final AuditTerms auditTerms() {
    return AUDIT;
  }

  @Override
  public final Released released() {
    return Released.AVERAGE;
  }

  /** An average is released as it is. */
  @Override
  public final double divisor(double slots) {
    return 1;
  }

  @Override
  public final boolean describesQueries() {
    return true;
  }

  @Override
  public final double moves(long query) {
    return step(query);
  }

  /** rho: steps follow the loss as if its kinks, or its weights, had noise of this size. */
  public abstract double smoothing();

  @Override
  public final String noun() {
    return "phase";
  }

  @Override
  public final String nouns() {
    return "phases";
  }

  @Override
  public final String noised() {
    return "an average, times its phase's step";
  }

  /** What is done with either kind of path. */
  public abstract <T> T match(Function<PathNoise, T> paths, Function<CallNoise, T> calls);

  /** Whether each step is taken at a perturbation of its own, drawn under the noise key. */
  public abstract boolean isPerturbed();
}
