package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.check.CheckResult;
import dev.sotto.evaluation.audit.subject.AuditSubject;
import dev.sotto.evaluation.audit.subject.BlockFault;
import dev.sotto.evaluation.audit.subject.FaultyBlockLearner;
import dev.sotto.evaluation.audit.subject.FaultyLearner;
import dev.sotto.evaluation.audit.subject.FixedPoints;
import dev.sotto.evaluation.audit.subject.InjectedFault;
import dev.sotto.evaluation.audit.subject.ProductLearner;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.DifferenceClips;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.optimizer.heavytail.Ball;
import dev.sotto.learner.optimizer.heavytail.LocalizedErm;
import dev.sotto.learner.optimizer.heavytail.Phase;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** False alarms of each check: once in 10^6; seeds are fixed. */
class SlotInfluenceTest {
  private static final QuerySchedule MIXED = new QuerySchedule(
      List.of(new Segment(0, 24, 4, 1, 1, 1), Segment.whole(24, 20, 6, Math.sqrt(6))));

  static List<Optimizer> blocks() {
    return List.of(
        new FixedPoints(QuerySchedule.onePass(6, 4), null),
        new FixedPoints(MIXED, null),
        new FixedPoints(
            new QuerySchedule(List.of(Segment.whole(0, 12, 1, 2), Segment.whole(0, 12, 4, 1))),
            null),
        new FixedPoints(new QuerySchedule(List.of(new Segment(0, 12, 3, 2, 2, 1))), null),
        new LocalizedErm(
            List.of(new Phase(40, 9, 0.1, 0.5, 1, 4), new Phase(20, 4, 0.1, 1, 0.5, 2)),
            new Ball(null, 4)));
  }

  private static CheckResult check(AuditSubject subject, Plan plan, boolean units) {
    return new SlotInfluence(plan, units, 7).check(subject);
  }

  private static Plan plan(Optimizer algorithm) {
    return Plans.plan(each -> each.blocks(algorithm));
  }

  /** Not more than one participation, and the worst slot no less. */
  @ParameterizedTest
  @MethodSource("blocks")
  void findsThatTheRealLearnerMovesAsMuchAsIsPaidFor(Optimizer algorithm) {
    for (boolean units : new boolean[] {false, true}) {
      CheckResult found = check(ProductLearner.AS_IT_IS, plan(algorithm), units);
      assertThat(found.holds()).as(found.toString()).isTrue();
      assertThat(found.figure()).isCloseTo(1, within(2e-3));
    }
    CheckResult byHand = check(new FaultyBlockLearner(BlockFault.NONE), plan(algorithm), false);
    assertThat(byHand.holds()).isTrue();
    assertThat(byHand.figure()).isCloseTo(1, within(2e-3));
  }

  /** The nodes of a tree of momentum over a block; they pay a little for rounding besides. */
  @Test
  void findsThatATreeMovesAsMuchAsIsPaidFor() {
    for (boolean units : new boolean[] {false, true}) {
      Plan plan = Plans.plan(each -> each.treeOfBlocks(5, 3, 0.9));
      CheckResult found = check(ProductLearner.AS_IT_IS, plan, units);
      assertThat(found.holds()).as(found.toString()).isTrue();
      assertThat(found.figure()).isCloseTo(1, within(2e-2));
    }
  }

  /** All points of a query together; with coins, as much of it as they choose, never more. */
  @Test
  void findsWhatPoolsMove() {
    CheckResult all = check(ProductLearner.AS_IT_IS, Plans.plan(each -> each.pools(1)), false);
    assertThat(all.holds()).as(all.toString()).isTrue();
    assertThat(all.figure()).isCloseTo(1, within(2e-3));
    CheckResult some = check(ProductLearner.AS_IT_IS, Plans.plan(each -> each.pools(0.25)), false);
    assertThat(some.holds()).as(some.toString()).isTrue();
    assertThat(some.figure()).isBetween(0.5, 1.0); // the largest of 1024 has many of 12 coins
    AuditSubject broken = new FaultyBlockLearner(BlockFault.OTHER_POINTS_NOT_CLIPPED);
    assertThat(check(broken, Plans.plan(each -> each.pools(1)), false).holds()).isFalse();
  }

