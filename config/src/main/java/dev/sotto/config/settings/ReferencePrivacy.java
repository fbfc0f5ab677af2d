package dev.sotto.config.settings;

import dev.sotto.learner.accounting.AccountedContribution;
import dev.sotto.learner.accounting.AccountedNoise;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.Participation;

/**
 * The privacy settings of a reference run, whose guarantee is weakened or void:
 * {@link GuaranteeLevel}.
 */
final class ReferencePrivacy {
  /** The clip grows by this power of two where the lattice has room: it bites no more. */
  private static final int CLIP = 16;

  /** Sums stay exact below 2^53 lattice units, of which the noise parameter has 2^20 to 2^21. */
  private static final int ROOM = 53 - 21 - 1;

  private static final int LEAST_SHRINKING = 8;
  private static final int MOST_SHRINKING = 16;
  private static final int CLIP_BESIDE_NOISE = 10;

  private ReferencePrivacy() {}

  /**
   * The weakened settings.
   *
   * @param batch slots in a round
   * @throws IllegalArgumentException where rounds are so large that neither clip nor noise can be
   *     moved
   */
  static PrivacySettings of(PrivacySettings configured, GuaranteeLevel level, long batch) {
    AccountedContribution contribution = configured.contribution();
    return switch (level) {
      case CONFIGURED -> configured;
      case NONE ->
        withoutNoise(
            configured,
            new AccountedContribution(
                PrivacyUnit.RECORD, new Participation.Once(), contribution.generations()),
            batch);
      case BOUNDING ->
        contribution.participation().isBudgeted()
            ? scaled(configured, batch)
            : withoutNoise(configured, contribution, batch);
    };
  }

  private static PrivacySettings withoutNoise(
      PrivacySettings configured, AccountedContribution contribution, long batch) {
    AccountedNoise noise = configured.noise();
    if (noise.mechanism().ofQueries().isPresent()) {
      // Trees need room for decayed sums beside.
      int shrinking = Math.max(0, Math.min(LEAST_SHRINKING, ROOM - exponentAbove(batch) - CLIP));
      return new PrivacySettings(
          boundless(configured),
          new AccountedNoise(
              noise.mechanism(),
              noise.clip(),
              noise.sigma() / power(shrinking),
              noise.adjacency(),
              noise.candidates()),
          contribution,
          null);
    }
    int growth = Math.max(0, Math.min(CLIP, ROOM - exponentAbove(batch)));
    return new PrivacySettings(
        boundless(configured),
        new AccountedNoise(
            Mechanisms.noneForPublicData(),
            noise.clip() * power(growth),
            noise.clip(), // only the lattice's step follows from it
            noise.adjacency(),
            noise.candidates()),
        contribution,
        null);
  }

  /**
   * Clip, noise and the units' budgets are moved by powers of two, so that every unit's spending is
   * the same to the bit relative to its budget, and the same records are admitted.
   */
  private static PrivacySettings scaled(PrivacySettings configured, long batch) {
    AccountedNoise noise = configured.noise();
    AccountedContribution contribution = configured.contribution();
    PrivateMetrics metrics =
        configured.metrics() == null || configured.metrics().exact() ? null : configured.metrics();
    double most = noise.clip() / noise.sigma();
    if (metrics != null) {
      most = Math.max(most, PrivateMetrics.VECTOR_NORM / metrics.sigma());
    }
    int room = ROOM - exponentAbove(batch * most);
    int growth = noise.mechanism().ofQueries().isPresent()
        ? 0 // its clip is a part of the algorithm
        : Math.max(0, Math.min(CLIP_BESIDE_NOISE, room - MOST_SHRINKING));
    int shrinking = Math.min(MOST_SHRINKING, room - growth);
    if (shrinking < LEAST_SHRINKING) {
      throw new IllegalArgumentException(
          "rounds of " + batch + " leave no room for a reference without noise");
    }
    double ratio = power(growth + shrinking);
    return new PrivacySettings(
        boundless(configured),
        new AccountedNoise(
            noise.mechanism(),
            noise.clip() * power(growth),
            noise.sigma() / power(shrinking),
            noise.adjacency(),
            noise.candidates()),
        new AccountedContribution(
            contribution.unit(),
            contribution.participation().withBudgets(ratio),
            contribution.generations()),
        metrics == null
            ? null
            : new PrivateMetrics(
                metrics.sigma() / ratio, metrics.lossBound(), metrics.bins(), metrics.window()));
  }

  private static Budget boundless(PrivacySettings configured) {
    return new Budget(Double.POSITIVE_INFINITY, configured.budget().delta());
  }

  private static double power(int exponent) {
    return StrictMath.scalb(1.0, exponent);
  }

  /** The smallest e with value <= 2^e. */
  private static int exponentAbove(double value) {
    int exponent = Math.getExponent(value);
    return value > StrictMath.scalb(1.0, exponent) ? exponent + 1 : exponent;
  }
}
