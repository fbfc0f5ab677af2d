package dev.sotto.evaluation.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.training.Plan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QuietestSetTest {
  private static final int BATCH = 64; // of Configured

  private static PlanScenario scenario(List<String> settings, String... more) {
    return Configured.scenario(
        PlanForecast.LIMIT,
        Stream.concat(settings.stream(), Stream.of(more)).toArray(String[]::new));
  }

  private static QuietestSet of(long slots, List<String> settings) {
    return QuietestSet.of(slots, scenario(settings));
  }

  private final Map<List<String>, Plan> plans = new HashMap<>(); // of the test that runs

  /** By the noise that the configuration itself gives, and not by the forecast's. */
  private double error(List<String> settings, String set, long rounds) {
    Plan plan = plans.computeIfAbsent(
        Stream.concat(settings.stream(), Stream.of("privacy.blt.set=" + set)).toList(),
        all -> scenario(all).plan());
    PrefixMechanism mechanism = plan.mechanism().ofPrefixes().orElseThrow();
    return plan.sigma() * Math.sqrt(mechanism.prefixVariance(rounds));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "privacy.unit=record",
        "privacy.adjacency=replace-one",
        "privacy.unit=key,unit.from=key",
        "privacy.unit=key,unit.from=key,privacy.contribution.rounds=8",
        "privacy.unit=key,unit.from=key,privacy.contribution.separation.slots=none",
      })
  void hasLessNoiseOverTheRoundsThatALearnerFeels(String text) {
    List<String> settings = List.of(text.split(","));
    PlanScenario scenario = scenario(settings);
    for (long rounds : new long[] {1, 20, 177, 1_000, 5_000, 40_000}) {
      QuietestSet quietest = QuietestSet.of(rounds * BATCH, scenario);
      String usual = Mechanisms.BLT.make().set();
      assertThat(quietest.endless()).isEqualTo("felt-2^30");
      assertThat(worst(settings, quietest.set(), usual, rounds)).isLessThanOrEqualTo(1 + 1e-9);
      double felt = felt(settings, quietest.set(), rounds);
      for (String other : Mechanisms.BLT.sets()) {
        if (worst(settings, other, usual, rounds) < 1 - 1e-9) {
          assertThat(felt)
              .as("%s against %s in %s rounds", quietest.set(), other, rounds)
              .isLessThanOrEqualTo(felt(settings, other, rounds) * (1 + 1e-9));
        }
      }
      assertThat(quietest.key().name()).isEqualTo("privacy.blt.set");
      if (text.equals("privacy.unit=record")) {
        assertThat(felt / felt(settings, usual, rounds)).isLessThan(0.9);
      }
    }
  }

  /** How far a set comes to what it must not exceed. */
  private double worst(List<String> settings, String set, String usual, long rounds) {
    double end = error(settings, set, rounds) / error(settings, usual, rounds) / 1.1;
    return LongStream.of(4, 16, 64, 256, 1024)
        .map(each -> Math.min(each, rounds))
        .mapToDouble(each -> error(settings, set, each) / error(settings, usual, each))
        .reduce(end, Math::max);
  }

  private double felt(List<String> settings, String set, long rounds) {
    return LongStream.of(4, 16, 64, 256, 1024)
        .mapToDouble(each -> Math.pow(error(settings, set, Math.min(each, rounds)), 0.2))
        .reduce(1, (a, b) -> a * b);
  }

  /** Also far behind the rounds that it was chosen for. */
  @ParameterizedTest
  @ValueSource(strings = {"privacy.unit=record", "privacy.unit=key,unit.from=key"})
  void costsNoMoreThanTheBudgetHoweverManyRoundsThereAre(String text) {
    List<String> settings = List.of(text.split(","));
    String set = of(300 * BATCH, settings).set();
    Plan plan = scenario(settings, "privacy.blt.set=" + set).plan();
    assertThat(plan.mechanism().horizon().orElseThrow()).isLessThan(300);
    assertThat(plan.guarantee(1L << 40).epsilon())
        .isLessThanOrEqualTo(plan.budget().epsilon());
    assertThat(plan.guarantee(1).epsilonLimit())
        .isLessThanOrEqualTo(plan.budget().epsilon());
    assertThat(plan.allows(1L << 60)).isTrue();
    assertThat(PlanAnswer.beyond(plan, PlanForecast.LIMIT))
        .contains(
            "noise is made for 16,384 slots (privacy.blt.set " + set + ")",
            "after 1,048,576 its error is",
            "times as large, under the same guarantee");
    assertThat(PlanAnswer.beyond(scenario(settings).plan(), PlanForecast.LIMIT)).isEmpty();
    assertThat(PlanAnswer.beyond(plan, 1_000)).isEmpty();
  }

  @Test
  void asksNobodyWithoutSets() {
    assertThat(QuietestSet.keyOf(scenario(List.of()))).isPresent();
    for (String other : List.of("independent", "binary-tree")) {
      List<String> settings = List.of("privacy.mechanism=" + other, "privacy.horizon.rounds=1000");
      assertThat(QuietestSet.keyOf(scenario(settings))).isEmpty();
    }
    assertThatIllegalArgumentException()
        .isThrownBy(() -> of(0, List.of()))
        .withMessageContaining("slots must be at least 1, but were 0");
  }
}
