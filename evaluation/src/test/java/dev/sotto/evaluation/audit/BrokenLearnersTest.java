package dev.sotto.evaluation.audit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.audit.canary.CoinChecks;
import dev.sotto.evaluation.audit.canary.PathInfluence;
import dev.sotto.evaluation.audit.canary.SlotInfluence;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.check.NoiseChecks;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.BlockFault;
import dev.sotto.evaluation.audit.subject.FaultyBlockLearner;
import dev.sotto.evaluation.audit.subject.FaultyPathLearner;
import dev.sotto.evaluation.audit.subject.FaultyWindowLearner;
import dev.sotto.evaluation.audit.subject.FixedPoints;
import dev.sotto.evaluation.audit.subject.InjectedFault;
import dev.sotto.evaluation.audit.subject.PathFault;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.evaluation.audit.subject.WindowFault;
import dev.sotto.learner.loss.Huber;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Sampling;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.mechanism.WindowTree;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.NormBins;
import dev.sotto.learner.training.Plan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The audit finds what it is there for, in blocks, paths and windows: each fault fails the check
 * that is named here, which the product's learner passes, and the code of the broken learners
 * without a fault. Of rounds {@link AuditTest} says the same. Checks alarm by chance once in 10^6;
 * the seed is fixed.
 */
class BrokenLearnersTest {
  private static final long SEED = 17;
  private static final int BLOCKS = 4;
  private static final int SAMPLES = 1 << 14;

  /** One pass over 8 batches, then 8 passes over as many slots: each slot costs the same. */
  private static final QuerySchedule PASSES = new QuerySchedule(
      List.of(new Segment(0, 256, 8, 1, 1, 1), Segment.whole(256, 256, 8, Math.sqrt(8))));

  /** The same, and a query that counts norms at a twentieth of the cost. */
  private static final QuerySchedule COUNTED = new QuerySchedule(List.of(
      PASSES.segments().get(0),
      PASSES.segments().get(1),
      Segment.whole(0, PASSES.slots(), 1, Math.sqrt(19))));

  private static final int BINS = 12;
  private static final int WINDOWS = 6; // batches of a pass
  private static final double SHARE = 0.125;

  /** The slowest checks, of learners by their names: each is looked at once. */
  private static final Map<String, CheckResult> EXACT = new HashMap<>();

  private static final Map<String, List<CheckResult>> COINS = new HashMap<>();

  private static Plan blocks(FixedPoints points) {
    return Plans.plan(each -> {
      each.dimension = BINS;
      each.sigma = 4;
      each.epsilon = Double.POSITIVE_INFINITY;
      each.blocks(points);
    });
  }

  private static Plan blocks(QuerySchedule queries) {
    return blocks(new FixedPoints(queries, null));
  }

  /** Differences may be as long as a clip, and count half: each query moves by at most a clip. */
  private static Plan differences() {
    return blocks(new FixedPoints(PASSES, new DifferenceClips(1, 1, 0.5)));
  }

  private static Plan counts() {
    return blocks(new FixedPoints(COUNTED, null, new NormBins(1.0 / 512, BINS, 0, BINS)));
  }

  private static Plan pools(double rate) {
    return blocks(QuerySchedule.sampled(512, 4, new Sampling(4, rate)));
  }

  /** Its loss has its steepest slopes between flat ones. */
  private static Plan path(int slots, int dimension) {
    return Plans.plan(each -> {
      each.dimension = dimension;
      each.loss = new Huber(1);
      each.sigma = 4;
      each.path(slots);
    });
  }

  /**
   * What an example adds to a query that asks for changes is as long as the clip at most, for
   * gradients of a / share and changes of a; they turn round between the points of Huber's loss.
   */
  private static Plan windows() {
    double change = 1 / (2 - SHARE); // (1 - share) a + share a / share
    QuerySchedule queries =
        new QuerySchedule(List.of(new Segment(0, 64 * WINDOWS, WINDOWS, 1, 4, 1)));
    return Plans.plan(each -> {
      each.loss = new Huber(1);
      each.sigma = 4;
      each.optimizer = new FixedPoints(queries, new DifferenceClips(change / SHARE, change, SHARE));
      each.mechanism = new WindowTree(WINDOWS, 4, 0.5);
      each.batch = queries.slots();
    });
  }

  private static CheckResult slots(Plan plan, AuditSubject subject) {
    return new SlotInfluence(plan, false, SEED).check(subject);
  }

  private static CheckResult units(Plan plan, AuditSubject subject) {
    return new SlotInfluence(plan, true, SEED).check(subject);
  }

  private static CheckResult noise(String name, Plan plan, AuditSubject subject) {
    return named(name, new NoiseChecks(subject, plan, BLOCKS, SAMPLES, SEED).all());
  }

  private static CheckResult coins(String name, AuditSubject subject) {
    return named(
        name,
        COINS.computeIfAbsent(
            subject.name(), none -> new CoinChecks(pools(0.25), SEED).all(subject)));
  }

