package dev.sotto.evaluation.audit;

import dev.sotto.evaluation.audit.canary.PathInfluence;
import dev.sotto.evaluation.audit.canary.RoundingDrift;
import dev.sotto.evaluation.audit.canary.SlotInfluence;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.FaultyPathLearner;
import dev.sotto.evaluation.audit.subject.PathFault;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.mechanism.PathNoise;
import dev.sotto.learner.optimizer.BlockOptimizer;
import dev.sotto.learner.optimizer.resque.PoolSize;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassAlgorithm;
import dev.sotto.learner.optimizer.resque.smoothing.OnePassSchedule;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows that the checks of paths can fail: learners of paths with injected faults go through checks
 * that the subject must pass. Each entry holds if the fault is found and the subject passes.
 */
final class PathFaultInjection {
  /** Steps that are reported. */
  static final int STEPS = PathFault.values().length + 1;

  private static final long SLOTS = 512;
  private static final int DIMENSION = 16;
  private static final double REACH = 20; // clips
  private static final int NOISE_BLOCKS = 4;

  private final AuditSubject subject;
  private final Plan plan;
  private final int rounds;
  private final long seed;
  private final AuditEffort effort;

  /**
   * Injected faults under the noise of a plan.
   *
   * @param rounds of the plan that its budget allows
   */
  PathFaultInjection(AuditSubject subject, Plan plan, int rounds, long seed, AuditEffort effort) {
    this.subject = subject;
    this.plan = small(plan);
    this.rounds = Math.min(NOISE_BLOCKS, rounds);
    this.seed = seed;
    this.effort = effort;
  }

  /** The plan with a small block, and a loss whose steepest slopes lie between flat ones. */
  static Plan small(Plan plan) {
    double radius = REACH * plan.clip();
    PathNoise noise = OnePassSchedule.of(
        new PoolSize(SLOTS, DIMENSION, 1, plan.clip(), radius, plan.sigma() / plan.clip()),
        OnePassSchedule.smoothing(SLOTS, radius));
    return plan.toBuilder()
        .batch(SLOTS)
        .dimension(DIMENSION)
        .warmStart(null)
        .loss("huber(1)", new Huber(1))
        .optimizer(new BlockOptimizer(new OnePassAlgorithm(noise, plan.clip())))
        .mechanism(noise)
        .build();
  }

  /** All entries. */
  List<CheckResult> all(AuditProgress progress) {
    List<CheckResult> checks = new ArrayList<>();
    for (PathFault fault : PathFault.values()) {
      AuditSubject broken = new FaultyPathLearner(fault);
      checks.add(fault == PathFault.NONE ? control(broken) : caught(fault, broken));
      progress.done("broken learners of paths");
    }
    checks.add(rounding());
    progress.done("broken learners of paths");
    return checks;
  }

  /** The check that a fault fails. */
  private CheckResult check(PathFault fault, AuditSubject whose) {
    return switch (fault) {
      case SLOPES_NOT_CUT, STEP_TOO_LONG, REALISED_COUNT ->
        new PathInfluence(plan, seed).check(whose);
      case SLOTS_AGAIN -> new SlotInfluence(plan, false, seed).check(whose);
      case UNIT_TWICE -> new SlotInfluence(plan, true, seed).check(whose);
      case NOISE_AFRESH -> noise(whose).retry();
      case NOISE_BY_NUMBER -> noise(whose).history();
      case NONE, NOISE_OF_NEXT_PHASE, EXACT_START -> noise(whose).size();
    };
  }

  private NoiseChecks noise(AuditSubject whose) {
    return new NoiseChecks(whose, plan, rounds, effort.samples() / 4, seed);
  }

  private CheckResult caught(PathFault fault, AuditSubject broken) {
    CheckResult found = check(fault, broken);
    CheckResult own = check(fault, subject);
    return new CheckResult(
        "caught: " + fault.label(),
        !found.holds() && own.holds(),
        found.figure(),
        "a failure of: " + found.rule() + "; this learner's " + figure(own.figure()),
        found.name() + ": " + found.says());
  }

  private static String figure(double value) {
    return String.format(Locale.ROOT, value == 0 || value >= 1e-3 ? "%.4f" : "%.1e", value);
  }

  private CheckResult rounding() {
    RoundingDrift drift = new RoundingDrift(plan, seed);
    double without = drift.moved(new FaultyPathLearner(PathFault.NONE), false);
    double own = drift.moved(subject, true);
    return new CheckResult(
        "caught: rounding left out of the sensitivity",
        without > 1 && own <= 1,
        without,
        "above 1; over this learner's claim, which counts rounding, " + figure(own)
            + "; no chance involved",
        "what one slot moves over one step: " + RoundingDrift.SAYS);
  }

  /** The separate learner without a fault passes: it is the faults that are found. */
  private CheckResult control(AuditSubject faultless) {
    List<CheckResult> noise = new ArrayList<>(noise(faultless).all());
    CheckResult exact = new PathInfluence(plan, seed).check(faultless);
    CheckResult slots = new SlotInfluence(plan, false, seed).check(faultless);
    CheckResult units = new SlotInfluence(plan, true, seed).check(faultless);
    boolean holds = exact.holds() && slots.holds() && units.holds();
    return new CheckResult(
        "control: no fault of paths, not caught",
        holds && noise.stream().allMatch(CheckResult::holds),
        Math.max(exact.figure(), Math.max(slots.figure(), units.figure())),
        "at most one participation, and every check of noise holds",
        "the code of the broken learners of paths without a fault: what one slot moves, and "
            + noise.size() + " noise checks");
  }
}