  @ParameterizedTest
  @EnumSource
  void findsWhatIsReadTwiceOrNotCut(BlockFault fault) {
    Plan plan = plan(new FixedPoints(MIXED, null));
    Plan differences = plan(new FixedPoints(MIXED, new DifferenceClips(1, 1, 0.5)));
    AuditSubject broken = new FaultyBlockLearner(fault);
    boolean slots = check(broken, plan, false).holds();
    boolean units = check(broken, plan, true).holds();
    boolean changes = check(broken, differences, false).holds();
    switch (fault) {
      case UNIT_TWICE ->
        assertThat(List.of(slots, units, changes)).containsExactly(true, false, true);
      case DIFFERENCE_NOT_CLIPPED ->
        assertThat(List.of(slots, units, changes)).containsExactly(true, true, false);
      case ONE_BATCH_TOO_MANY, OTHER_SLOTS_LATER, INTO_THE_NEXT_BLOCK ->
        assertThat(slots).isFalse();
      default -> assertThat(List.of(slots, units, changes)).containsExactly(true, true, true);
    }
  }

  @ParameterizedTest
  @EnumSource(names = {"CLIP_AFTER_SUM", "DIVIDE_BY_USABLE"})
  void findsAMeanThatIsCutOrCounted(InjectedFault fault) {
    Plan plan = plan(new FixedPoints(QuerySchedule.onePass(1, 4000), null)); // half of them used
    assertThat(check(new FaultyLearner(InjectedFault.NONE), plan, false).holds())
        .isTrue();
    assertThat(check(new FaultyLearner(fault), plan, false).figure()).isGreaterThan(1.3);
  }

  /** Canaries of every loss, and differences that are as long as they may be. */
  @ParameterizedTest
  @EnumSource
  void cutsTheDifferencesOfTheRealLearner(Losses loss) {
    for (double share : new double[] {0, 0.5, 1}) {
      FixedPoints algorithm = new FixedPoints(MIXED, new DifferenceClips(1, 1, share));
      Plan plan = Plans.plan(each -> {
        each.loss = loss.make();
        each.blocks(algorithm);
      });
      CheckResult own = check(ProductLearner.AS_IT_IS, plan, false);
      assertThat(own.holds()).as(own.toString()).isTrue();
      CheckResult byHand = check(new FaultyBlockLearner(BlockFault.NONE), plan, false);
      assertThat(own.figure()).isCloseTo(byHand.figure(), within(2e-3));
      AuditSubject broken = new FaultyBlockLearner(BlockFault.DIFFERENCE_NOT_CLIPPED);
      assertThat(check(broken, plan, false).holds()).isEqualTo(share == 1);
    }
  }

  /** Nothing is answered that is not in the schedule: it would not be paid for. */
  @Test
  void seesThatNoQueryIsAskedOutOfTurn() {
    for (long skipped : new long[] {-1, 1, 2}) {
      Plan plan = plan(new OutOfTurn(new FixedPoints(MIXED, null), skipped));
      assertThatIllegalStateException()
          .isThrownBy(() -> check(ProductLearner.AS_IT_IS, plan, false))
          .withMessageContaining("is next");
    }
    Plan inTurn = plan(new OutOfTurn(new FixedPoints(MIXED, null), 0));
    assertThat(check(ProductLearner.AS_IT_IS, inTurn, false).holds()).isTrue();
  }

  /** Asks for another query than the next one after the third answer. */
  private record OutOfTurn(Optimizer inner, long skipped) implements Optimizer {
    @Override
    public Optional<QuerySchedule> block() {
      return inner.block();
    }

    @Override
    public OptimizerState start(double[] first) {
      return path(inner.start(first));
    }

    @Override
    public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
      return path(inner.resume(dimension, iterates, latest));
    }

    @Override
    public String describe() {
      return inner.describe();
    }

    private OptimizerState path(OptimizerState state) {
      return new OptimizerState() {
        @Override
        public double[] weights() {
          return state.weights();
        }

        @Override
        public double[] point() {
          return state.point();
        }

        @Override
        public long query() {
          return state.query() == 4 ? 4 + skipped : state.query();
        }

        @Override
        public void tell(NoisySum answer) {
          state.tell(answer);
        }

        @Override
        public void restart() {
          state.restart();
        }

        @Override
        public double[] iterates() {
          return state.iterates();
        }
      };
    }
  }
}
