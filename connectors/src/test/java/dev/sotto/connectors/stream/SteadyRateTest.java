package dev.sotto.connectors.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SteadyRateTest {
  private static final long SECOND = 1_000_000_000;

  @Test
  void givesEverythingAtOnceWithoutARate() {
    SteadyRate pace = new SteadyRate(0, 5);
    assertThat(pace.due(7, 5)).isEqualTo(7);
    assertThat(pace.pauseMs(500)).isEqualTo(500);
  }

  @Test
  void catchesUpAfterAPauseAndNeverRunsAhead() {
    long start = Long.MAX_VALUE - SECOND; // the clock may wrap
    SteadyRate pace = new SteadyRate(10, start);
    assertThat(pace.due(100, start)).isZero();
    assertThat(pace.due(100, start + SECOND / 2)).isEqualTo(5);
    pace.took(5);
    assertThat(pace.due(100, start + SECOND / 2)).isZero();
    assertThat(pace.due(3, start + 2 * SECOND)).isEqualTo(3);
    pace.took(3);
    assertThat(pace.due(100, start + 2 * SECOND)).isEqualTo(12);
    assertThat(pace.pauseMs(500)).isEqualTo(100);
    assertThat(new SteadyRate(0.001, 0).pauseMs(500)).isEqualTo(500);
    assertThat(new SteadyRate(1e6, 0).pauseMs(500)).isEqualTo(1);
  }
}
