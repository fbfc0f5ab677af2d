package dev.sotto.app.audit;

import dev.sotto.app.audit.canary.Background;
import dev.sotto.app.audit.canary.CanaryAudit;
import dev.sotto.app.audit.canary.CanaryAudit.Density;
import dev.sotto.app.audit.canary.CanaryResult;
import dev.sotto.app.audit.canary.Reading;
import dev.sotto.app.audit.check.NoiseChecks;
import dev.sotto.app.audit.subject.Fault;
import dev.sotto.app.audit.subject.HandLearner;
import dev.sotto.app.audit.subject.PlanVariant;
import dev.sotto.app.audit.subject.RealLearner;
import dev.sotto.app.audit.subject.Subject;
import dev.sotto.learner.round.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Learners that are broken on purpose, each taken through a check that the subject under audit must pass: whoever
 * trusts the checks should know that they can fail. Each entry holds where the broken one is caught and the subject is
 * not.
 */
final class Traps {
  private static final long BATCH = 512;
  private static final int MOST_ROUNDS = 128;
  private static final int MOST_DIMENSION = 64;

  private final Subject subject;
  private final Plan plan;
  private final int rounds;
  private final double confidence;
  private final long seed;
  private final Effort effort;

  /**
   * Traps with the noise of a plan. Batches have {@value #BATCH} slots, and at most {@value #MOST_ROUNDS} rounds are
   * played: on neither does anything depend that is claimed of a round.
   */
  Traps(Subject subject, Plan plan, int rounds, double confidence, long seed, Effort effort) {
    this.subject = subject;
    this.plan = PlanVariant.of(plan)
        .with("batch", BATCH)
        .with("dimension", Math.min(MOST_DIMENSION, plan.dimension()))
        .make();
    this.rounds = Math.min(MOST_ROUNDS, rounds);
    this.confidence = confidence;
    this.seed = seed;
    this.effort = effort;
  }

  /** Half of the noise, by the canaries of the main audit and by the size of the noise. */
  Check halfTheNoise(CanaryAudit canaries, CanaryResult ofSubject, Progressing progress) {
    Subject half = RealLearner.HALF_THE_NOISE;
    CanaryResult broken = canaries.run(half, run -> progress.done("half the noise"));
    Check size = noise(half).size();
    Check own = noise(subject).size();
    Check byCanaries = entry(
        "noise halved",
        broken.refutes() && !ofSubject.refutes() && own.holds(),
        broken,
        ofSubject,
        "size of the noise: p = " + p(size) + ", here " + p(own));
    if (broken.refutes() || size.holds()) {
      return byCanaries;
    }
    // A ledger that promises so much that canaries cannot tell, or so little.
    return new Check(
        byCanaries.name(),
        own.holds() && !ofSubject.refutes(),
        size.figure(),
        "p below 1e-6; this learner's not",
        byCanaries.says());
  }

  /** All others. */
  List<Check> others(Progressing progress) {
    List<Check> checks = new ArrayList<>();
    CanaryAudit alone = audit(Density.ONE_A_ROUND, Reading.COMMITTED, effort.aloneCanaries(), 1);
    CanaryResult own = alone.run(subject, run -> {});
    progress.done("broken learners");
    for (Fault fault : List.of(Fault.CLIP_AFTER_SUM, Fault.DIVIDE_BY_USABLE)) {
      checks.add(caught(fault, alone, own, "each canary alone in its batch"));
      progress.done("broken learners");
    }
    CanaryAudit retries =
        audit(Density.HALF_OF_THE_SLOTS, Reading.RETRIES, effort.trapCanaries(), 2);
    CanaryResult ownRetries = retries.run(subject, run -> {});
    checks.add(retried(retries, ownRetries));
    progress.done("broken learners");
    CanaryAudit twice =
        audit(Density.HALF_OF_THE_SLOTS, Reading.TWO_HISTORIES, effort.trapCanaries(), 3);
    CanaryResult ownTwice = twice.run(subject, run -> {});
    progress.done("broken learners");
    checks.add(caught(
        Fault.NOISE_BY_ROUND, twice, ownTwice, "a second history without canaries is subtracted"));
    progress.done("broken learners");
    checks.add(forked(Fault.NOISE_BY_BATCH));
    progress.done("broken learners");
    checks.add(control(alone, retries, twice));
    progress.done("broken learners");
    return checks;
  }

  private CanaryAudit audit(Density density, Reading reading, int canaries, int number) {
    return new CanaryAudit(
        new CanaryAudit.Settings(
            plan, rounds, canaries, confidence, density, reading, Background.EMPTY),
        seed + number);
  }

  private NoiseChecks noise(Subject whose) {
    return new NoiseChecks(whose, plan, rounds, effort.samples() / 4, seed);
  }

  private Check caught(Fault fault, CanaryAudit audit, CanaryResult own, String how) {
    CanaryResult broken = audit.run(new HandLearner(fault), run -> {});
    return entry(fault.words(), broken.refutes() && !own.refutes(), broken, own, how);
  }

  private Check retried(CanaryAudit audit, CanaryResult own) {
    Subject afresh = new HandLearner(Fault.NOISE_AFRESH);
    CanaryResult broken = audit.run(afresh, run -> {});
    Check change = noise(afresh).retry();
    Check ownChange = noise(subject).retry();
    return entry(
        Fault.NOISE_AFRESH.words(),
        (broken.refutes() || !change.holds()) && !own.refutes() && ownChange.holds(),
        broken,
        own,
        text(
            "each round done %d times, the mean of all seen; a retry moves prefixes by up to %.2f sigma, here %.2f",
            Reading.RETRIES.attempts(), change.figure(), ownChange.figure()));
  }

  /** What canaries came to, and by which figure. */
  private static Check entry(
      String fault, boolean holds, CanaryResult broken, CanaryResult own, String how) {
    boolean byEpsilon = broken.refutesEpsilon();
    return new Check(
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

  private Check forked(Fault fault) {
    Check broken = noise(new HandLearner(fault)).history();
    Check own = noise(subject).history();
    return new Check(
        "caught: " + fault.words(),
        !broken.holds() && own.holds(),
        broken.figure(),
        "p below 1e-6; this learner's not",
        "two histories that differ in one example: " + broken.says() + "; here p = " + p(own));
  }

  /** The learner by hand without a fault: it is the faults that are caught. */
  private Check control(CanaryAudit... audits) {
    HandLearner faultless = new HandLearner(Fault.NONE);
    double most = 0;
    boolean refuted = false;
    for (CanaryAudit audit : audits) {
      CanaryResult result = audit.run(faultless, run -> {});
      most = Math.max(most, result.epsilonLower());
      refuted |= result.refutes();
    }
    List<Check> noise = noise(faultless).all();
    return new Check(
        "control: no fault, not caught",
        !refuted && noise.stream().allMatch(Check::holds),
        most,
        "epsilon at most the ledger's, and every noise check holds",
        "the code of the broken learners without a fault: the largest epsilon proved, and "
            + noise.size() + " noise checks");
  }

  private static String mu(double value) {
    return Double.isNaN(value) ? "unknown" : value > 1000 ? "over 1000" : text("%.3f", value);
  }

  private static String p(Check check) {
    return text("%.1e", check.figure());
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
