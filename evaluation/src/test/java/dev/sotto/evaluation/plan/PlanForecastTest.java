package dev.sotto.evaluation.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.evaluation.plan.PlanForecast.Contribution;
import dev.sotto.evaluation.plan.PlanForecast.Group;
import dev.sotto.evaluation.plan.PlanForecast.LargerBatch;
import dev.sotto.evaluation.plan.PlanForecast.Returner;
import dev.sotto.evaluation.plan.PlanForecast.Row;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.mechanism.BltParameterSets;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.training.Plan;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PlanForecastTest {
  private static final List<Long> ROUNDS = List.of(1L, 10L, 100L, 1000L, 10_000L, 1_000_000L);

  private static Group group(PlanForecast outlook, String name) {
    return outlook.groups().stream()
        .filter(each -> each.option().name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<Row> rows(PlanForecast outlook, String name) {
    return group(outlook, name).rows().value().orElseThrow();
  }

  private static List<Group> served(PlanForecast outlook) {
    return outlook.groups().stream()
        .filter(each -> each.rows().value().isPresent())
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void tellsTheFiguresOfTheLedgerToTheLastBit(Mechanisms mechanism) {
    Plan plan = Configured.plan(
        "privacy.noise.multiplier=8", "privacy.mechanism=" + mechanism.configName());
    PlanForecast outlook = PlanForecast.of(new PlanScenario(plan, 1000, 0), ROUNDS);
    Guarantee any = plan.guarantee(1);
    for (Row row : rows(outlook, mechanism.configName())) {
      PrivacyCost cost = row.configured().cost();
      boolean limit = row.rounds() == PlanForecast.LIMIT;
      Guarantee guarantee = limit ? any : plan.guarantee(row.rounds());
      assertThat(cost.mu()).isEqualTo(limit ? any.muLimit() : guarantee.mu());
      assertThat(cost.epsilon()).isEqualTo(limit ? any.epsilonLimit() : guarantee.epsilon());
      assertThat(cost.delta()).isEqualTo(guarantee.delta());
      assertThat(cost.allowed()).isEqualTo(plan.allows(row.rounds()));
      assertThat(row.configured().sigma()).isEqualTo(plan.sigma());
      if (!limit) {
        double variance = plan.mechanism().ofPrefixes().orElseThrow().prefixVariance(row.rounds());
        assertThat(row.configured().error().std()).isEqualTo(plan.sigma() * Math.sqrt(variance));
      }
    }
    assertThat(group(outlook, mechanism.configName()).option().configured()).isTrue();
  }

  @Test
  void givesEveryMechanismTheNoiseThatItsOwnConfigurationWouldHave() {
    PlanForecast outlook =
        PlanForecast.of(Configured.scenario(1000, "privacy.horizon.rounds=1000"), List.of(10L));
    for (Mechanisms each : Mechanisms.values()) {
      String own = "privacy.mechanism=" + each.configName();
      double thousand = Configured.plan("privacy.horizon.rounds=1000", own).sigma();
      double ten = Configured.plan("privacy.horizon.rounds=10", own).sigma();
      Row row = rows(outlook, each.configName()).get(0);
      assertThat(row.sameBudget().value().orElseThrow().sigma()).isEqualTo(thousand);
      assertThat(row.madeForThis().value().orElseThrow().sigma()).isEqualTo(ten);
      assertThat(row.madeForThis().value().orElseThrow().cost().allowed()).isTrue();
    }
  }

  @Test
  void leavesPrivateMetricsTheirShare() {
    String[] settings = {"privacy.horizon.rounds=1000", "metrics.share=0.25"};
    Plan plan = Configured.plan(settings);
    PlanForecast outlook = PlanForecast.of(new PlanScenario(plan, 1000, 0.25), List.of());
    Row own = rows(outlook, plan.mechanism().name()).get(0);
    assertThat(own.sameBudget().value().orElseThrow().sigma()).isEqualTo(plan.sigma());
    for (Group group : served(outlook)) {
      PrivacyCost cost = group
          .rows()
          .value()
          .orElseThrow()
          .get(0)
          .sameBudget()
          .value()
          .orElseThrow()
          .cost();
      assertThat(cost.allowed()).as(group.option().name()).isTrue();
    }
    // Were the metrics forgotten, the same budget would buy less noise.
    PlanForecast careless =
        PlanForecast.of(new PlanScenario(Configured.plan(settings[0]), 1000, 0), List.of());
    assertThat(rows(careless, plan.mechanism().name())
            .get(0)
            .sameBudget()
            .value()
            .orElseThrow()
            .sigma())
        .isLessThan(0.9 * plan.sigma());
  }

  @Test
  void countsTheBoundsOfKeysAndGenerations() {
    String[] settings = {
      "privacy.unit=key",
      "unit.from=key",
      "privacy.contribution=schedule",
      "privacy.contribution.most=3",
      "privacy.contribution.separation=2",
      "privacy.generations=constant",
      "privacy.generations.rounds=50",
      "privacy.horizon.rounds=200"
    };
    Plan plan = Configured.plan(settings);
    PlanForecast outlook = PlanForecast.of(new PlanScenario(plan, 200, 0), List.of(60L));
    Row row = rows(outlook, plan.mechanism().name()).get(0);
    assertThat(row.configured().cost().mu()).isEqualTo(plan.mu(60));
    assertThat(row.sameBudget().value().orElseThrow().sigma()).isEqualTo(plan.sigma());
    assertThat(row.configured().error().std())
        .isEqualTo(plan.sigma()
            * Math.sqrt(plan.mechanism().ofPrefixes().orElseThrow().prefixVariance(10)));
    assertThat(row.configured().error().worst())
        .isEqualTo(plan.sigma()
            * Math.sqrt(plan.mechanism().ofPrefixes().orElseThrow().prefixVariance(50)));
  }

  @Test
  void neverFallsWithTheRounds() {
    PlanForecast outlook =
        PlanForecast.of(Configured.scenario(1000, "privacy.horizon.rounds=1000"), ROUNDS);
    for (Group group : served(outlook)) {
      Row before = null;
      for (Row row : group.rows().value().orElseThrow()) {
        assertThat(row.configured().error().worst())
            .isGreaterThanOrEqualTo(row.configured().error().std());
        if (before != null) {
          PrivacyCost earlier = before.configured().cost();
          assertThat(row.configured().cost().mu()).isGreaterThanOrEqualTo(earlier.mu());
          assertThat(row.configured().cost().epsilon()).isGreaterThanOrEqualTo(earlier.epsilon());
          assertThat(row.configured().error().worst())
              .isGreaterThanOrEqualTo(before.configured().error().worst());
        }
        before = row;
      }
    }
  }

  @Test
  void chargesMoreContributionsMoreAndLessWhereTheyLieApart() {
    PlanForecast outlook =
        PlanForecast.of(Configured.scenario(1000, "privacy.horizon.rounds=1000"), ROUNDS);
    int priced = 0;
    for (Group group : served(outlook)) {
      for (Row row : group.rows().value().orElseThrow()) {
        for (Contribution one : row.contributions()) {
          for (Contribution other : row.contributions()) {
            boolean dearer = one.bound().most() >= other.bound().most()
                && one.bound().separation() <= other.bound().separation();
            if (dearer && one.cost().value().isPresent() && other.cost().value().isPresent()) {
              priced++;
              assertThat(one.cost().value().orElseThrow().mu())
                  .isGreaterThanOrEqualTo(other.cost().value().orElseThrow().mu());
            }
          }
        }
      }
    }
    assertThat(priced).isGreaterThan(100);
  }

  @Test
  void chargesReturnersMoreUnderLongMemory() {
    PlanForecast outlook = PlanForecast.of(
        Configured.scenario(PlanForecast.LIMIT, "privacy.horizon.rounds=endless"), List.of());
    double independent = factor(outlook, "independent");
    double shortMemory = factor(outlook, "blt horizon-2^6x2");
    double longMemory = factor(outlook, "blt");
    assertThat(independent).isCloseTo(Math.sqrt(10), within(1e-12));
    assertThat(shortMemory).isBetween(independent, longMemory);
    assertThat(longMemory).isBetween(1.5 * shortMemory, 10.0);
  }

  /** Of ten contributions, 100 rounds apart, at the limit. */
  private static double factor(PlanForecast outlook, String name) {
    return rows(outlook, name).get(0).contributions().stream()
        .filter(each -> each.bound().most() == 10 && each.bound().separation() == 100)
        .findFirst()
        .orElseThrow()
        .factor();
  }

  @Test
  void sparesNoiseByLargerBatchesAtNoPrice() {
    PlanForecast outlook = PlanForecast.of(
        Configured.scenario(1000, "privacy.horizon.rounds=1000"), List.of(3L, 100L));
    for (Group group : served(outlook)) {
      for (Row row : group.rows().value().orElseThrow()) {
        if (row.rounds() == 3) {
          assertThat(row.batches()).hasSize(1); // four times as large needs four rounds
        }
        for (LargerBatch larger : row.batches()) {
          assertThat(larger.batch()).isEqualTo(64L * larger.factor());
          assertThat(larger.cost().mu())
              .isLessThanOrEqualTo(row.configured().cost().mu());
          if (row.rounds() != PlanForecast.LIMIT) {
            assertThat(larger.rounds()).isEqualTo(row.rounds() / larger.factor());
            assertThat(larger.error().worst() / larger.batch())
                .isLessThan(row.configured().error().worst() / 64);
          }
        }
      }
    }
  }

  @Test
  void saysWhyAMechanismCannotServeThePlan() {
    PlanForecast outlook = PlanForecast.of(budgeted("blt", "10"), List.of(10L));
    for (Mechanisms each : Mechanisms.values()) {
      Group group = group(outlook, each.configName());
      boolean followed = each.make().memory().isPresent();
      assertThat(group.rows().value().isPresent()).isEqualTo(followed);
      assertThat(group.rows().reason().isEmpty()).isEqualTo(followed);
      assertThat(group.returners().isEmpty()).isEqualTo(!followed);
    }
    assertThat(group(outlook, "binary-tree").rows().reason()).contains("own book");
    PlanForecast endless = PlanForecast.of(
        Configured.scenario(PlanForecast.LIMIT, "privacy.horizon.rounds=endless"), List.of(10L));
    FigureOrReason<PlanForecast.Noise> none =
        rows(endless, "binary-tree").get(0).sameBudget();
    assertThat(none.value()).isEmpty();
    assertThat(none.reason()).contains("no finite noise fits", "endless stream");
  }

  private static PlanScenario budgeted(String mechanism, String inARow) {
    return Configured.scenario(
        PlanForecast.LIMIT,
        "privacy.unit=key",
        "unit.from=key",
        "privacy.mechanism=" + mechanism,
        "privacy.contribution.rounds=" + inARow);
  }

  @Test
  void admitsReturnersAsTheBudgetsOfUnitsDo() {
    for (String mechanism : List.of("independent", "blt")) {
      PlanScenario scenario = budgeted(mechanism, "10");
      PlanForecast outlook = PlanForecast.of(scenario, List.of());
      assertThat(scenario.inARow()).isEqualTo(10);
      List<Long> admitted = group(outlook, mechanism).returners().stream()
          .map(each -> each.value().map(Returner::admitted).orElseThrow())
          .toList();
      assertThat(admitted.get(0)).isEqualTo(10);
      assertThat(admitted).isSorted();
      double same =
          rows(outlook, mechanism).get(0).sameBudget().value().orElseThrow().sigma();
      assertThat(same).isCloseTo(scenario.plan().sigma(), within(1e-12 * same));
    }
    PlanForecast outlook = PlanForecast.of(budgeted("blt", "10"), List.of());
    Returner returns = group(outlook, "blt").returners().get(2).value().orElseThrow();
    Returner forgotten =
        group(outlook, "blt horizon-2^6x2").returners().get(2).value().orElseThrow();
    assertThat(returns.every()).isEqualTo(100);
    assertThat(returns.attempts()).isEqualTo(1000);
    assertThat(forgotten.admitted()).isGreaterThan(2 * returns.admitted());
  }

  @Test
  void boundsReturnersBySchedules() {
    PlanForecast outlook = PlanForecast.of(
        Configured.scenario(
            500,
            "privacy.unit=key",
            "unit.from=key",
            "privacy.mechanism=independent",
            "privacy.contribution=schedule",
            "privacy.contribution.most=7",
            "privacy.contribution.separation=20",
            "privacy.horizon.rounds=500"),
        List.of());
    List<Returner> returners = group(outlook, "independent").returners().stream()
        .map(each -> each.value().orElseThrow())
        .toList();
    assertThat(returners)
        .containsExactly(new Returner(1, 500, 7), new Returner(10, 50, 7), new Returner(100, 5, 5));
  }

  @Test
  void showsOtherSetsOfBltUnderNamesOfTheirOwn() {
    String own = BltParameterSets.ANYTIME_2_20.configName();
    PlanForecast outlook = PlanForecast.of(
        Configured.scenario(1000, "privacy.horizon.rounds=1000", "privacy.blt.set=" + own),
        List.of());
    List<String> names =
        outlook.groups().stream().map(each -> each.option().name()).toList();
    assertThat(names)
        .contains(
            "blt",
            "blt anytime-2^30",
            "blt anytime-2^24",
            "blt horizon-2^10x4",
            "blt horizon-2^6x2")
        .doesNotContain("blt " + own)
        .doesNotHaveDuplicates();
    assertThat(group(outlook, "blt").option().set()).isEqualTo(own);
    assertThat(outlook.groups().stream().filter(each -> each.option().configured()))
        .hasSize(1);
    Set<String> mechanisms = new HashSet<>(names);
    for (Mechanisms each : Mechanisms.values()) {
      assertThat(mechanisms).contains(each.configName());
    }
  }

  @Test
  void refusesRoundsBelowOne() {
    PlanScenario scenario = Configured.scenario(1000, "privacy.horizon.rounds=1000");
    assertThatThrownBy(() -> PlanForecast.of(scenario, List.of(0L)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("rounds must be at least 1");
    Plan plan = scenario.plan();
    assertThatThrownBy(() -> new PlanScenario(plan, 0, 0)).hasMessageContaining("horizon");
  }
}
