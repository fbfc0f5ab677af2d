package dev.sotto.evaluation.audit;

import dev.sotto.evaluation.audit.canary.CoinChecks;
import dev.sotto.evaluation.audit.canary.SlotInfluence;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.BlockFault;
import dev.sotto.evaluation.audit.subject.FaultyBlockLearner;
import dev.sotto.evaluation.audit.subject.FixedPoints;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.mechanism.QueryMechanism;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Shows that the checks of blocks can fail: learners of blocks with injected faults go through
 * checks that the subject must pass. Each entry holds if the fault is found and the subject passes.
 */
final class BlockFaultInjection {
  /** Steps that are reported. */
  static final int STEPS = BlockFault.values().length;

  /** One pass over 8 batches, then 8 passes over as many slots: each slot costs the same. */
  private static final QuerySchedule PASSES = new QuerySchedule(
      List.of(new Segment(0, 256, 8, 1, 1, 1), Segment.whole(256, 256, 8, Math.sqrt(8))));

  /** The same, and a query that counts norms at a twentieth of the cost. */
  private static final QuerySchedule COUNTED = new QuerySchedule(List.of(
      PASSES.segments().get(0),
      PASSES.segments().get(1),
      Segment.whole(0, PASSES.slots(), 1, Math.sqrt(19))));

  private static final int BINS = 12;

  /** 15 batches of 100 examples, rounded down. */
  private static final QuerySchedule ROUNDED = QuerySchedule.onePass(15, 100 / 15);

  /** 4 queries at 4 points, of all slots and of every fourth. */
  private static final QuerySchedule POOLS =
      QuerySchedule.sampled(512, 4, new QuerySchedule.Sampling(4, 1));

  private static final QuerySchedule SAMPLED =
      QuerySchedule.sampled(512, 4, new QuerySchedule.Sampling(4, 0.25));

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
  BlockFaultInjection(AuditSubject subject, Plan plan, int rounds, long seed, AuditEffort effort) {
    this.subject = subject;
    this.plan = plan;
    this.rounds = Math.min(NOISE_BLOCKS, rounds);
    this.seed = seed;
    this.effort = effort;
  }

  /** The plan with a small block that has both kinds of queries, which learns nothing. */
  static Plan small(Plan plan) {
    return withQueries(plan, new FixedPoints(PASSES, null));
  }

  /** Blocks of {@link #small}. */
  static int smallBlocks(int most) {
    return (int) Math.min(most, 128 / PASSES.queries());
  }

  private static Plan withQueries(Plan plan, FixedPoints optimizer) {
    QuerySchedule queries = optimizer.queries();
    return plan.toBuilder()
        .batch(queries.slots())
        .dimension(Math.max(BINS, Math.min(64, plan.dimension())))
        .warmStart(null)
        .optimizer(optimizer)
        .mechanism(QueryMechanism.ofQueries(queries))
        .build();
  }

  /** Slots that are sampled; what the small block costs is not looked at. */
  private Plan sampled() {
    return withQueries(
        plan.toBuilder()
            .budget(new Budget(Double.POSITIVE_INFINITY, plan.budget().delta()))
            .build(),
        new FixedPoints(SAMPLED, null));
  }

  /** Differences may be as long as a clip, and count half: each query moves by at most a clip. */
  private Plan withDifferences() {
    DifferenceClips clips = new DifferenceClips(plan.clip(), plan.clip(), 0.5);
    return withQueries(plan, new FixedPoints(PASSES, clips));
  }

  private Plan withCounts() {
    NormBins bins = new NormBins(plan.clip() / 512, BINS, 0, BINS);
    return withQueries(plan, new FixedPoints(COUNTED, null, bins));
  }

