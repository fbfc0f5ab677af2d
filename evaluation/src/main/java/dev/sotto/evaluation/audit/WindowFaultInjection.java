package dev.sotto.evaluation.audit;

import dev.sotto.evaluation.audit.canary.SlotInfluence;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.noise.MechanismKinds;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.FaultyWindowLearner;
import dev.sotto.evaluation.audit.subject.FixedPoints;
import dev.sotto.evaluation.audit.subject.WindowFault;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.WindowTree;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows that the checks of windows can fail: learners with injected faults go through checks that
 * the subject must pass. Each entry holds if the fault is found and the subject passes.
 */
final class WindowFaultInjection {
  /** Steps that are reported. */
  static final int STEPS = WindowFault.values().length;

  private static final int BATCHES = 6;
  private static final long PASSES = 4;
  private static final QuerySchedule QUERIES =
      new QuerySchedule(List.of(new QuerySchedule.Segment(0, 64 * BATCHES, BATCHES, 1, PASSES, 1)));
  private static final double SHARE = 0.125;
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
  WindowFaultInjection(AuditSubject subject, Plan plan, int rounds, long seed, AuditEffort effort) {
    this.subject = subject;
    this.plan = small(plan);
    this.rounds = Math.min(NOISE_BLOCKS, rounds);
    this.seed = seed;
    this.effort = effort;
  }

  /** Whether there are windows in a plan. */
  static boolean serves(Plan plan) {
    return MechanismKinds.windows(plan.mechanism()).isPresent();
  }

  /**
   * The plan with a small block. What an example adds to a query that asks for changes is as long as
   * the clip at most, for gradients of a / share and changes of a.
   */
  private static Plan small(Plan plan) {
    double change = plan.clip() / (2 - SHARE); // (1 - share) a + share a / share
    DifferenceClips clips = new DifferenceClips(change / SHARE, change, SHARE);
    return plan.toBuilder()
        .batch(QUERIES.slots())
        .dimension(Math.min(64, plan.dimension()))
        .warmStart(null)
        .loss("huber(1)", new Huber(1)) // canaries' gradients turn round between its points
        .optimizer(new FixedPoints(QUERIES, clips))
        .mechanism(new WindowTree(BATCHES, PASSES, 0.5))
        .build();
  }

  /** All entries. */
  List<CheckResult> all(AuditProgress progress) {
    List<CheckResult> checks = new ArrayList<>();
    for (WindowFault fault : WindowFault.values()) {
      AuditSubject broken = new FaultyWindowLearner(fault);
      checks.add(fault == WindowFault.NONE ? control(broken) : caught(fault, broken));
      progress.done("broken learners with windows");
    }
    return checks;
  }

  private NoiseChecks noise(AuditSubject whose) {
    return new NoiseChecks(whose, plan, rounds, effort.samples() / 4, seed);
  }

  /** The check that a fault fails. */
  private CheckResult check(WindowFault fault, AuditSubject whose) {
    return switch (fault) {
      case SMOOTHNESS_FORGOTTEN -> new SlotInfluence(plan, false, seed).check(whose);
      case NOISE_AFRESH -> noise(whose).changes();
      case NONE, LEAF_WITHOUT_NOISE, NOISE_OF_FIRST_PASS -> noise(whose).size();
    };
  }

  private CheckResult caught(WindowFault fault, AuditSubject broken) {
    CheckResult found = check(fault, broken);
    CheckResult own = check(fault, subject);
    return new CheckResult(
        "caught: " + fault.label(),
        !found.holds() && own.holds(),
        found.figure(),
        String.format(
            Locale.ROOT, "a failure of: %s; this learner's %.4f", found.rule(), own.figure()),
        found.name() + ": " + found.says());
  }

  /** The separate learner without a fault passes: it is the faults that are found. */
  private CheckResult control(AuditSubject faultless) {
    CheckResult slots = new SlotInfluence(plan, false, seed).check(faultless);
    List<CheckResult> noise = new ArrayList<>(noise(faultless).all());
    return new CheckResult(
        "control: no fault of windows, not caught",
        slots.holds() && noise.stream().allMatch(CheckResult::holds),
        slots.figure(),
        "at most one participation, and every check of noise holds",
        "the code of the broken learners with windows without a fault: what one slot moves, and "
            + noise.size() + " noise checks");
  }
}
