package dev.sotto.learner.round;

import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.release.Mechanism;

/** Chooses the noise from a budget. */
public final class Calibration {
  private Calibration() {}

  /**
   * The smallest standard deviation of the noise per coordinate of the sum, but for rounding up, under which so
   * many rounds fit the budget.
   *
   * @param rounds the horizon, at least 1; {@link Long#MAX_VALUE} for an endless stream, where the mechanism has a
   *     limit
   */
  public static double sigma(
      Budget budget, Mechanism mechanism, Adjacency adjacency, double clip, long rounds) {
    if (rounds < 1) {
      throw new IllegalArgumentException("the horizon must be at least 1 round, but was " + rounds);
    }
    double most =
        rounds == Long.MAX_VALUE ? mechanism.sensitivityLimit() : mechanism.sensitivity(rounds);
    double reach = adjacency.sensitivity(clip) * most;
    double sigma = reach / budget.muLimit();
    if (!(sigma > 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("no finite noise fits epsilon " + budget.epsilon()
          + " at delta " + budget.delta() + " for "
          + mechanism.name() + " over "
          + (rounds == Long.MAX_VALUE ? "an endless stream" : rounds + " rounds"));
    }
    while (!budget.allows(reach / sigma)) {
      sigma = Math.nextUp(sigma * (1 + 0x1p-52));
    }
    return sigma;
  }
}
