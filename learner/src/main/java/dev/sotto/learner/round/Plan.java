package dev.sotto.learner.round;

import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Releaser;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Objects;

/**
 * Every setting that changes the mechanism, and none that only changes speed. A plan that exists is valid:
 * its lattice adds exactly and its first round fits the budget.
 *
 * @param features the public feature map in its canonical text
 * @param dimension the number of weights
 * @param lossName name and parameters of the loss
 * @param algorithm name of the optimizer
 * @param steps the optimizer's settings in their canonical text
 * @param clip l2 bound of one example's gradient
 * @param batch slots in a round, the nominal B by which sums are divided
 * @param sigma standard deviation of the noise per coordinate of the sum (not of the mean)
 * @param budget what may be spent over the model's life
 */
public record Plan(
    String features,
    int dimension,
    String lossName,
    Loss loss,
    String algorithm,
    String steps,
    Optimizer optimizer,
    Mechanism mechanism,
    double clip,
    long batch,
    double sigma,
    Adjacency adjacency,
    PrivacyUnit unit,
    Budget budget) {

  public Plan {
    Objects.requireNonNull(features, "features");
    Objects.requireNonNull(lossName, "lossName");
    Objects.requireNonNull(loss, "loss");
    Objects.requireNonNull(algorithm, "algorithm");
    Objects.requireNonNull(steps, "steps");
    Objects.requireNonNull(optimizer, "optimizer");
    Objects.requireNonNull(mechanism, "mechanism");
    Objects.requireNonNull(adjacency, "adjacency");
    Objects.requireNonNull(unit, "unit");
    Objects.requireNonNull(budget, "budget");
    // The fingerprint's lines can then be told apart from the last one upwards, whatever features
    // holds.
    oneLine("lossName", lossName);
    oneLine("algorithm", algorithm);
    oneLine("steps", steps);
    if (unit != PrivacyUnit.RECORD) {
      throw new IllegalArgumentException("unit must be record, but was " + unit.configName()
          + ": contributions per key are not bounded yet");
    }
    Lattice.fit(clip, sigma, dimension, batch);
    if (!budget.allows(mu(adjacency, clip, mechanism, sigma, 1))) {
      throw new IllegalArgumentException("the first round alone would exceed the budget: epsilon "
          + guarantee(unit, adjacency, mechanism, clip, sigma, budget, 1).epsilon()
          + " of " + budget.epsilon() + " at delta " + budget.delta()
          + "; raise the noise or the budget");
    }
  }

  private static void oneLine(String name, String text) {
    if (text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(name + " must be one line, but was " + text);
    }
  }

  private static double mu(
      Adjacency adjacency, double clip, Mechanism mechanism, double sigma, long rounds) {
    return adjacency.sensitivity(clip) * mechanism.sensitivity(rounds) / sigma;
  }

  private static Guarantee guarantee(
      PrivacyUnit unit,
      Adjacency adjacency,
      Mechanism mechanism,
      double clip,
      double sigma,
      Budget budget,
      long rounds) {
    double limit = adjacency.sensitivity(clip) * mechanism.sensitivityLimit() / sigma;
    return Guarantee.of(
        unit,
        adjacency,
        mechanism.name(),
        mu(adjacency, clip, mechanism, sigma, rounds),
        limit,
        budget.delta());
  }

  /** The grid on which gradients are summed. */
  public Lattice lattice() {
    return Lattice.fit(clip, sigma, dimension, batch);
  }

  /** The sensitivity of one round's sum: s of the ledger. */
  public double sensitivity() {
    return adjacency.sensitivity(clip);
  }

  /** mu of everything published up to and with a round (privacy.md section 4). */
  public double mu(long rounds) {
    return mu(adjacency, clip, mechanism, sigma, rounds);
  }

  /** The guarantee of everything published up to and with a round. */
  public Guarantee guarantee(long rounds) {
    return guarantee(unit, adjacency, mechanism, clip, sigma, budget, rounds);
  }

  /** Whether the budget covers so many rounds. */
  public boolean allows(long rounds) {
    return budget.allows(mu(rounds));
  }

  /** SHA-256 over every setting: two plans with one fingerprint are one mechanism. */
  public byte[] fingerprint() {
    String text = String.join(
        "\n",
        "semantics=" + Releaser.SEMANTICS,
        "features=" + features,
        "dimension=" + dimension,
        "loss=" + lossName,
        "algorithm=" + algorithm,
        "steps=" + steps,
        "mechanism=" + mechanism.name(),
        "clip=" + Double.toHexString(clip),
        "batch=" + batch,
        "sigma=" + Double.toHexString(sigma),
        "adjacency=" + adjacency.configName(),
        "unit=" + unit.configName(),
        "epsilon=" + Double.toHexString(budget.epsilon()),
        "delta=" + Double.toHexString(budget.delta()));
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }
}