  /** All entries. */
  List<CheckResult> all(AuditProgress progress) {
    List<CheckResult> checks = new ArrayList<>();
    SlotInfluence slots = new SlotInfluence(small(plan), false, seed);
    SlotInfluence units = new SlotInfluence(small(plan), true, seed);
    SlotInfluence differences = new SlotInfluence(withDifferences(), false, seed);
    SlotInfluence counts = new SlotInfluence(withCounts(), false, seed);
    Plan pools = withQueries(plan, new FixedPoints(POOLS, null));
    SlotInfluence points = new SlotInfluence(pools, false, seed);
    CoinChecks coins = new CoinChecks(sampled(), seed);
    CheckResult own = slots.check(subject);
    CheckResult ownCounts = counts.check(subject);
    CheckResult ownPoints = points.check(subject);
    List<CheckResult> ownCoins = coins.all(subject);
    CheckResult ownUnits = units.check(subject);
    CheckResult ownDifferences = differences.check(subject);
    for (BlockFault fault : BlockFault.values()) {
      AuditSubject broken = new FaultyBlockLearner(fault);
      checks.add(
          switch (fault) {
            case NONE ->
              control(broken, coins.all(broken), slots, units, differences, counts, points);
            case COUNTED_IN_SEVERAL_BINS -> moved(fault, counts.check(broken), ownCounts);
            case EXACT_COUNTS -> size(fault, withCounts(), broken);
            case OTHER_POINTS_NOT_CLIPPED -> moved(fault, points.check(broken), ownPoints);
            case ONE_SUBSET, DIVIDE_BY_CHOSEN, COINS_BY_BLOCK, COINS_WITHOUT_CONTENT ->
              coins(fault, coins.all(broken), ownCoins);
            case NOISE_BY_QUERY ->
              noise(fault, noise(pools, broken).changes(), noise(pools, subject).changes());
            case UNIT_TWICE -> moved(fault, units.check(broken), ownUnits);
            case DIFFERENCE_NOT_CLIPPED -> moved(fault, differences.check(broken), ownDifferences);
            case NOISE_FOR_MORE_SLOTS ->
              size(fault, withQueries(plan, new FixedPoints(ROUNDED, null)), broken);
            case NOISE_BY_BLOCK ->
              noise(
                  fault,
                  noise(small(plan), broken).changes(),
                  noise(small(plan), subject).changes());
            default -> moved(fault, slots.check(broken), own);
          });
      progress.done("broken learners of blocks");
    }
    return checks;
  }

  private NoiseChecks noise(Plan what, AuditSubject whose) {
    return new NoiseChecks(whose, what, rounds, effort.samples() / 4, seed);
  }

  private static CheckResult moved(BlockFault fault, CheckResult broken, CheckResult own) {
    return new CheckResult(
        "caught: " + fault.label(),
        !broken.holds() && own.holds(),
        broken.figure(),
        text("more than one participation; this learner's %.4f", own.figure()),
        "what one canary moves in all answers of two blocks of 512 slots, "
            + (fault == BlockFault.OTHER_POINTS_NOT_CLIPPED
                ? "4 queries at 4 points"
                : "8 queries of one pass and 8 passes"));
  }

  private static CheckResult coins(
      BlockFault fault, List<CheckResult> broken, List<CheckResult> own) {
    CheckResult found =
        broken.stream().filter(each -> !each.holds()).findFirst().orElse(broken.get(0));
    return new CheckResult(
        "caught: " + fault.label(),
        !found.holds() && own.stream().allMatch(CheckResult::holds),
        found.figure(),
        "must fail a check of coins; this learner passes all",
        found.name() + ": " + found.says());
  }

  private CheckResult size(BlockFault fault, Plan of, AuditSubject broken) {
    return noise(fault, noise(of, broken).size(), noise(of, subject).size());
  }

  private static CheckResult noise(BlockFault fault, CheckResult broken, CheckResult own) {
    return new CheckResult(
        "caught: " + fault.label(),
        !broken.holds() && own.holds(),
        broken.figure(),
        "p below 1e-6; this learner's not",
        broken.says() + text("; here p = %.1e", own.figure()));
  }

  /** The separate learner without a fault passes: it is the faults that are found. */
  private CheckResult control(
      AuditSubject faultless, List<CheckResult> coins, SlotInfluence... moves) {
    double most = 0;
    boolean holds = coins.stream().allMatch(CheckResult::holds);
    for (SlotInfluence each : moves) {
      CheckResult moved = each.check(faultless);
      most = Math.max(most, moved.figure());
      holds &= moved.holds();
    }
    List<CheckResult> noise = new ArrayList<>(noise(small(plan), faultless).all());
    noise.addAll(
        noise(withQueries(plan, new FixedPoints(POOLS, null)), faultless).all());
    return new CheckResult(
        "control: no fault of blocks, not caught",
        holds && noise.stream().allMatch(CheckResult::holds),
        most,
        "at most one participation, and every check of noise and of coins holds",
        "the code of the broken learners of blocks without a fault: what one canary moves, and "
            + noise.size() + " noise checks");
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
