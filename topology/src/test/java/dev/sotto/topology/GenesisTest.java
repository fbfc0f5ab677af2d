package dev.sotto.topology;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.optim.AcceleratedDpSrgd;
import dev.sotto.learner.optim.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.serdes.record.PackedDoubles;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPoint;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class GenesisTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  private static Objective named(String name) {
    return Objectives.named(name).orElseThrow();
  }

  private static Plan plan(
      Objective objective, Participation participation, int lag, double epsilon) {
    return new Plan(
        "examples",
        objective.dimension(3),
        "loss",
        objective,
        "accelerated-dp-srgd",
        "steps",
        new AcceleratedDpSrgd(new EuclideanBall(null, 9), 1, true, Gradients.RECURSIVE),
        Mechanisms.BINARY_TREE.make(),
        1,
        8,
        4,
        Adjacency.ZERO_OUT,
        PrivacyUnit.RECORD,
        new Budget(epsilon, 1e-6),
        participation,
        Generations.NONE,
        null,
        lag);
  }

  private static List<RoundPoint> opened(Plan plan) {
    return Genesis.openings(
            plan, KEY.id(), Trial.settings(Layout.FUNNEL, Trial.ONE, plan).controlCipher())
        .stream()
        .filter(each -> ControlRecords.closes(each.headers()) == 0)
        .map(each -> RoundCodecs.POINT.decode(each.value()))
        .toList();
  }

  /** A network does not begin at 0: workers are asked where the learner says that it asks. */
  @Test
  void opensTheFirstRoundsWhereTheLearnerBegins() {
    Plan plan = plan(
        named("network(hidden=2 activation=tanh output=logistic seed=1)"),
        new Participation.Once(),
        1,
        1e6);
    ModelLearner learner = ModelLearner.start(plan, KEY, "model", "1");
    assertThat(learner.question(1).point()).isNotEqualTo(new double[plan.dimension()]);
    List<RoundPoint> opened = opened(plan);
    assertThat(opened).extracting(RoundPoint::round).containsExactly(1L, 2L);
    for (RoundPoint each : opened) {
      assertThat(PackedDoubles.unpack(each.weights()))
          .isEqualTo(learner.question(each.round()).point());
    }
  }

  /** With a lag the second round is opened before the first is closed, but not where only one is paid for. */
  @Test
  void opensNoRoundBeyondTheBudget() {
    Objective objective = named("logistic");
    Plan rich = plan(objective, new Participation.Once(), 1, 1e6);
    double one = rich.guarantee(1).epsilon();
    Plan poor = plan(objective, new Participation.Once(), 1, one * 1.000001);
    assertThat(poor.allows(2)).isFalse();
    assertThat(opened(poor)).extracting(RoundPoint::round).containsExactly(1L);
    assertThat(opened(rich)).extracting(RoundPoint::round).containsExactly(1L, 2L);
  }

  @Test
  void isNotMadeAgainWhereRoundsHaveBeenPaidFor() {
    TopicPartition ledger = new TopicPartition(Names.ledger("app"), 0);
    Genesis.requireNothingPaid(Map.of(ledger, 0L), "app");
    assertThatThrownBy(() -> Genesis.requireNothingPaid(Map.of(ledger, 1L), "app"))
        .isInstanceOf(StartFailure.class)
        .hasMessageContaining("app.control does not say how the model began");
  }

  @Test
  void roundsAreNotSummedWhereUnitsHaveHistories() {
    Plan byId = plan(named("logistic"), new Participation.ById(), 0, 1e6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trial.settings(Layout.ROUNDS, Trial.ONE, byId))
        .withMessageContaining("participation must be once");
    assertThat(Trial.settings(Layout.FUNNEL, Trial.ONE, byId).keepsHistories()).isTrue();
  }
}
