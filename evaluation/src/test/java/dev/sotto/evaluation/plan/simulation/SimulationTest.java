package dev.sotto.evaluation.plan.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.evaluation.plan.Configured;
import dev.sotto.evaluation.plan.PlanForecast;
import dev.sotto.evaluation.plan.PlanScenario;
import dev.sotto.evaluation.text.ResultJson;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.optimizer.OptimizerState;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.training.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final PlanScenario SMALL =
      Configured.scenario(12, "privacy.horizon.rounds=12", "batch.size=16");

  private static SimulationResult run(PlanScenario scenario, long seed, int threads)
      throws InterruptedException {
    return new Simulation(scenario, seed).run(threads, done -> {});
  }

  @Test
  void findsTheSameOnAnyNumberOfThreads() throws InterruptedException {
    AtomicLong last = new AtomicLong();
    Simulation simulation = new Simulation(SMALL, 7);
    SimulationResult first = simulation.run(2, done -> last.accumulateAndGet(done, Math::max));
    assertThat(last.get()).isEqualTo(simulation.runs());
    assertThat(run(SMALL, 7, 1)).isEqualTo(first);
    SimulationResult other = run(SMALL, 8, 2);
    assertThat(other.configured().losses()).isNotEqualTo(first.configured().losses());
    assertThat(other.configured().setting()).isEqualTo(first.configured().setting());
  }

  @Test
  void chargesEverySettingThePriceOfThePlan() throws InterruptedException {
    requirePrice("blt");
  }

  @Tag("long")
  @Test
  void chargesEverySettingThePriceOfOtherMechanisms() throws InterruptedException {
    requirePrice("independent", "binary-tree");
  }

  private static void requirePrice(String... mechanisms) throws InterruptedException {
    for (String mechanism : mechanisms) {
      PlanScenario scenario = Configured.scenario(
          12, "privacy.horizon.rounds=12", "batch.size=16", "privacy.mechanism=" + mechanism);
      double price = scenario.plan().mu(12);
      SimulationResult result = run(scenario, 1, 2);
      assertThat(result.grid().all()).hasSize(100);
      for (SettingResult each : result.grid().all()) {
        double mu = scenario
            .own(each.setting().clip(), each.sigma(), each.horizon())
            .cost()
            .mu();
        assertThat(mu).as("%s %s", mechanism, each).isCloseTo(price, within(1e-12));
        assertThat(each.rounds() * each.setting().batch())
            .isEqualTo(result.size().records());
      }
      assertThat(result.configured().sigma()).isEqualTo(scenario.plan().sigma());
    }
  }

  @Tag("long")
  @Test
  void learnsMoreTheLessNoiseThereIs() throws InterruptedException {
    // Eight fresh streams of 192 records: fixed by the seed, and far apart.
    assertThat(learned("privacy.epsilon=50")).isGreaterThan(0.5);
    assertThat(learned("privacy.epsilon=0.001")).isLessThan(0.1);
  }

  private static double learned(String epsilon) throws InterruptedException {
    SimulationResult result =
        run(Configured.scenario(12, "privacy.horizon.rounds=12", "batch.size=16", epsilon), 1, 2);
    assertThat(result.fresh().truth()).isLessThan(result.fresh().blank());
    return result.fresh().learned(result.best().loss());
  }

  @Test
  void simulatesALongStreamByAShortOne() {
    PlanScenario scenario =
        Configured.scenario(1000, "privacy.horizon.rounds=1000", "batch.size=4096");
    SimulationTrial trial = new SimulationTrial(
        scenario,
        new SimulatedSetting(1024, 1, 1),
        new StreamSize(2, 4_096_000, 4_096_000 / 8192.0));
    SettingResult result = trial.result(List.of(0.0, 1.0));
    assertThat(result.rounds()).isEqualTo(4000);
    assertThat(result.horizon()).isEqualTo(4000);
    assertThat(trial.needs()).isEqualTo(8000); // two slots stand for 1024
    StreamSize whole = new StreamSize(2, 4_096_000, 1);
    assertThat(new SimulationTrial(scenario, new SimulatedSetting(4096, 1, 1), whole).needs())
        .isEqualTo(4_096_000);
  }

  @Tag("long")
  @Test
  void simulatesUnitsWithBudgetsAndEndlessStreams() throws InterruptedException {
    PlanScenario scenario = Configured.scenario(
        PlanForecast.LIMIT,
        "privacy.unit=key",
        "unit.from=key",
        "privacy.contribution.rounds=10",
        "batch.size=1");
    SimulationResult result = run(scenario, 1, 2);
    assertThat(result.size().records()).isEqualTo(1000);
    assertThat(result.size().thinning()).isEqualTo(1);
    for (SettingResult each : result.grid().all()) {
      assertThat(each.horizon()).isEqualTo(PlanForecast.LIMIT);
      assertThat(each.setting().batch()).isIn(1L, 2L, 4L); // none below one slot
      assertThat(each.sigma())
          .isCloseTo(
              scenario.plan().sigma() * each.setting().clip() / scenario.plan().clip(),
              within(1e-12));
    }
  }

  @Test
  void refusesWhatItCannotSimulate() {
    // Twice this clip, squared, is beyond doubles.
    PlanScenario huge = Configured.scenario(
        PlanForecast.LIMIT, "privacy.horizon.rounds=endless", "clip.norm=1e154");
    assertThatThrownBy(() -> new Simulation(huge, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the scale of the steps");
    Plan plan = SMALL.plan();
    Optimizer unknown = new Optimizer() {
      @Override
      public OptimizerState start(double[] first) {
        return plan.optimizer().start(first);
      }

      @Override
      public OptimizerState resume(int dimension, double[] iterates, NoisySum latest) {
        return plan.optimizer().resume(dimension, iterates, latest);
      }

      @Override
      public String describe() {
        return "unknown";
      }
    };
    Plan other = plan.toBuilder().algorithm("another", plan.steps(), unknown).build();
    assertThatThrownBy(() -> new Simulation(new PlanScenario(other, 12, 0), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("private-ftrl only, but the algorithm is another");
  }

  @Test
  void simulatesAnotherLoss() throws InterruptedException {
    requireLearned("squared");
  }

  @Tag("long")
  @Test
  void simulatesEveryLossAndPotential() throws InterruptedException {
    requireLearned("huber", "hinge");
    PlanScenario fixed = Configured.scenario(
        4,
        "privacy.horizon.rounds=4",
        "batch.size=16",
        "ftrl.potential=simplex",
        "ftrl.radius=3",
        "ftrl.steps=fixed",
        "ftrl.steps.horizon=4");
    assertThat(run(fixed, 1, 2).configured().loss()).isFinite();
  }

  private static void requireLearned(String... losses) throws InterruptedException {
    for (String loss : losses) {
      PlanScenario scenario = Configured.scenario(
          4,
          "privacy.horizon.rounds=4",
          "batch.size=16",
          "clip.norm=1",
          "ftrl.steps=decreasing",
          "privacy.epsilon=20",
          "loss=" + loss);
      SimulationResult result = run(scenario, 1, 2);
      assertThat(result.best().loss()).as(loss).isLessThan(result.fresh().blank());
    }
  }

  @Test
  void tellsItsResultAsTextAndJson() throws Exception {
    SimulationResult result = run(SMALL, 1, 2);
    String text = SimulationText.of(result, 0.5);
    assertThat(text)
        .contains("192 records, 3 weights, 4 repetitions of 100 settings; then 8 others of two")
        .containsPattern("configured +16 +0.5 +1 +12 ")
        .contains("nothing learned", "Made-up data cost no budget")
        .doesNotContain("NaN");
    List<JsonNode> rows = new ArrayList<>();
    new ObjectMapper().readTree(ResultJson.of(SimulationJson.rows(result, 0.5))).forEach(rows::add);
    assertThat(rows).hasSize(100);
    assertThat(rows.stream().filter(each -> each.get("best").asBoolean())).hasSize(1);
    rows.removeIf(each -> !each.get("asConfigured").asBoolean());
    assertThat(rows).hasSize(1);
    JsonNode row = rows.get(0);
    assertThat(row.get("kind").asText()).isEqualTo("simulation");
    assertThat(row.get("mechanism").asText()).isEqualTo("blt");
    assertThat(row.get("rounds").asLong()).isEqualTo(12);
    assertThat(row.get("horizon").asLong()).isEqualTo(12);
    assertThat(row.get("stepsMultiplier").asDouble()).isEqualTo(0.5);
    assertThat(row.get("sigma").asDouble()).isEqualTo(SMALL.plan().sigma());
    assertThat(row.get("mu").asDouble()).isEqualTo(SMALL.plan().mu(12));
    assertThat(row.fieldNames()).toIterable().contains("epsilon", "prefixErrorStd", "loss");
  }
}
