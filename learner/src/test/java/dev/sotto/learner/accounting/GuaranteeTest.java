package dev.sotto.learner.accounting;

import static dev.sotto.learner.accounting.Adjacency.REPLACE_ONE;
import static dev.sotto.learner.accounting.Adjacency.ZERO_OUT;
import static dev.sotto.learner.accounting.PrivacyUnit.KEY;
import static dev.sotto.learner.accounting.PrivacyUnit.RECORD;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class GuaranteeTest {
  private static final double INFINITY = Double.POSITIVE_INFINITY;

  @Test
  void publishesRoundedUpEpsilons() {
    Guarantee guarantee = Guarantee.of(RECORD, ZERO_OUT, "blt", 1, 2, 1e-6);
    assertThat(guarantee.epsilon()).isEqualTo(4.886554118); // 4.8865541175
    assertThat(guarantee.epsilonLimit()).isEqualTo(10.99715122); // 10.9971512142
  }

  @Test
  void admitsAStreamWithoutLimitAndAMechanismWithoutNoise() {
    Guarantee endless = Guarantee.of(KEY, REPLACE_ONE, "independent", 0.5, INFINITY, 1e-5);
    assertThat(endless.epsilonLimit()).isEqualTo(INFINITY);
    Guarantee none = Guarantee.of(KEY, REPLACE_ONE, "none", INFINITY, INFINITY, 1e-5);
    assertThat(none.epsilon()).isEqualTo(INFINITY);
    assertThat(Guarantee.of(RECORD, ZERO_OUT, "blt", 0, 0, 1e-5).epsilonLimit()).isZero();
  }

  @Test
  void keepsTheLimitAboveTheSpendAnUlpBeforeIt() {
    for (double mu = 0.01; mu < 20; mu *= 1.01) {
      Guarantee guarantee = Guarantee.of(RECORD, ZERO_OUT, "blt", mu, Math.nextUp(mu), 1e-6);
      assertThat(guarantee.epsilonLimit()).isGreaterThanOrEqualTo(guarantee.epsilon());
    }
    double mu = 0.08128176608971932; // the epsilon of the next one is less, and has other digits
    assertThat(Guarantee.of(RECORD, ZERO_OUT, "blt", mu, Math.nextUp(mu), 1e-6).epsilonLimit())
        .isEqualTo(0.3180000001);
  }

  @Test
  void refusesWhatIsNoGuarantee() {
    refuses(() -> new Guarantee(null, ZERO_OUT, "blt", 1, 4, 1e-6, 2, 9));
    refuses(() -> new Guarantee(RECORD, null, "blt", 1, 4, 1e-6, 2, 9));
    refuses(() -> new Guarantee(RECORD, ZERO_OUT, null, 1, 4, 1e-6, 2, 9));
    refuses(() -> new Guarantee(RECORD, ZERO_OUT, " ", 1, 4, 1e-6, 2, 9));
    refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", 1, 4, 1, 2, 9));
    refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", 3, 4, 1e-6, 2, 9));
    refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", 1, 10, 1e-6, 2, 9));
    refuses(() -> Guarantee.of(RECORD, ZERO_OUT, "blt", 2, 1, 1e-6));
    for (double bad : new double[] {Double.NaN, -1}) {
      refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", bad, 4, 1e-6, 2, 9));
      refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", 1, bad, 1e-6, 2, 9));
      refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", 1, 4, bad, 2, 9));
      refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", 1, 4, 1e-6, bad, 9));
      refuses(() -> new Guarantee(RECORD, ZERO_OUT, "blt", 1, 4, 1e-6, 2, bad));
    }
    new Guarantee(
        RECORD, ZERO_OUT, "blt", 1, 4, 1e-6, 2, 9); // and none of the above was due to these
  }

  private static void refuses(Runnable making) {
    assertThatIllegalArgumentException().isThrownBy(making::run).withMessageContaining("but was");
  }

  @ParameterizedTest
  @ValueSource(doubles = {1e-6, 0.1, 1.0 / 3, 0.5, 2, Math.PI, 8, 100})
  void spendsABudgetToItsEdgeAndNotBeyond(double epsilon) {
    for (double delta : new double[] {1e-3, 1e-6, 1e-12}) {
      Budget budget = new Budget(epsilon, delta);
      double limit = budget.muLimit();
      assertThat(budget.allows(limit)).isTrue();
      assertThat(budget.allows(limit * (1 + 1e-9))).isFalse();
      assertThat(budget.allows(0)).isTrue();
      assertThat(budget.allows(INFINITY)).isFalse();
    }
  }

  @Test
  void refusesABudgetOutOfRange() {
    for (double bad : new double[] {Double.NaN, 0, -1}) {
      refuses(() -> new Budget(bad, 1e-6));
    }
    for (double bad : new double[] {Double.NaN, 0, -1, 1}) {
      refuses(() -> new Budget(1, bad));
    }
  }

  @Test
  void refusesARangeWithoutSlots() {
    refuses(() -> new OffsetRange(-1, 0, 1));
    refuses(() -> new OffsetRange(0, -1, 1));
    refuses(() -> new OffsetRange(0, 1, 1));
    assertThat(new OffsetRange(0, 0, 1).to()).isEqualTo(1);
  }

  @Test
  void scalesTheClipByTheAdjacency() {
    assertThat(ZERO_OUT.sensitivity(1.5)).isEqualTo(1.5);
    assertThat(REPLACE_ONE.sensitivity(1.5)).isEqualTo(3);
    for (double bad : new double[] {Double.NaN, 0, -1, INFINITY}) {
      refuses(() -> ZERO_OUT.sensitivity(bad));
    }
  }

  @ParameterizedTest
  @EnumSource
  void findsAnAdjacencyByItsName(Adjacency adjacency) {
    assertThat(Adjacency.named(adjacency.configName())).contains(adjacency);
    assertThat(adjacency.sentence()).isNotBlank();
    assertThat(Adjacency.named("add-remove")).isEmpty();
  }

  @ParameterizedTest
  @EnumSource
  void findsAUnitByItsName(PrivacyUnit unit) {
    assertThat(PrivacyUnit.named(unit.configName())).contains(unit);
    assertThat(unit.sentence()).isNotBlank();
    assertThat(unit.any()).contains("any");
    assertThat(PrivacyUnit.named("user")).isEmpty();
  }
}
