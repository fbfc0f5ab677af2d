package dev.sotto.topology.admin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.Objectives;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd;
import dev.sotto.learner.optimizer.AcceleratedDpSrgd.Gradients;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundGenesis;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.Trial;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RoundsInitializerTest {
  private static final NoiseKey KEY = NoiseKey.of(new byte[32]);

  private static Objective named(String name) {
    return Objectives.named(name).orElseThrow();
  }

  private static Plan plan(
      Objective objective, Participation participation, int lag, double epsilon) {
    return new PlanBuilder()
        .features("examples")
        .dimension(objective.dimension(3))
        .objective("loss", objective)
        .algorithm(
            "accelerated-dp-srgd",
            "steps",
            new AcceleratedDpSrgd(new EuclideanBall(null, 9), 1, true, Gradients.RECURSIVE))
        .mechanism(Mechanisms.BINARY_TREE.make())
        .clip(1)
        .batch(8)
        .sigma(4)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(PrivacyUnit.RECORD)
        .budget(new Budget(epsilon, 1e-6))
        .participation(participation)
        .lag(lag)
        .build();
  }

  private static List<RoundPoint> opened(Plan plan) {
    return ControlRecords.openings(
            plan, KEY.id(), Trial.settings(Layout.ORDERED, Trial.ONE, plan).controlCipher())
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
    assertThat(learner.queryOf(1).point()).isNotEqualTo(new double[plan.dimension()]);
    List<RoundPoint> opened = opened(plan);
    assertThat(opened).extracting(RoundPoint::round).containsExactly(1L, 2L);
    for (RoundPoint each : opened) {
      assertThat(PackedDoubles.unpack(each.weights()))
          .isEqualTo(learner.queryOf(each.round()).point());
    }
  }

  /**
   * With a lag the second round is opened before the first is closed, but not where only one is
   * paid for.
   */
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
    RoundsInitializer.requireNothingPaid(Map.of(ledger, 0L), "app");
    assertThatThrownBy(() -> RoundsInitializer.requireNothingPaid(Map.of(ledger, 1L), "app"))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("app.control does not say how the model began");
  }

  @Test
  void roundsAreNotSummedWhereUnitsHaveHistories() {
    Plan byId = plan(named("logistic"), new Participation.ById(), 0, 1e6);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Trial.settings(Layout.ROUNDS, Trial.ONE, byId))
        .withMessageContaining("participation must be once");
    assertThat(Trial.settings(Layout.ORDERED, Trial.ONE, byId).keepsHistories()).isTrue();
  }

  @Test
  void refusesTheBeginningOfAnotherRun() {
    LearnerSettings settings =
        Trial.settings(Layout.ROUNDS, Trial.ONE, Trial.plan(2, 4)).with(KEY);
    RoundGenesis genesis =
        ControlRecords.genesis(settings, "id", List.of(new OffsetRange(0, 0, 4)));
    RoundsInitializer.requireSameRun(settings, genesis);
    byte[] other = genesis.runId();
    other[0]++;
    RoundGenesis another = new RoundGenesis(
        genesis.eventTopicId(),
        genesis.firstSlices(),
        other,
        genesis.fingerprint(),
        genesis.keyId());
    assertThatThrownBy(() -> RoundsInitializer.requireSameRun(settings, another))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("another app.id, run.label or model id");
  }
}
