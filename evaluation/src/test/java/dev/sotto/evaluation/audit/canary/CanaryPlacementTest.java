package dev.sotto.evaluation.audit.canary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.audit.Plans;
import dev.sotto.evaluation.audit.noise.NoiseMatrix;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import java.util.List;
import org.junit.jupiter.api.Test;

class CanaryPlacementTest {
  private static final Plan TREE = Plans.plan(each -> {});

  private static CanaryPlacement placed(Plan plan, int horizon, int room, int most) {
    return new CanaryPlacement(
        ParticipationSchedules.of(plan, horizon), NoiseMatrix.of(plan), horizon, room, most);
  }

  @Test
  void putsMostExposedRoundsFirst() {
    CanaryPlacement placement = placed(TREE, 8, 2, 6);
    // Of 8 rounds the first lies under 4 nodes, the second, third and fifth under 3.
    assertThat(placement.size()).isEqualTo(6);
    assertThat(placement.in(1)).containsExactly(0, 1);
    assertThat(placement.norm(0)).isCloseTo(2, within(1e-12));
    assertThat(placement.norm(5)).isCloseTo(Math.sqrt(3), within(1e-12));
    assertThat(placement.in(8)).isEmpty();
    assertThat(placement.moved(0, 1)).isEqualTo(1);
    assertThat(placement.moved(0, 2)).isEqualTo(1);
    assertThat(placement.moved(0, 3)).isZero();
  }

  @Test
  void stopsWhereThereIsNoRoom() {
    CanaryPlacement placement = placed(TREE, 8, 2, 100);
    assertThat(placement.size()).isEqualTo(16);
    for (int t = 1; t <= 8; t++) {
      assertThat(placement.in(t)).hasSize(2);
    }
  }

  @Test
  void givesUnitsTheRoundsThatThePlanAdmits() {
    Plan plan = Plans.plan(each -> {
      each.mechanism = Mechanisms.INDEPENDENT.make();
      each.unit = PrivacyUnit.KEY;
      each.participation = new Participation.Scheduled(new ContributionBound(3, 4));
    });
    List<long[]> schedules = ParticipationSchedules.of(plan, 20);
    assertThat(schedules.get(0)).containsExactly(1, 5, 9);
    assertThat(schedules.get(15)).containsExactly(16, 20);
    CanaryPlacement placement = placed(plan, 20, 5, 1000);
    for (int t = 1; t <= 20; t++) {
      assertThat(placement.in(t).length).isLessThanOrEqualTo(5).isPositive();
    }
    assertThat(placement.norm(0)).isCloseTo(Math.sqrt(3), within(1e-12));
  }

  @Test
  void letsABudgetedUnitSpendItsBudget() {
    Plan plan = Plans.plan(each -> {
      each.mechanism = Mechanisms.BLT.make();
      each.unit = PrivacyUnit.KEY;
      each.sigma = 10;
      each.participation = new Participation.Budgeted(0.5);
    });
    long[] first = ParticipationSchedules.of(plan, 60).get(0);
    assertThat(first.length).isBetween(2, 25);
    CanaryPlacement placement = placed(plan, 60, 1, 1);
    assertThat(placement.norm(0) / 10).isLessThan(0.5).isGreaterThan(0.3);
  }
}
