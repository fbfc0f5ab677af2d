package dev.sotto.evaluation.audit;

import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.canary.CanaryAudit;
import dev.sotto.evaluation.audit.canary.CanaryResult;
import dev.sotto.evaluation.audit.canary.CoinChecks;
import dev.sotto.evaluation.audit.canary.PathInfluence;
import dev.sotto.evaluation.audit.canary.RangeAudit;
import dev.sotto.evaluation.audit.canary.SlotInfluence;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.neighbour.NeighbourAudit;
import dev.sotto.evaluation.audit.noise.NoiseDistribution;
import dev.sotto.evaluation.audit.noise.ReleaseSchedule;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.learner.mechanism.AuditTerms;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;

/**
 * Tests a guarantee: the noise against the ledger, and the lower bound on epsilon from canaries.
 * docs/audit.md explains each check. That each of them finds the faults it is there for, tests
 * show.
 *
 * <p>Everything follows from the seed. The results depend on the recorded events only through their
 * number: canaries have coordinates of their own, and only those are examined.
 */
public final class Audit {
  private static final int OTHER_STEPS = 2; // beside the runs of canaries

  /** Rounds with one canary each have as many slots, and are at most as many of as many weights. */
  private static final long ALONE_BATCH = 512;

  private static final int MOST_ALONE_ROUNDS = 128;
  private static final int MOST_ALONE_WEIGHTS = 64;

  private static final int CANARIES = 1 << 19; // of mu-GDP in rounds

  private static final int MOST_ANSWERS = 1 << 26; // of coordinates, in the queries of a block

  private static final double MOST_STEPS = 0x1p32; // of coordinates, in all slots of all runs

  private static final int POOLED = 16; // a slot's gradients at all points take as much longer

  private final AuditSubject subject;
  private final Options options;
  private final AuditEffort effort;
  private final CanaryAudit canaries;
  private final NeighbourAudit neighbours; // null where nobody knows how records are written
  private final Optional<RangeAudit> ranges;
  private final AtomicInteger done = new AtomicInteger();

