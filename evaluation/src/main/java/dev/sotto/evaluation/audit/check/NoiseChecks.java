package dev.sotto.evaluation.audit.check;

import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.SeedHash;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;

/**
 * Compares the noise of a subject over null slots with the claimed noise. Where nothing else is
 * said, a figure is the p-value of the claim, corrected for the number of comparisons (Bonferroni).
 * Below {@link #RISK} it is an alarm.
 */
public final class NoiseChecks {
  /** The largest probability of an alarm where all is as claimed. */
  public static final double RISK = 1e-6;

  private static final int MOST_COORDINATES = 8192;
  private static final int LEAST_COORDINATES = 64;
  private static final String RULE = "p at least 1e-6, its false alarm rate";

  private final AuditSubject subject;
  private final Plan plan;
  private final ReleaseSchedule releases;
  private final int rounds;
  private final int width;
  private final long seed;

  /**
   * Checks of a number of rounds.
   *
   * @param plan the claim
   * @param rounds within its budget, at least 1; where they are blocks, each query of each is
   *     looked at as a round is elsewhere
   * @param samples about how many draws of noise to look at
   */
  public NoiseChecks(AuditSubject subject, Plan plan, int rounds, int samples, long seed) {
    this.subject = subject;
    this.releases = ReleaseSchedule.of(plan);
    this.rounds = releases.count(rounds);
    this.width = Math.max(LEAST_COORDINATES, Math.min(MOST_COORDINATES, samples / this.rounds));
    this.plan = ReleaseSchedule.wide(plan, Math.max(width, plan.dimension()));
    this.seed = seed;
  }

  /** All checks of noise. */
  public List<CheckResult> all() {
    NoiseOnlyRun one = noiseRun("one key", "one model", 0);
    NoiseVariance variances = new NoiseVariance(plan, rounds, width);
    List<CheckResult> checks = new ArrayList<>();
    checks.add(variances.ledger());
    checks.add(variances.prefixes(one));
    checks.add(variances.changes(one));
    checks.add(variances.size(one));
    checks.add(NoiseShape.shape(one));
    checks.add(NoiseShape.tails(one));
    checks.add(NoiseDependence.rounds(one));
    checks.add(NoiseDependence.coordinates(one));
    NoiseOnlyRun otherKey = noiseRun("another key", "one model", 0);
    NoiseOnlyRun otherModel = noiseRun("one key", "another model", 0);
    checks.add(NoiseDependence.otherRuns(one, List.of(otherKey, otherModel)));
    checks.add(history(one));
    checks.add(retry());
    return checks;
  }

  /** Whether noise follows from the whole history before it. */
  private CheckResult history(NoiseOnlyRun noise) {
    int named = rounds / 3 + 1;
    int exampleRound = NoiseOnlyRun.firstWithExample(plan, named);
    return NoiseDependence.history(
        noise,
        noiseRun("one key", "one model", 0),
        noiseRun("one key", "one model", named),
        exampleRound,
        releases.noun());
  }

  /** Whether a round that is aborted and done again comes out the same. */
  private CheckResult retry() {
    int few = Math.min(rounds, 8);
    double off = NoiseOnlyRun.retried(subject, plan, identity("one key", "one model"), few, width);
    return new CheckResult(
        "noise: a retry changes nothing",
        off == 0,
        off,
        "exactly 0; no chance involved",
        "largest change of a prefix, in sigma, when each of " + few + " " + releases.nouns()
            + " is aborted and done again");
  }

  private NoiseOnlyRun noiseRun(String key, String model, int exampleRound) {
    return NoiseOnlyRun.of(subject, plan, identity(key, model), rounds, width, exampleRound);
  }

  private AuditSubject.Identity identity(String key, String model) {
    return new AuditSubject.Identity(SeedHash.of(seed, key, 0), model);
  }

  static CheckResult check(String name, MinimumPValue pValue, String says) {
    double overall = pValue.overall();
    return new CheckResult(name, overall >= RISK, overall, RULE, says);
  }
}
