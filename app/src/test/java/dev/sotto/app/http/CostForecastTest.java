package dev.sotto.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import org.junit.jupiter.api.Test;

class CostForecastTest {
  private final Plan plan = Views.plan();
  private final CostForecast costs = new CostForecast(plan);

  /** A learner is asked, round by round, until its budget is spent. */
  @Test
  void tellsWhatTheLearnerPays() {
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "m", "1");
    assertThat(costs.of(0))
        .isEqualTo(new CostForecast.Cost(0, 0, plan.budget().epsilon(), learner.isExhausted()));
    Slot slot = new Slot(plan.dimension());
    while (!learner.isExhausted()) {
      boolean full;
      do {
        slot.clear();
        slot.status(RecordStatus.EMPTY);
        full = learner.fill(slot);
      } while (!full);
      ClosedRound round = learner.close();
      CostForecast.Cost cost = costs.of(round.number());
      assertThat(cost.mu()).isEqualTo(round.guarantee().mu());
      assertThat(cost.epsilon()).isEqualTo(round.guarantee().epsilon());
      assertThat(cost.left())
          .isBetween(0.0, plan.budget().epsilon() - round.guarantee().epsilon());
      assertThat(cost.exhausted()).isEqualTo(round.last());
    }
    assertThat(learner.round()).isEqualTo(3);
    assertThat(costs.of(3).exhausted()).isTrue();
    assertThat(costs.of(2).exhausted()).isFalse();
  }
}
