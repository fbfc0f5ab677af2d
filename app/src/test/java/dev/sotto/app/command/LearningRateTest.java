package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LearningRateTest {
  private long seconds;
  private final LearningRate rate = new LearningRate(() -> seconds * 1_000_000_000);

  @Test
  void countsOverTheLastMinute() {
    rate.at(5_000);
    assertThat(rate.perSecond()).isNull(); // what was there before is not what has come
    for (seconds = 1; seconds <= 100; seconds++) {
      rate.at(5_000 + 10 * seconds);
    }
    for (; seconds <= 300; seconds++) {
      rate.at(6_000 + 40 * (seconds - 100));
    }
    seconds = 300;
    assertThat(rate.perSecond()).isEqualTo(40);
  }

  @Test
  void fallsWhileNothingComes() {
    for (seconds = 0; seconds <= 100; seconds++) {
      rate.at(10 * seconds);
    }
    assertThat(rate.perSecond()).isBetween(9.0, 10.0);
    seconds = 400;
    rate.at(1_000);
    assertThat(rate.perSecond()).isLessThan(0.1);
  }

  @Test
  void knowsTheRateOfRareVersions() {
    for (seconds = 0; seconds <= 3_000; seconds++) {
      rate.at(seconds / 300 * 600);
    }
    seconds = 3_000;
    assertThat(rate.perSecond()).isEqualTo(2);
    seconds = 3_100;
    rate.at(6_000);
    assertThat(rate.perSecond()).isEqualTo(1.5);
  }
}
