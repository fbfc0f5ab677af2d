package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.NoiseCalibration;
import dev.sotto.learner.mechanism.BltParameterSets;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Past its design horizon a set costs accuracy, never privacy: what sigma was set for decides. */
class BltBudgetTest {
  private static final Budget BUDGET = new Budget(2, 1e-6);

  private static Plan plan(Mechanism mechanism, long horizon) {
    return TestPlans.plan(b -> {
      b.budget = BUDGET;
      b.mechanism = mechanism;
      b.clip = 1;
      b.sigma = NoiseCalibration.sigma(BUDGET, mechanism, Adjacency.ZERO_OUT, 1, horizon);
    });
  }

  @ParameterizedTest
  @EnumSource
  void refusesRoundsPastTheHorizonOfItsSigma(BltParameterSets set) {
    PrefixMechanism blt = Mechanisms.blt(set.parameters());
    for (long horizon : new long[] {1, 10, 64, 1000, set.anytime() ? 4096 : set.horizon()}) {
      Plan plan = plan(blt, horizon);
      assertThat(plan.allows(horizon)).isTrue();
      assertThat(plan.allows(horizon + horizon / 100 + 1)).isFalse();
      assertThat(plan.allows(Long.MAX_VALUE)).isFalse();
    }
  }

  @ParameterizedTest
  @EnumSource
  void goesOnForEverWithTheSigmaOfTheLimit(BltParameterSets set) {
    PrefixMechanism blt = Mechanisms.blt(set.parameters());
    Plan plan = plan(blt, Long.MAX_VALUE);
    for (long t = 1; t < 1L << 50; t *= 3) {
      assertThat(plan.allows(t)).isTrue();
      assertThat(plan.guarantee(t).muLimit())
          .isGreaterThanOrEqualTo(plan.guarantee(t).mu());
      assertThat(plan.guarantee(t).epsilonLimit()).isLessThanOrEqualTo(2);
    }
    assertThat(plan.allows(Long.MAX_VALUE)).isTrue();
  }
}
