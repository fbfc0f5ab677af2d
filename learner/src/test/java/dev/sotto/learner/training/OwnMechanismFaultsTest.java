package dev.sotto.learner.training;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.mechanism.MomentumTree;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.mechanism.QuerySchedule;
import dev.sotto.learner.mechanism.QuerySchedule.Segment;
import dev.sotto.learner.optimizer.momentum.TreeMomentumNsgd;
import dev.sotto.learner.participation.ContributionBound;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Plans and schedules that would cost more than they say. */
class OwnMechanismFaultsTest {
  private static Plan endless(GenerationSchedule generations) {
    return TestPlans.plan(b -> {
      b.optimizer = new TreeMomentumNsgd(0.1, 0.99);
      b.mechanism = MomentumTree.endless(0.99, 0x1p-9);
      b.unit = PrivacyUnit.KEY;
      b.sigma = 100;
      b.participation = new Participation.Scheduled(new ContributionBound(2, 1));
      b.generations = generations;
    });
  }

  /** The tree goes on from one generation to the next, so two rounds of a unit share its nodes. */
  @Test
  void refusesGenerationsOfATreeThatDoesNotRestart() {
    double due = endless(GenerationSchedule.NONE).mu(2);
    assertThatThrownBy(() -> {
          Plan plan = endless(new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 1));
          assertThat(plan.mu(2)).as("mu of two rounds of one tree").isGreaterThanOrEqualTo(due);
        })
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("generations");
  }

  /** 3 times (2^64 - 1) / 3 reads are minus one, modulo 2^64: the noise comes out as 0. */
  @Test
  void refusesMoreReadsThanCanBeCounted() {
    assertThatThrownBy(() -> {
          QueryNoise noise = new QueryNoise(
              new QuerySchedule(List.of(new Segment(0, 4, 1, 3, 6148914691236517205L, 1))));
          assertThat(noise.leastNoise()).isGreaterThan(1e9);
        })
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void refusesSegmentsThatEndNowhere() {
    assertThatThrownBy(() -> QuerySchedule.parse(
            "0+9223372036854775807/1*1*1@0x1.0p0 9223372036854775807+2/1*1*1@0x1.0p0"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The lattice is coarser than the tree's noise allows for: a plan that exists is valid. */
  @Test
  void refusesAPlanWhoseTreeCannotStart() {
    assertThatThrownBy(() -> TestPlans.plan(b -> {
          b.optimizer = new TreeMomentumNsgd(0.1, 0.99);
          b.mechanism = MomentumTree.endless(0.99, 0x1p-12);
          b.sigma = 1000;
        }))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rounding of a leaf");
  }
}