  /**
   * What to audit, and how.
   *
   * @param plan what is claimed
   * @param background events around the canaries
   * @param rounds how many rounds to run, within the plan's budget; at least 1
   * @param canaries how many in the main audit, at least 100
   * @param confidence of the lower bound, above 0 and below 1
   */
  public record Options(
      Plan plan,
      BackgroundExamples background,
      int rounds,
      int canaries,
      double confidence,
      long seed) {
    public Options {
      plan = ReleaseSchedule.ofAnyWidth(plan);
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

  /** An audit from slots on. */
  public Audit(AuditSubject subject, Options options, AuditEffort effort) {
    this(subject, options, effort, null, Optional.empty());
  }

  /**
   * An audit of a subject: the real learner, or another one in tests of the audit.
   *
   * @param neighbours of what lies before the slots; null for nothing
   * @param ranges of a window before the rounds of the options; empty where there is none
   */
  public Audit(
      AuditSubject subject,
      Options options,
      AuditEffort effort,
      NeighbourAudit neighbours,
      Optional<RangeAudit> ranges) {
    this.neighbours = neighbours;
    this.ranges = ranges;
    this.subject = subject;
    this.options = options;
    this.effort = effort;
    this.canaries = new CanaryAudit(
        new CanaryAudit.Settings(
            options.plan(),
            options.rounds(),
            options.canaries(),
            options.confidence(),
            CanaryAudit.Density.HALF_OF_THE_SLOTS,
            options.background()),
        options.seed());
  }

  /**
   * The number of canaries that is worth its time. Where runs are not guessed apart, delta limits
   * it: that bound pays 2 m delta for m of them.
   */
  public static int worthwhileCanaries(Plan plan) {
    double most = CanaryAudit.guessesRuns(plan)
        ? CANARIES
        : Math.min(1 << 18, 0.25 / plan.guarantee(1).delta());
    AuditTerms terms = plan.mechanism().auditTerms();
    if (terms.takesAllWeights()) {
      double slots = (double) plan.batch() * AffordableRounds.rounds(plan, 0);
      double runs = MOST_STEPS / (slots * (plan.dimension() + terms.canaries().most()));
      most = Math.min(most, terms.canaries().most() * runs);
    } else if (plan.learnsFromBlocks()) { // each has a coordinate in the answer of every query
      QuerySchedule queries = plan.block();
      double answers = (double) queries.queries() * queries.sampling().points();
      most = Math.min(most, MOST_ANSWERS / (answers * (plan.asksPools() ? POOLED : 1)));
    }
    return (int) Math.max(1000, most);
  }

  /** The number of steps that {@link #run} reports. */
  public int steps() {
    return canaries.runs() + OTHER_STEPS + (neighbours == null ? 0 : 1);
  }

  /**
   * Runs all checks. Takes about a minute of processor time.
   *
   * @param progress receives, after each step and from any thread, the number of steps that are
   *     done and a name for what is being done
   */
  public AuditResult run(BiConsumer<Integer, String> progress) {
    long began = System.nanoTime();
    Plan plan = options.plan();
    List<CheckResult> checks = new ArrayList<>();
    if (neighbours != null) {
      checks.add(neighbours.check());
      progress.accept(done.incrementAndGet(), "neighbouring logs");
    }
    checks.addAll(
        new NoiseChecks(subject, plan, options.rounds(), effort.samples(), options.seed()).all());
    progress.accept(done.incrementAndGet(), "the noise");
    ranges.ifPresent(each -> checks.addAll(each.all(subject)));
    checks.addAll(slots());
    progress.accept(done.incrementAndGet(), "what slots move");
    CanaryResult found =
        canaries.run(subject, run -> progress.accept(done.incrementAndGet(), "canaries"));
    checks.add(exposure());
    checks.add(epsilon(found));
    if (!Double.isNaN(found.mu())) {
      checks.add(separation(found));
    }
    return new AuditResult(options, found, checks, (System.nanoTime() - began) / 1e9);
  }

  /** What one slot moves: measured in blocks, and elsewhere by canaries in rounds of their own. */
  private List<CheckResult> slots() {
    Plan plan = options.plan();
    List<CheckResult> checks = new ArrayList<>();
    if (plan.learnsFromBlocks()) {
      checks.add(new SlotInfluence(plan, false, options.seed()).check(subject));
      checks.add(new SlotInfluence(plan, true, options.seed()).check(subject));
    } else {
      checks.add(alone());
    }
    for (AuditTerms.SlotCheck each : plan.mechanism().auditTerms().checks()) {
      checks.addAll(
          switch (each) {
            case PATHS -> List.of(new PathInfluence(plan, options.seed()).check(subject));
            case COINS -> new CoinChecks(plan, options.seed()).all(subject);
          });
    }
    return checks;
  }

  /**
   * A canary with a round to itself stands out where its gradient is not cut alone, or where sums
   * are divided by what is in them. What is claimed depends neither on the batch nor on the
   * weights.
   */
  private CheckResult alone() {
    Plan small = options.plan().toBuilder()
        .batch(ALONE_BATCH)
        .dimension(Math.min(MOST_ALONE_WEIGHTS, options.plan().dimension()))
        .build();
    CanaryResult found = new CanaryAudit(
            new CanaryAudit.Settings(
                small,
                Math.min(MOST_ALONE_ROUNDS, options.rounds()),
                effort.aloneCanaries(),
                options.confidence(),
                CanaryAudit.Density.ONE_A_ROUND,
                BackgroundExamples.EMPTY),
            options.seed() + 1)
        .run(subject, run -> {});
    boolean hasMu = !Double.isNaN(found.mu());
    return new CheckResult(
        "canaries: alone in a round",
        !found.refutes(),
        hasMu ? found.mu() : found.epsilonLower(),
        String.format(
            Locale.ROOT,
            "%sepsilon at most the ledger's %.4f; false alarms %.0e",
            hasMu ? String.format(Locale.ROOT, "mu at most %.4f, ", found.muAllowed()) : "",
            found.epsilonUpper(),
            found.bound().falseAlarm()),
        String.format(
            Locale.ROOT,
            "%,d canaries, each the only record of a round of %d slots: epsilon at least %.4f",
            effort.aloneCanaries(),
            ALONE_BATCH,
            found.epsilonLower()));
  }

  private CheckResult exposure() {
    Plan plan = options.plan();
    NoiseDistribution noise = NoiseDistribution.of(plan);
    double most = canaries.exposure();
    double allowed = noise.claimed(plan.guarantee(options.rounds()));
    return new CheckResult(
        "ledger: covers every schedule",
        most <= allowed * (1 + 1e-9),
        most,
        String.format(
            Locale.ROOT,
            "%s at most the ledger's %.6f; no chance involved",
            noise.costName(),
            allowed),
        "clip ||C u|| / sigma of the most exposed canary, with C and the schedules written out");
  }

  private CheckResult epsilon(CanaryResult found) {
    CanaryResult.Guesses guesses = found.guesses();
    return new CheckResult(
        "canaries: epsilon",
        !found.refutesEpsilon(),
        found.epsilonLower(),
        String.format(
            Locale.ROOT,
            "at most the ledger's %.6f; false alarms %.0e under the noise that is claimed, %.2g"
                + " under any",
            found.epsilonUpper(),
            found.bound().falseAlarm(),
            1 - options.confidence()),
        String.format(
            Locale.ROOT,
            "%,d canaries in %d runs, %,d coins guessed, %,d right",
            guesses.canaries(),
            guesses.runs(),
            guesses.guessed(),
            guesses.right()));
  }

  private CheckResult separation(CanaryResult found) {
    return new CheckResult(
        "canaries: separation",
        !found.refutesMu(),
        found.mu(),
        String.format(
            Locale.ROOT,
            "mu at most %.4f: the %.4f of its schedule and %.0f standard errors; false alarms below"
                + " 1e-6",
            found.muAllowed(),
            found.separation().claimed(),
            CanaryResult.ALLOWED_ERRORS),
        String.format(
            Locale.ROOT,
            "how far apart in and out lie for the most exposed canary, +- %.4f",
            found.separation().error()));
  }
}
