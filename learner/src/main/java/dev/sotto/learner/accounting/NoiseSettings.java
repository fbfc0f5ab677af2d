package dev.sotto.learner.accounting;

import dev.sotto.learner.mechanism.Mechanism;
import java.util.Objects;

/**
 * The noise of a model's sums, and the change of one contribution that it hides.
 *
 * @param mechanism how noise is added to the prefix sums
 * @param clip bound of one example's gradient, in the mechanism's norm
 * @param sigma standard deviation of the noise per coordinate of a round's sum (not of the mean);
 *     its scale under a pure mechanism
 * @param adjacency which change of a contribution is hidden
 */
public record NoiseSettings(Mechanism mechanism, double clip, double sigma, Adjacency adjacency) {
  public NoiseSettings {
    Objects.requireNonNull(mechanism, "mechanism");
    Objects.requireNonNull(adjacency, "adjacency");
  }

  /** The sensitivity of one round's sum: s of the ledger. */
  public double sensitivity() {
    return adjacency.sensitivity(clip);
  }
}
