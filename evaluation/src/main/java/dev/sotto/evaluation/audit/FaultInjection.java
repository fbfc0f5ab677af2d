package dev.sotto.evaluation.audit;

import dev.sotto.evaluation.audit.canary.AuditorView;
import dev.sotto.evaluation.audit.canary.BackgroundExamples;
import dev.sotto.evaluation.audit.canary.CanaryAudit;
import dev.sotto.evaluation.audit.canary.CanaryAudit.Density;
import dev.sotto.evaluation.audit.canary.CanaryResult;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.FaultyLearner;
import dev.sotto.evaluation.audit.subject.InjectedFault;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows that the checks can fail: learners with injected faults go through checks that the subject
 * must pass. Each entry holds if the fault is found and the subject passes.
 */
final class FaultInjection {
  /** Steps that {@link #others} reports. */
  static final int OTHERS = 8;

  private static final long BATCH = 512;
  private static final int MOST_ROUNDS = 128;
  private static final int MOST_DIMENSION = 64;

  private final AuditSubject subject;
  private final Plan plan;
  private final int rounds;
  private final double confidence;
  private final long seed;
  private final AuditEffort effort;

  /**
   * Injected faults under the noise of a plan. Batches have {@value #BATCH} slots, and at most
   * {@value #MOST_ROUNDS} rounds are run: the claim for a round depends on neither.
   */
  FaultInjection(
      AuditSubject subject,
      Plan plan,
      int rounds,
      double confidence,
      long seed,
      AuditEffort effort) {
    this.subject = subject;
    this.plan = plan.isOrdered()
        ? PathFaultInjection.small(plan)
        : plan.learnsFromBlocks()
            ? BlockFaultInjection.small(plan)
            : plan.toBuilder()
                .batch(BATCH)
                .dimension(Math.min(MOST_DIMENSION, plan.dimension()))
                .build();
    this.rounds = plan.learnsFromBlocks()
        ? BlockFaultInjection.smallBlocks(rounds)
        : Math.min(MOST_ROUNDS, rounds);
    this.confidence = confidence;
    this.seed = seed;
    this.effort = effort;
  }

  /** Half of the noise, by the canaries of the main audit and by the size of the noise. */
  CheckResult halfTheNoise(CanaryAudit canaries, CanaryResult ofSubject, AuditProgress progress) {
    AuditSubject half = ProductLearner.HALF_THE_NOISE;
    CanaryResult broken = canaries.run(half, run -> progress.done("half the noise"));
    CheckResult size = noise(half).size();
    CheckResult own = noise(subject).size();
    CheckResult byCanaries = entry(
        "noise halved",
        broken.refutes() && !ofSubject.refutes() && own.holds(),
        broken,
        ofSubject,
        "size of the noise: p = " + p(size) + ", here " + p(own));
    if (broken.refutes() || size.holds()) {
      return byCanaries;
    }
    // A ledger whose mu is so large, or so small, that canaries cannot tell the difference.
    return new CheckResult(
        byCanaries.name(),
        own.holds() && !ofSubject.refutes(),
        size.figure(),
        "p below 1e-6; this learner's not",
        byCanaries.says());
  }

  /** All others. */
  List<CheckResult> others(AuditProgress progress) {
    List<CheckResult> checks = new ArrayList<>();
    CanaryAudit alone =
        audit(Density.ONE_A_ROUND, AuditorView.COMMITTED, effort.aloneCanaries(), 1);
    CanaryResult own = alone.run(subject, run -> {});
    progress.done("broken learners");
    for (InjectedFault fault :
        List.of(InjectedFault.CLIP_AFTER_SUM, InjectedFault.DIVIDE_BY_USABLE)) {
      checks.add(caught(fault, alone, own, "each canary alone in its batch"));
      progress.done("broken learners");
    }
    CanaryAudit retries =
        audit(Density.HALF_OF_THE_SLOTS, AuditorView.RETRIES, effort.faultCanaries(), 2);
    CanaryResult ownRetries = retries.run(subject, run -> {});
    checks.add(retried(retries, ownRetries));
    progress.done("broken learners");
    CanaryAudit twice =
        audit(Density.HALF_OF_THE_SLOTS, AuditorView.TWO_HISTORIES, effort.faultCanaries(), 3);
    CanaryResult ownTwice = twice.run(subject, run -> {});
    progress.done("broken learners");
    checks.add(caught(
        InjectedFault.NOISE_BY_ROUND,
        twice,
        ownTwice,
        "a second history without canaries is subtracted"));
    progress.done("broken learners");
    checks.add(forked(InjectedFault.NOISE_BY_BATCH));
    progress.done("broken learners");
    checks.add(control(alone, retries, twice));
    progress.done("broken learners");
    return checks;
  }

