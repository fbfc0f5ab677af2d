package dev.sotto.app.audit.check;

import dev.sotto.app.audit.Check;
import dev.sotto.app.audit.subject.Hash;
import dev.sotto.app.audit.subject.PlanVariant;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.learner.round.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * The noise of a subject beside the noise that is claimed, over null slots. Unless it says otherwise, a figure is the
 * probability that noise of the claimed law looks so odd or odder, made up for the number of places that were looked
 * at; below {@link #RISK} it is an alarm.
 */
public final class NoiseChecks {
  /** How often a check raises an alarm where all is as claimed, at most. */
  public static final double RISK = 1e-6;

  private static final int MOST_COORDINATES = 8192;
  private static final int LEAST_COORDINATES = 64;
  private static final String RULE = "p at least 1e-6, its false alarm rate";

  private final Subject subject;
  private final Plan plan;
  private final int rounds;
  private final int width;
  private final long seed;

  /**
   * Checks of so many rounds.
   *
   * @param plan what is claimed
   * @param rounds within its budget, at least 1
   * @param samples about how many draws of noise to look at
   */
  public NoiseChecks(Subject subject, Plan plan, int rounds, int samples, long seed) {
    this.subject = subject;
    this.rounds = rounds;
    this.width = Math.max(LEAST_COORDINATES, Math.min(MOST_COORDINATES, samples / rounds));
    this.plan = PlanVariant.of(plan)
        .with("dimension", Math.max(width, plan.dimension()))
        .make();
    this.seed = seed;
  }

  /** All checks of noise. */
  public List<Check> all() {
    Silence one = silence("one key", "one model", 0);
    Variances variances = new Variances(plan, rounds, width);
    List<Check> checks = new ArrayList<>();
    checks.add(variances.ledger());
    checks.add(variances.prefixes(one));
    checks.add(variances.changes(one));
    checks.add(variances.size(one));
    checks.add(Shapes.shape(one));
    checks.add(Shapes.tails(one));
    checks.add(Dependence.rounds(one));
    checks.add(Dependence.coordinates(one));
    Silence otherKey = silence("another key", "one model", 0);
    Silence otherModel = silence("one key", "another model", 0);
    checks.add(Dependence.strangers(one, List.of(otherKey, otherModel)));
    checks.add(history(one));
    checks.add(retry());
    return checks;
  }

  /** Whether white noise is as large as claimed. */
  public Check size() {
    return new Variances(plan, rounds, width).size(silence("one key", "one model", 0));
  }

  /** Whether noise follows from the whole history before it. */
  public Check history() {
    return history(silence("one key", "one model", 0));
  }

  private Check history(Silence silence) {
    int spoken = rounds / 3 + 1;
    return Dependence.history(
        silence,
        silence("one key", "one model", 0),
        silence("one key", "one model", spoken),
        spoken);
  }

  /** Whether a round that is aborted and done again comes out the same. */
  public Check retry() {
    int few = Math.min(rounds, 8);
    double off = Silence.retried(subject, plan, identity("one key", "one model"), few, width);
    return new Check(
        "noise: a retry changes nothing",
        off == 0,
        off,
        "exactly 0; nothing here is left to chance",
        "largest change of a prefix, in sigma, when each of " + few
            + " rounds is aborted and done again");
  }

  private Silence silence(String key, String model, int spoken) {
    return Silence.of(subject, plan, identity(key, model), rounds, width, spoken);
  }

  private Subject.Identity identity(String key, String model) {
    return new Subject.Identity(Hash.of(seed, key, 0), model);
  }

  static Check check(String name, Likelihood likelihood, String says) {
    double overall = likelihood.overall();
    return new Check(name, overall >= RISK, overall, RULE, says);
  }
}
