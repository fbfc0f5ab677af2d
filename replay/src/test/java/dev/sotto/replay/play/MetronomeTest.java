package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MetronomeTest {
  private long now = 1_000_000;

  private Metronome at(Pace pace) {
    return new Metronome(pace, () -> now);
  }

  private void pass(long millis) {
    now += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private static long millis(long nanos) {
    return TimeUnit.NANOSECONDS.toMillis(nanos);
  }

  @Test
  void waitsForNothingAtFullSpeed() {
    Metronome metronome = at(new Pace.Fastest());
    assertThat(metronome.untilDue(0)).isZero();
    assertThat(metronome.untilDue(Long.MAX_VALUE)).isZero();
  }

  @Test
  void spacesRecordsEvenly() {
    Metronome metronome = at(new Pace.Rate(4));
    assertThat(metronome.untilDue(0)).isZero();
    metronome.sent();
    assertThat(millis(metronome.untilDue(0))).isEqualTo(250);
    pass(100);
    assertThat(millis(metronome.untilDue(0))).isEqualTo(150);
    pass(150);
    assertThat(metronome.untilDue(0)).isZero();
    metronome.sent();
    assertThat(millis(metronome.untilDue(0))).isEqualTo(250);
  }

  @Test
  void doesNotRushAfterAPause() {
    Metronome metronome = at(new Pace.Rate(4));
    metronome.untilDue(0);
    metronome.sent();
    pass(60_000);
    assertThat(metronome.untilDue(0)).isZero();
    metronome.sent();
    assertThat(millis(metronome.untilDue(0))).isEqualTo(250);
  }

  @Test
  void keepsTheRecordedPace() {
    Metronome metronome = at(new Pace.Speed(10));
    assertThat(metronome.untilDue(5_000)).isZero();
    assertThat(millis(metronome.untilDue(6_000))).isEqualTo(100);
    pass(70);
    assertThat(millis(metronome.untilDue(6_000))).isEqualTo(30);
    assertThat(metronome.untilDue(5_200)).isZero();
    assertThat(metronome.untilDue(1)).as("older than the first").isZero();
    pass(60_000);
    assertThat(millis(metronome.untilDue(605_000 + 10))).as("no drift").isZero();
  }

  @Test
  void survivesTimestampsThatAreFarApart() {
    Metronome metronome = at(new Pace.Speed(1e-3));
    metronome.untilDue(Long.MIN_VALUE);
    assertThat(metronome.untilDue(Long.MAX_VALUE)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void refusesSpeedsThatAreNone() {
    assertThatThrownBy(() -> new Pace.Speed(0)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new Pace.Rate(Double.NaN)).hasMessageContaining("above 0");
    assertThatThrownBy(() -> new Pace.Rate(Double.POSITIVE_INFINITY))
        .hasMessageContaining("finite");
  }
}
