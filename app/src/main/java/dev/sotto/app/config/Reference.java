package dev.sotto.app.config;

import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.unit.Participation;

/** What becomes of a pledge that is not to be kept, as {@link Protection} says. */
final class Reference {
  /** The clip grows by this power of two where the lattice has room: it bites no more. */
  private static final int CLIP = 16;

  /** Sums stay exact below 2^53 lattice units, of which the noise parameter has 2^20 to 2^21. */
  private static final int ROOM = 53 - 21 - 1;

  private static final int LEAST_SHRINKING = 8;
  private static final int MOST_SHRINKING = 16;
  private static final int CLIP_BESIDE_NOISE = 10;

  private Reference() {}

  /**
   * The weaker pledge.
   *
   * @throws IllegalArgumentException where rounds are so large that neither clip nor noise can be moved
   */
  static Pledges.Pledge of(Pledges.Pledge pledge, Protection protection, long batch) {
    return switch (protection) {
      case CONFIGURED -> pledge;
      case NONE -> silent(pledge, new Participation.Once(), PrivacyUnit.RECORD, batch);
      case BOUNDING ->
        pledge.participation() instanceof Participation.Budgeted budgeted
            ? scaled(pledge, budgeted, batch)
            : silent(pledge, pledge.participation(), pledge.unit(), batch);
    };
  }

  private static Pledges.Pledge silent(
      Pledges.Pledge pledge, Participation participation, PrivacyUnit unit, long batch) {
    int growth = Math.max(0, Math.min(CLIP, ROOM - exponentAbove(batch)));
    return new Pledges.Pledge(
        boundless(pledge),
        Mechanisms.noneForPublicData(),
        pledge.adjacency(),
        unit,
        participation,
        pledge.generations(),
        pledge.clip() * power(growth),
        pledge.clip(), // only the lattice's step follows from it
        null);
  }

  /**
   * Clip, noise and the units' budgets moved by powers of two such that every book reads the same to the bit, and
   * so admits the same records.
   */
  private static Pledges.Pledge scaled(
      Pledges.Pledge pledge, Participation.Budgeted budgeted, long batch) {
    MetricsPlan metrics =
        pledge.metrics() == null || pledge.metrics().exact() ? null : pledge.metrics();
    double most = pledge.clip() / pledge.sigma();
    if (metrics != null) {
      most = Math.max(most, MetricsPlan.VECTOR_NORM / metrics.sigma());
    }
    int room = ROOM - exponentAbove(batch * most);
    int growth = Math.max(0, Math.min(CLIP_BESIDE_NOISE, room - MOST_SHRINKING));
    int shrinking = Math.min(MOST_SHRINKING, room - growth);
    if (shrinking < LEAST_SHRINKING) {
      throw new IllegalArgumentException(
          "rounds of " + batch + " leave no room for a reference without noise");
    }
    double ratio = power(growth + shrinking);
    return new Pledges.Pledge(
        boundless(pledge),
        pledge.mechanism(),
        pledge.adjacency(),
        pledge.unit(),
        new Participation.Budgeted(budgeted.mu() * ratio),
        pledge.generations(),
        pledge.clip() * power(growth),
        pledge.sigma() / power(shrinking),
        metrics == null
            ? null
            : new MetricsPlan(
                metrics.sigma() / ratio, metrics.lossBound(), metrics.bins(), metrics.window()));
  }

  private static Budget boundless(Pledges.Pledge pledge) {
    return new Budget(Double.POSITIVE_INFINITY, pledge.budget().delta());
  }

  private static double power(int exponent) {
    return StrictMath.scalb(1.0, exponent);
  }

  /** The least e with value <= 2^e. */
  private static int exponentAbove(double value) {
    int exponent = Math.getExponent(value);
    return value > StrictMath.scalb(1.0, exponent) ? exponent + 1 : exponent;
  }
}
