package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PlaybackClockTest {
  private long now = 1_000_000;

  private PlaybackClock at(PlaybackRate pace) {
    return new PlaybackClock(pace, () -> now);
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  @Test
  void waitsForNothingAtFullSpeed() {
    PlaybackClock clock = at(new PlaybackRate.Fastest());
    assertThat(clock.untilDue(0)).isZero();
    assertThat(clock.untilDue(Long.MAX_VALUE)).isZero();
  }

  @Test
  void spacesRecordsEvenly() {
    PlaybackClock clock = at(new PlaybackRate.Rate(4));
    assertThat(clock.untilDue(0)).isZero();
    clock.sent();
    assertThat(millis(clock.untilDue(0))).isEqualTo(250);
    pass(100);
    assertThat(millis(clock.untilDue(0))).isEqualTo(150);
    pass(150);
    assertThat(clock.untilDue(0)).isZero();
    clock.sent();
    assertThat(millis(clock.untilDue(0))).isEqualTo(250);
  }

  @Test
  void doesNotRushAfterAPause() {
    PlaybackClock clock = at(new PlaybackRate.Rate(4));
    clock.untilDue(0);
    clock.sent();
    pass(60_000);
    assertThat(clock.untilDue(0)).isZero();
    clock.sent();
    assertThat(millis(clock.untilDue(0))).isEqualTo(250);
  }

  @Test
  void keepsTheRecordedPace() {
    PlaybackClock clock = at(new PlaybackRate.Speed(10));
    assertThat(clock.untilDue(5_000)).isZero();
    assertThat(millis(clock.untilDue(6_000))).isEqualTo(100);
    pass(70);
    assertThat(millis(clock.untilDue(6_000))).isEqualTo(30);
    assertThat(clock.untilDue(5_200)).isZero();
    assertThat(clock.untilDue(1)).as("older than the first").isZero();
    pass(60_000);
    assertThat(millis(clock.untilDue(605_000 + 10))).as("no drift").isZero();
  }

  @Test
  void survivesTimestampsThatAreFarApart() {
    PlaybackClock clock = at(new PlaybackRate.Speed(1e-3));
    clock.untilDue(Long.MIN_VALUE);
    assertThat(clock.untilDue(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void refusesSpeedsThatAreNone() {
    assertThatThrownBy(() -> new PlaybackRate.Speed(0)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new PlaybackRate.Rate(Double.NaN)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new PlaybackRate.Rate(Double.POSITIVE_INFINITY))
        .hasMessageContaining("finite");
  }
}
