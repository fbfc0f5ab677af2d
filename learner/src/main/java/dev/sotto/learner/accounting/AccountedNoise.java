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
 * @param candidates the models that learn from the same slots, each with noise of this ratio
 */
public record AccountedNoise(
    Mechanism mechanism, double clip, double sigma, Adjacency adjacency, Candidates candidates) {
  public AccountedNoise {
    Objects.requireNonNull(mechanism, "mechanism");
    Objects.requireNonNull(adjacency, "adjacency");
    if (candidates.number() > 1 && !mechanism.composes()) {
      throw new IllegalArgumentException("candidates must be 1 with mechanism " + mechanism.name()
          + ", whose costs do not add up in squares of mu or which belongs to one algorithm, but"
          + " were " + candidates.number());
    }
  }

  /** The noise of a model that learns alone. */
  public AccountedNoise(Mechanism mechanism, double clip, double sigma, Adjacency adjacency) {
    this(mechanism, clip, sigma, adjacency, Candidates.ALONE);
  }

  /** The sensitivity of one round's sum: s of the ledger. */
  public double sensitivity() {
    return adjacency.sensitivity(clip);
  }
}
