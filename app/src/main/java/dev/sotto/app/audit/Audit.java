package dev.sotto.app.audit;

import dev.sotto.app.audit.canary.Background;
import dev.sotto.app.audit.canary.CanaryAudit;
import dev.sotto.app.audit.canary.CanaryResult;
import dev.sotto.app.audit.canary.Reading;
import dev.sotto.app.audit.check.NoiseChecks;
import dev.sotto.app.audit.claim.PublishedClaims;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.learner.privacy.Guarantee;
import dev.sotto.learner.round.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Tries to break a guarantee: is the noise what the ledger says, how much do canaries prove, do published claims that
 * are false fall, and are learners that are broken on purpose caught? docs/audit.md explains each check.
 *
 * <p>Everything follows from the seed. Nothing that is found depends on the recorded events but through their number:
 * canaries have coordinates of their own, and only those are looked at.
 */
public final class Audit {
  /** Beside the runs of canaries: noise, three claims, eight for the traps. */
  private static final int OTHER_STEPS = 12;

  private final Subject subject;
  private final Options options;
  private final CanaryAudit canaries;
  private final AtomicInteger done = new AtomicInteger();

  /**
   * What to audit, and how.
   *
   * @param plan what is claimed
   * @param background events around the canaries
   * @param rounds how many rounds to play, within the plan's budget; at least 1
   * @param canaries how many in the main audit, at least 100
   * @param confidence of the lower bound, above 0 and below 1
   */
  public record Options(
      Plan plan,
      Background background,
      int rounds,
      int canaries,
      double confidence,
      long seed,
      Effort effort) {
    public Options {
      if (rounds < 1 || !plan.allows(rounds)) {
        throw new IllegalArgumentException(
            "rounds must be at least 1 and within the budget, but were " + rounds);
      }
      if (canaries < 100) {
        throw new IllegalArgumentException("canaries must be at least 100, but were " + canaries);
      }
      if (!(confidence > 0 && confidence < 1)) {
        throw new IllegalArgumentException(
            "confidence must be above 0 and below 1, but was " + confidence);
      }
    }
  }

  /** An audit of a subject: the real learner, unless the audit itself is on trial. */
  public Audit(Subject subject, Options options) {
    this.subject = subject;
    this.options = options;
    this.canaries = new CanaryAudit(
        new CanaryAudit.Settings(
            options.plan(),
            options.rounds(),
            options.canaries(),
            options.confidence(),
            CanaryAudit.Density.HALF_OF_THE_SLOTS,
            Reading.COMMITTED,
            options.background()),
        options.seed());
  }

  /** How many canaries a plan's delta leaves worth while: the bound pays 2 m delta for m of them. */
  public static int worthwhileCanaries(Plan plan) {
    return (int) Math.max(1000, Math.min(1 << 18, 0.25 / plan.guarantee(1).delta()));
  }

  /** How many steps {@link #run} will tell of. */
  public int steps() {
    return 2 * canaries.runs() + OTHER_STEPS;
  }

  /**
   * Does everything; takes some 20 seconds on two cores.
   *
   * @param progress told after each step, from any thread: how many are done, and what is being done
   */
  public AuditResult run(BiConsumer<Integer, String> progress) {
    long began = System.nanoTime();
    Progressing step = what -> progress.accept(done.incrementAndGet(), what);
    Plan plan = options.plan();
    List<Check> checks = new ArrayList<>(
        new NoiseChecks(subject, plan, options.rounds(), options.effort().samples(), options.seed())
            .all());
    step.done("the noise");
    CanaryResult found = canaries.run(subject, run -> step.done("canaries"));
    checks.add(exposure());
    checks.add(epsilon(found));
    if (!Double.isNaN(found.mu())) {
      checks.add(separation(found));
    }
    PublishedClaims claims = new PublishedClaims(options.effort().claimRuns(), options.seed());
    checks.add(claims.lastIterate());
    step.done("published claims");
    checks.add(claims.firstStep());
    step.done("published claims");
    checks.add(claims.ownLedger());
    step.done("published claims");
    Traps traps = new Traps(
        subject, plan, options.rounds(), options.confidence(), options.seed(), options.effort());
    checks.add(traps.halfTheNoise(canaries, found, step));
    checks.addAll(traps.others(step));
    return new AuditResult(
        plan,
        options.rounds(),
        options.seed(),
        options.confidence(),
        found,
        checks,
        (System.nanoTime() - began) / 1e9);
  }

  private Check exposure() {
    Plan plan = options.plan();
    boolean pure = plan.mechanism().isPure();
    double most = canaries.exposure();
    Guarantee ledger = plan.guarantee(options.rounds());
    double allowed = pure ? ledger.epsilon() : ledger.mu();
    return new Check(
        "ledger: covers every schedule",
        most <= allowed * (1 + 1e-9),
        most,
        String.format(
            Locale.ROOT,
            "%s at most the ledger's %.6f; nothing here is left to chance",
            pure ? "epsilon" : "mu",
            allowed),
        "clip ||C u|| / sigma of the most exposed canary, with C and the schedules written down apart");
  }

  private Check epsilon(CanaryResult found) {
    return new Check(
        "canaries: epsilon",
        !found.refutesEpsilon(),
        found.epsilonLower(),
        String.format(
            Locale.ROOT,
            "at most the ledger's %.6f; false alarms %.0e under the noise that is claimed, %.2g under any",
            found.epsilonUpper(),
            found.falseAlarm(),
            1 - options.confidence()),
        String.format(
            Locale.ROOT,
            "%,d canaries in %d runs, %,d coins guessed, %,d rightly",
            found.canaries(),
            found.runs(),
            found.guesses(),
            found.right()));
  }

  private Check separation(CanaryResult found) {
    return new Check(
        "canaries: separation",
        !found.refutesMu(),
        found.mu(),
        String.format(
            Locale.ROOT,
            "mu at most %.4f: the %.4f of its schedule and %.0f standard errors; false alarms below 1e-6",
            found.muAllowed(),
            found.muUpper(),
            CanaryResult.ALLOWED_ERRORS),
        String.format(
            Locale.ROOT,
            "how far apart in and out lie for the most exposed canary, +- %.4f",
            found.muError()));
  }
}