  private static CheckResult named(String name, List<CheckResult> all) {
    return all.stream().filter(each -> each.name().equals(name)).findFirst().orElseThrow();
  }

  private static CheckResult check(BlockFault fault, AuditSubject subject) {
    return switch (fault) {
      case NONE, ONE_BATCH_TOO_MANY, OTHER_SLOTS_LATER, INTO_THE_NEXT_BLOCK ->
        slots(blocks(PASSES), subject);
      case UNIT_TWICE -> units(blocks(PASSES), subject);
      case DIFFERENCE_NOT_CLIPPED -> slots(differences(), subject);
      case COUNTED_IN_SEVERAL_BINS -> slots(counts(), subject);
      case OTHER_POINTS_NOT_CLIPPED -> slots(pools(1), subject);
      case EXACT_COUNTS -> noise("noise: size", counts(), subject);
      case NOISE_FOR_MORE_SLOTS -> // 15 batches of 100 examples, rounded down
        noise("noise: size", blocks(QuerySchedule.onePass(15, 100 / 15)), subject);
      case NOISE_BY_BLOCK -> noise("noise: change between rounds", blocks(PASSES), subject);
      case NOISE_BY_QUERY -> noise("noise: change between rounds", pools(1), subject);
      case ONE_SUBSET, COINS_BY_BLOCK -> coins("coins: independent", subject);
      case COINS_WITHOUT_CONTENT -> coins("coins: bound to key and content", subject);
      case DIVIDE_BY_CHOSEN -> coins("coins: a slot is in a sum or not", subject);
    };
  }

  private static CheckResult check(PathFault fault, AuditSubject subject) {
    return switch (fault) {
      case NONE, SLOPES_NOT_CUT, STEP_TOO_LONG, REALISED_COUNT ->
        EXACT.computeIfAbsent(
            subject.name(), none -> new PathInfluence(path(256, 6), SEED).check(subject));
      case SLOTS_AGAIN -> slots(path(512, 16), subject);
      case UNIT_TWICE -> units(path(512, 16), subject);
      case NOISE_OF_NEXT_PHASE, EXACT_START -> noise("noise: size", path(512, 16), subject);
      case NOISE_AFRESH -> noise("noise: a retry changes nothing", path(512, 16), subject);
      case NOISE_BY_NUMBER -> noise("noise: bound to the history", path(512, 16), subject);
    };
  }

  private static CheckResult check(WindowFault fault, AuditSubject subject) {
    return switch (fault) {
      case NONE, SMOOTHNESS_FORGOTTEN -> slots(windows(), subject);
      case LEAF_WITHOUT_NOISE, NOISE_OF_FIRST_PASS -> noise("noise: size", windows(), subject);
      case NOISE_AFRESH -> noise("noise: change between rounds", windows(), subject);
    };
  }

  /** Of the broken learner, the same without a fault, and the product's. */
  private static void requireFound(
      Function<AuditSubject, CheckResult> check, AuditSubject broken, AuditSubject faultless) {
    CheckResult found = check.apply(broken);
    assertThat(found.holds()).as(found.toString()).isEqualTo(broken.equals(faultless));
    CheckResult passed = check.apply(faultless);
    assertThat(passed.holds()).as(passed.toString()).isTrue();
    CheckResult own = check.apply(ProductLearner.AS_IT_IS);
    assertThat(own.holds()).as(own.toString()).isTrue();
  }

  @Test
  void theManualHasEveryFault() throws IOException {
    Path home = Path.of(System.getProperty("basedir", "."), "..").normalize();
    String page = Files.readString(home.resolve("docs/experiments/audits.md"));
    Stream.of(
            Stream.of(InjectedFault.values()).map(InjectedFault::label).skip(1),
            Stream.of(BlockFault.values()).map(BlockFault::label).skip(1),
            Stream.of(PathFault.values()).map(PathFault::label).skip(1),
            Stream.of(WindowFault.values()).map(WindowFault::label).skip(1))
        .flatMap(labels -> labels)
        .forEach(label -> assertThat(page).contains("| " + label + " |"));
  }

  @ParameterizedTest
  @EnumSource
  void aFaultOfBlocksFailsItsCheck(BlockFault fault) {
    requireFound(
        subject -> check(fault, subject),
        new FaultyBlockLearner(fault),
        new FaultyBlockLearner(BlockFault.NONE));
  }

  @ParameterizedTest
  @EnumSource
  void aFaultOfPathsFailsItsCheck(PathFault fault) {
    requireFound(
        subject -> check(fault, subject),
        new FaultyPathLearner(fault),
        new FaultyPathLearner(PathFault.NONE));
  }

  @ParameterizedTest
  @EnumSource
  void aFaultOfWindowsFailsItsCheck(WindowFault fault) {
    requireFound(
        subject -> check(fault, subject),
        new FaultyWindowLearner(fault),
        new FaultyWindowLearner(WindowFault.NONE));
  }
}
