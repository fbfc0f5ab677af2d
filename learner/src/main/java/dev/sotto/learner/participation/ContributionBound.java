package dev.sotto.learner.participation;

/**
 * A fixed schedule bound: a unit takes part in at most {@code most} rounds, any two of them at
 * least {@code separation} rounds apart (so at most once in a round).
 *
 * @param most k, at least 1; {@link Long#MAX_VALUE} for no bound but the separation
 * @param separation b, at least 1: rounds r and r + b may both hold the unit, r and r + b - 1 may
 *     not
 */
public record ContributionBound(long most, long separation) {
  /** One participation for ever. */
  public static final ContributionBound ONE = new ContributionBound(1, 1);

  /** One participation in every round, for ever. */
  public static final ContributionBound EVERY_ROUND = new ContributionBound(Long.MAX_VALUE, 1);

  public ContributionBound {
    if (most < 1 || separation < 1) {
      throw new IllegalArgumentException(
          "most and separation must be at least 1, but were " + most + " and " + separation);
    }
  }

  /** The largest number of participations within a number of consecutive rounds. */
  public long within(long rounds) {
    long fit = rounds <= 0 ? 0 : (rounds - 1) / separation + 1;
    return Math.min(most, fit);
  }
}