  private CanaryAudit audit(Density density, AuditorView view, int canaries, int number) {
    return new CanaryAudit(
        new CanaryAudit.Settings(
            plan,
            rounds,
            canaries,
            confidence,
            new CanaryAudit.Attack(density, view),
            BackgroundExamples.EMPTY),
        seed + number);
  }

  private NoiseChecks noise(AuditSubject whose) {
    return new NoiseChecks(whose, plan, rounds, effort.samples() / 4, seed);
  }

  private CheckResult caught(InjectedFault fault, CanaryAudit audit, CanaryResult own, String how) {
    CanaryResult broken = audit.run(new FaultyLearner(fault), run -> {});
    return entry(fault.label(), broken.refutes() && !own.refutes(), broken, own, how);
  }

  private CheckResult retried(CanaryAudit audit, CanaryResult own) {
    AuditSubject afresh = new FaultyLearner(InjectedFault.NOISE_AFRESH);
    CanaryResult broken = audit.run(afresh, run -> {});
    CheckResult change = noise(afresh).retry();
    CheckResult ownChange = noise(subject).retry();
    return entry(
        InjectedFault.NOISE_AFRESH.label(),
        (broken.refutes() || !change.holds()) && !own.refutes() && ownChange.holds(),
        broken,
        own,
        text(
            "each round done %d times, the mean of all seen; a retry moves prefixes by up to %.2f sigma, here %.2f",
            AuditorView.RETRIES.attempts(), change.figure(), ownChange.figure()));
  }

  /** The entry for a fault that canaries find, with the figure by which they find it. */
  private static CheckResult entry(
      String fault, boolean holds, CanaryResult broken, CanaryResult own, String how) {
    boolean byEpsilon = broken.refutesEpsilon();
    return new CheckResult(
        "caught: " + fault,
        holds,
        byEpsilon ? broken.epsilonLower() : broken.mu(),
        byEpsilon
            ? text("epsilon above the ledger's %.4f; this learner's not", own.epsilonUpper())
            : text("mu above %.4f; this learner's not", broken.muAllowed()),
        text(
            "canaries prove epsilon >= %.4f and show mu = %s, here %.4f and %s; %s",
            broken.epsilonLower(), mu(broken.mu()), own.epsilonLower(), mu(own.mu()), how));
  }

  private CheckResult forked(InjectedFault fault) {
    CheckResult broken = noise(new FaultyLearner(fault)).history();
    CheckResult own = noise(subject).history();
    return new CheckResult(
        "caught: " + fault.label(),
        !broken.holds() && own.holds(),
        broken.figure(),
        "p below 1e-6; this learner's not",
        "two histories that differ in one example: " + broken.says() + "; here p = " + p(own));
  }

  /** The separate learner without a fault passes: it is the faults that are found. */
  private CheckResult control(CanaryAudit... audits) {
    FaultyLearner faultless = new FaultyLearner(InjectedFault.NONE);
    double most = 0;
    boolean refuted = false;
    for (CanaryAudit audit : audits) {
      CanaryResult result = audit.run(faultless, run -> {});
      most = Math.max(most, result.epsilonLower());
      refuted |= result.refutes();
    }
    List<CheckResult> noise = noise(faultless).all();
    return new CheckResult(
        "control: no fault, not caught",
        !refuted && noise.stream().allMatch(CheckResult::holds),
        most,
        "epsilon at most the ledger's, and every noise check holds",
        "the code of the broken learners without a fault: the largest epsilon proved, and "
            + noise.size() + " noise checks");
  }

  private static String mu(double value) {
    return Double.isNaN(value) ? "unknown" : value > 1000 ? "over 1000" : text("%.3f", value);
  }

  private static String p(CheckResult check) {
    return text("%.1e", check.figure());
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
