package dev.sotto.evaluation.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PrefixMechanism;
import dev.sotto.learner.participation.GenerationSchedule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PrefixErrorTest {
  @ParameterizedTest
  @EnumSource
  void findsTheWorstPrefixOfEveryMechanism(Mechanisms named) {
    PrefixMechanism mechanism = named.make();
    double worst = 0;
    for (long rounds = 1; rounds <= 5000; rounds++) {
      worst = Math.max(worst, mechanism.prefixVariance(rounds));
      assertThat(PrefixError.worstVariance(mechanism, rounds))
          .as("%s after %d", mechanism.name(), rounds)
          .isCloseTo(worst, within(1e-12 * worst));
    }
    assertThat(PrefixError.worstVariance(mechanism, PlanForecast.LIMIT)).isInfinite();
  }

  @Test
  void beginsAnewWithEveryGeneration() {
    PrefixMechanism mechanism = Mechanisms.INDEPENDENT.make();
    GenerationSchedule tens = new GenerationSchedule(GenerationSchedule.Kind.CONSTANT, 10);
    assertThat(PrefixError.of(mechanism, tens, 3, 23))
        .isEqualTo(new PrefixError(3 * Math.sqrt(3), 3 * Math.sqrt(10)));
    assertThat(PrefixError.of(mechanism, tens, 3, 4)).isEqualTo(new PrefixError(6, 6));
    assertThat(PrefixError.of(mechanism, tens, 3, PlanForecast.LIMIT))
        .isEqualTo(new PrefixError(3 * Math.sqrt(10), 3 * Math.sqrt(10)));
    GenerationSchedule doubling =
        new GenerationSchedule(GenerationSchedule.Kind.DOUBLING, 10); // 10, 20, 40
    assertThat(PrefixError.of(mechanism, doubling, 1, 34))
        .isEqualTo(new PrefixError(2, Math.sqrt(20)));
    assertThat(PrefixError.of(mechanism, doubling, 1, 66)).isEqualTo(new PrefixError(6, 6));
    assertThat(PrefixError.of(mechanism, doubling, 1, PlanForecast.LIMIT).worst())
        .isInfinite();
  }
}
