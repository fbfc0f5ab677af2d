package dev.sotto.learner.training;

import static dev.sotto.learner.training.TestPlans.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The round that would exceed the budget never happens (docs/privacy.md, "The ledger"). */
class BudgetedRoundsTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);
  private static final Budget BUDGET = new Budget(1, 1e-6);

  /** Noise for so many rounds of two slots, and not one more where they cost something. */
  private static Plan planFor(Mechanisms each, long rounds) {
    PrefixMechanism mechanism = each.make();
    return plan(b -> {
      b.mechanism = mechanism;
      b.budget = BUDGET;
      b.batch = 2;
      b.sigma = NoiseCalibration.sigma(BUDGET, mechanism, Adjacency.ZERO_OUT, 1, rounds);
    });
  }

  private static ModelLearner start(Plan plan) {
    return ModelLearner.start(plan, KEY, "model", "label");
  }

  @Test
  void closesNoRoundPastTheBudget() {
    Plan plan = planFor(Mechanisms.BINARY_TREE, 7);
    ModelLearner learner = start(plan);
    List<ClosedRound> rounds = Streams.feed(learner, Streams.mixed(0, 100, 2));
    assertThat(rounds).extracting(ClosedRound::number).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L);
    assertThat(rounds)
        .extracting(ClosedRound::last)
        .containsExactly(false, false, false, false, false, false, true);
    assertThat(learner.isExhausted()).isTrue();
    assertThat(learner.round()).isEqualTo(7);
    assertThat(plan.allows(7)).isTrue();
    assertThat(plan.allows(8)).isFalse();
  }

  @Test
  void learnsNothingFromSlotsPastTheBudget() {
    ModelLearner learner = start(planFor(Mechanisms.BINARY_TREE, 3));
    Streams.feed(learner, Streams.mixed(0, 6, 2));
    byte[] digest = learner.digest();
    double[] weights = learner.weights();
    for (int place = 6; place < 30; place++) {
      assertThat(learner.fill(Streams.mixed(place, 2))).isFalse();
    }
    assertThat(learner.openSlots()).isZero();
    assertThat(learner.digest()).isEqualTo(digest);
    assertThat(learner.weights()).containsExactly(weights);
    assertThatIllegalStateException()
        .isThrownBy(learner::close)
        .withMessageContaining("the budget is spent");
  }

  @Test
  void staysExhaustedAfterARestart() {
    Plan plan = planFor(Mechanisms.BINARY_TREE, 3);
    ModelLearner learner = start(plan);
    Streams.feed(learner, Streams.mixed(0, 4, 2));
    assertThat(ModelLearner.resume(plan, KEY, "model", "label", learner.state()).isExhausted())
        .isFalse();
    Streams.feed(learner, Streams.mixed(4, 6, 2));
    ModelLearner resumed = ModelLearner.resume(plan, KEY, "model", "label", learner.state());
    assertThat(resumed.isExhausted()).isTrue();
    assertThat(Streams.feed(resumed, Streams.mixed(6, 30, 2))).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void neverPromisesMoreThanBeforeNorSpendsMoreThanItHas(Mechanisms each) {
    List<ClosedRound> rounds =
        Streams.feed(start(planFor(each, 100)), Streams.mixed(0, 240, 2)); // 120 rounds
    assertThat(rounds).hasSizeGreaterThanOrEqualTo(100);
    Guarantee before = rounds.get(0).guarantee();
    for (ClosedRound round : rounds) {
      Guarantee now = round.guarantee();
      assertThat(now.mu()).isGreaterThanOrEqualTo(before.mu());
      assertThat(now.epsilon()).isGreaterThanOrEqualTo(before.epsilon());
      assertThat(now.epsilon()).isLessThanOrEqualTo(BUDGET.epsilon());
      assertThat(now.epsilon()).isGreaterThan(0.3 * BUDGET.epsilon() / Math.sqrt(7));
      assertThat(now.delta()).isEqualTo(each.make().isPure() ? 0 : BUDGET.delta());
      assertThat(now.muLimit()).isGreaterThanOrEqualTo(now.mu());
      before = now;
    }
  }

  @Test
  void neverEndsWhereNoRoundCostsMoreThanTheFirst() {
    Plan plan = planFor(Mechanisms.INDEPENDENT, Long.MAX_VALUE);
    List<ClosedRound> rounds = Streams.feed(start(plan), Streams.mixed(0, 400, 2));
    assertThat(rounds).hasSize(200).noneMatch(ClosedRound::last);
    assertThat(plan.allows(Long.MAX_VALUE)).isTrue();
    assertThat(rounds.get(199).guarantee()).isEqualTo(rounds.get(0).guarantee());
  }
}
