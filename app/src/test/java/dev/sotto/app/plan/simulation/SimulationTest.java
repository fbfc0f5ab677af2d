package dev.sotto.app.plan.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.app.plan.Configured;
import dev.sotto.app.plan.Outlook;
import dev.sotto.app.plan.Scenario;
import dev.sotto.learner.optim.Course;
import dev.sotto.learner.optim.Optimizer;
import dev.sotto.learner.release.NoisySum;
import dev.sotto.learner.round.Plan;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class SimulationTest {
  private static final Scenario SMALL =
      Configured.scenario(12, "privacy.horizon.rounds=12", "batch.size=16");

  private static Findings run(Scenario scenario, long seed, int threads)
      throws InterruptedException {
    return new Simulation(scenario, seed).run(threads, done -> {});
  }

  @Test
  void findsTheSameOnAnyNumberOfThreads() throws InterruptedException {
    AtomicLong last = new AtomicLong();
    Simulation simulation = new Simulation(SMALL, 7);
    Findings first = simulation.run(2, done -> last.accumulateAndGet(done, Math::max));
    assertThat(last.get()).isEqualTo(simulation.runs());
    assertThat(run(SMALL, 7, 1)).isEqualTo(first);
    Findings other = run(SMALL, 8, 2);
    assertThat(other.configured().losses()).isNotEqualTo(first.configured().losses());
    assertThat(other.configured().setting()).isEqualTo(first.configured().setting());
  }

  @Test
  void chargesEverySettingThePriceOfThePlan() throws InterruptedException {
    for (String mechanism : List.of("independent", "blt", "binary-tree")) {
      Scenario scenario = Configured.scenario(
          12, "privacy.horizon.rounds=12", "batch.size=16", "privacy.mechanism=" + mechanism);
      double price = scenario.plan().mu(12);
      Findings findings = run(scenario, 1, 2);
      assertThat(findings.grid().all()).hasSize(100);
      for (Finding each : findings.grid().all()) {
        double mu = scenario
            .own(each.setting().clip(), each.sigma(), each.horizon())
            .cost()
            .mu();
        assertThat(mu).as("%s %s", mechanism, each).isCloseTo(price, within(1e-12));
        assertThat(each.rounds() * each.setting().batch()).isEqualTo(findings.records());
      }
      assertThat(findings.configured().sigma()).isEqualTo(scenario.plan().sigma());
    }
  }

  @Test
  void learnsMoreTheLessNoiseThereIs() throws InterruptedException {
    // Eight fresh streams of 192 records: fixed by the seed, and far apart.
    assertThat(learned("privacy.epsilon=50")).isGreaterThan(0.5);
    assertThat(learned("privacy.epsilon=0.001")).isLessThan(0.1);
  }

  private static double learned(String epsilon) throws InterruptedException {
    Findings findings =
        run(Configured.scenario(12, "privacy.horizon.rounds=12", "batch.size=16", epsilon), 1, 2);
    assertThat(findings.fresh().truth()).isLessThan(findings.fresh().blank());
    return findings.fresh().learned(findings.best().loss());
  }

  @Test
  void simulatesALongStreamByAShortOne() {
    Scenario scenario = Configured.scenario(1000, "privacy.horizon.rounds=1000", "batch.size=4096");
    Trial trial = new Trial(scenario, new Setting(1024, 1, 1), 2, 4_096_000, 4_096_000 / 8192.0);
    Finding finding = trial.finding(List.of(0.0, 1.0));
    assertThat(finding.rounds()).isEqualTo(4000);
    assertThat(finding.horizon()).isEqualTo(4000);
    assertThat(trial.needs()).isEqualTo(8000); // two slots stand for 1024
    assertThat(new Trial(scenario, new Setting(4096, 1, 1), 2, 4_096_000, 1).needs())
        .isEqualTo(4_096_000);
  }

  @Test
  void simulatesUnitsWithBudgetsAndEndlessStreams() throws InterruptedException {
    Scenario scenario = Configured.scenario(
        Outlook.LIMIT,
        "privacy.unit=key",
        "unit.from=key",
        "privacy.contribution.rounds=10",
        "batch.size=1");
    Findings findings = run(scenario, 1, 2);
    assertThat(findings.records()).isEqualTo(1000);
    assertThat(findings.thinning()).isEqualTo(1);
    for (Finding each : findings.grid().all()) {
      assertThat(each.horizon()).isEqualTo(Outlook.LIMIT);
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
    Scenario huge =
        Configured.scenario(Outlook.LIMIT, "privacy.horizon.rounds=endless", "clip.norm=1e154");
    assertThatThrownBy(() -> new Simulation(huge, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the scale of the steps");
    Plan plan = SMALL.plan();
    Optimizer unknown = new Optimizer() {
      @Override
      public Course start(int dimension) {
        return plan.optimizer().start(dimension);
      }

      @Override
      public Course resume(int dimension, double[] iterates, NoisySum latest) {
        return plan.optimizer().resume(dimension, iterates, latest);
      }
    };
    Plan other = new Plan(
        plan.features(),
        plan.dimension(),
        plan.lossName(),
        plan.loss(),
        "another",
        plan.steps(),
        unknown,
        plan.mechanism(),
        plan.clip(),
        plan.batch(),
        plan.sigma(),
        plan.adjacency(),
        plan.unit(),
        plan.budget());
    assertThatThrownBy(() -> new Simulation(new Scenario(other, 12, 0), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("private-ftrl only, but the algorithm is another");
  }

  @Test
  void simulatesEveryLossAndPotential() throws InterruptedException {
    for (String loss : List.of("squared", "huber", "hinge")) {
      Scenario scenario = Configured.scenario(
          4, "privacy.horizon.rounds=4", "batch.size=16", "privacy.epsilon=20", "loss=" + loss);
      Findings findings = run(scenario, 1, 2);
      assertThat(findings.best().loss()).as(loss).isLessThan(findings.fresh().blank());
    }
    Scenario fixed = Configured.scenario(
        4,
        "privacy.horizon.rounds=4",
        "batch.size=16",
        "ftrl.potential=simplex",
        "ftrl.radius=3",
        "ftrl.steps=fixed",
        "ftrl.steps.horizon=4");
    assertThat(run(fixed, 1, 2).configured().loss()).isFinite();
  }

  @Test
  void tellsItsFindings() throws InterruptedException {
    Findings findings = run(SMALL, 1, 2);
    String text = FindingsText.of(findings, 0.5);
    assertThat(text)
        .contains("192 records, 3 weights, 4 repetitions of 100 settings; then 8 others of two")
        .containsPattern("configured +16 +0.5 +1 +12 ")
        .contains("nothing learned", "Made-up data cost no budget")
        .doesNotContain("NaN");
    List<Map<String, Object>> rows = FindingsJson.rows(findings, 0.5);
    assertThat(rows).hasSize(100);
    assertThat(rows.stream().filter(each -> (Boolean) each.get("best"))).hasSize(1);
    assertThat(rows.stream().filter(each -> (Boolean) each.get("asConfigured")))
        .singleElement()
        .satisfies(row -> assertThat(row)
            .containsEntry("kind", "simulation")
            .containsEntry("mechanism", "blt")
            .containsEntry("rounds", 12L)
            .containsEntry("horizon", 12L)
            .containsEntry("stepsMultiplier", 0.5)
            .containsEntry("sigma", SMALL.plan().sigma())
            .containsEntry("mu", SMALL.plan().mu(12))
            .containsKeys("epsilon", "prefixErrorStd", "loss"));
  }
}
