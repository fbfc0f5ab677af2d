package dev.sotto.learner.round;

import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Lattice;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.unit.Participation;
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
 * @param objective the loss of every example
 * @param algorithm name of the optimizer
 * @param steps the optimizer's settings in their canonical text
 * @param clip bound of one example's gradient, in the mechanism's norm
 * @param batch slots in a round, the nominal B by which sums are divided
 * @param sigma standard deviation of the noise per coordinate of the sum (not of the mean); its scale under a pure
 *     mechanism
 * @param budget what may be spent over the model's life, by one unit
 * @param participation how much a unit may contribute
 * @param generations when the algorithm restarts on fresh records, warm at its last weights
 * @param metrics private metrics, or null for none
 * @param lag 0, or 1 where the gradients of a round are taken before the answer of the one before it is known: at the
 *     point after round {@code r - 1 - lag}
 */
public record Plan(
    String features,
    int dimension,
    String lossName,
    Objective objective,
    String algorithm,
    String steps,
    Optimizer optimizer,
    Mechanism mechanism,
    double clip,
    long batch,
    double sigma,
    Adjacency adjacency,
    PrivacyUnit unit,
    Budget budget,
    Participation participation,
    Generations generations,
    MetricsPlan metrics,
    int lag) {

  public Plan {
    Objects.requireNonNull(features, "features");
    Objects.requireNonNull(lossName, "lossName");
    Objects.requireNonNull(objective, "objective");
    objective.inputs(dimension); // refuses a number of weights that no number of features has
    if (lag < 0 || lag > 1) {
      throw new IllegalArgumentException("lag must be 0 or 1, but was " + lag);
    }
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
    Objects.requireNonNull(participation, "participation");
    Objects.requireNonNull(generations, "generations");
    Lattice.fit(clip, sigma, dimension, batch, mechanism.norm());
    if (metrics != null) {
      metrics.metering(batch);
    }
    if (participation instanceof Participation.Budgeted budgeted
        && !(budgeted.mu() <= budget.muLimit())) {
      throw new IllegalArgumentException("a unit's budget of mu " + budgeted.mu()
          + " must stay within what is left of epsilon " + budget.epsilon() + " at delta "
          + budget.delta() + ", mu " + budget.muLimit());
    }
    Account account = account(
        mechanism, clip, sigma, adjacency, unit, participation, generations, metrics, budget);
    account.admission(); // refuses a budget under which nobody could ever contribute
    if (!account.allows(budget, 1)) {
      throw new IllegalArgumentException("the first round alone would exceed the budget: epsilon "
          + account.guarantee(1).epsilon() + " of " + budget.epsilon() + " at delta "
          + budget.delta() + "; raise the noise or the budget");
    }
  }

  /** A plan in which every record is a unit of its own, without generations or metrics. */
  public Plan(
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
    this(
        features,
        dimension,
        lossName,
        loss,
        algorithm,
        steps,
        optimizer,
        mechanism,
        clip,
        batch,
        sigma,
        adjacency,
        unit,
        budget,
        new Participation.Once(),
        Generations.NONE,
        null);
  }

  /** A plan for a loss of one score, without lag. */
  public Plan(
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
      Budget budget,
      Participation participation,
      Generations generations,
      MetricsPlan metrics) {
    this(
        features,
        dimension,
        lossName,
        Objective.of(loss),
        algorithm,
        steps,
        optimizer,
        mechanism,
        clip,
        batch,
        sigma,
        adjacency,
        unit,
        budget,
        participation,
        generations,
        metrics,
        0);
  }

  /** The number of features of an example. */
  public int inputs() {
    return objective.inputs(dimension);
  }

  /**
   * The loss of one score.
   *
   * @throws IllegalArgumentException where the objective has several
   */
  public Loss loss() {
    if (objective instanceof SingleScore single) {
      return single.loss();
    }
    throw new IllegalArgumentException(
        "this needs a loss of one score, but " + lossName + " has several");
  }

  /** The same with another lag. */
  public Plan withLag(int other) {
    return new Plan(
        features,
        dimension,
        lossName,
        objective,
        algorithm,
        steps,
        optimizer,
        mechanism,
        clip,
        batch,
        sigma,
        adjacency,
        unit,
        budget,
        participation,
        generations,
        metrics,
        other);
  }

  private static void oneLine(String name, String text) {
    if (text.indexOf('\n') >= 0) {
      throw new IllegalArgumentException(name + " must be one line, but was " + text);
    }
  }

  private static Account account(
      Mechanism mechanism,
      double clip,
      double sigma,
      Adjacency adjacency,
      PrivacyUnit unit,
      Participation participation,
      Generations generations,
      MetricsPlan metrics,
      Budget budget) {
    double metricsRatio = metrics == null ? 0 : metrics.ratio(adjacency);
    return new Account(
        mechanism,
        clip,
        sigma,
        adjacency,
        unit,
        participation,
        generations,
        metricsRatio,
        budget.delta(),
        budget.spentMu());
  }

  /** What it costs. */
  public Account account() {
    return account(
        mechanism, clip, sigma, adjacency, unit, participation, generations, metrics, budget);
  }

  /** What the ledger tells of this plan beside clip, sigma and the mechanism's name. */
  public LedgerEntry.Terms terms() {
    return new LedgerEntry.Terms(
        mechanism.parameters(),
        participation.describe(),
        generations.describe(),
        metrics == null ? 0 : metrics.ratio(adjacency),
        account().accountant().configName(),
        budget.spentMu());
  }

  /** {@link Account#mu} of this plan. */
  public double mu(long rounds) {
    return account().mu(rounds);
  }

  /** {@link Account#guarantee} of this plan. */
  public Guarantee guarantee(long rounds) {
    return account().guarantee(rounds);
  }

  /** Whether the budget covers so many rounds. */
  public boolean allows(long rounds) {
    return account().allows(budget, rounds);
  }

  /** The grid on which gradients are summed. */
  public Lattice lattice() {
    return Lattice.fit(clip, sigma, dimension, batch, mechanism.norm());
  }

  /** The sensitivity of one round's sum: s of the ledger. */
  public double sensitivity() {
    return adjacency.sensitivity(clip);
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
        "mechanismParameters=" + mechanism.parameters(),
        "clip=" + Double.toHexString(clip),
        "batch=" + batch,
        "sigma=" + Double.toHexString(sigma),
        "adjacency=" + adjacency.configName(),
        "unit=" + unit.configName(),
        "participation=" + participation.describe(),
        "generations=" + generations.describe(),
        "lag=" + lag,
        "metrics=" + (metrics == null ? "none" : metrics.describe()),
        "spentMu=" + Double.toHexString(budget.spentMu()),
        "epsilon=" + Double.toHexString(budget.epsilon()),
        "delta=" + Double.toHexString(budget.delta()));
    try {
      return MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
    } catch (NoSuchAlgorithmException missing) {
      throw new IllegalStateException("this Java lacks SHA-256", missing);
    }
  }
}
