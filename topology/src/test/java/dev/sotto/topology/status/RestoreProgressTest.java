package dev.sotto.topology.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;

class RestoreProgressTest {
  private static final TopicPartition CHANGELOG = new TopicPartition("app-units-changelog", 3);

  private long now = 5;
  private final RestoreProgress restores = new RestoreProgress(() -> now);

  @Test
  void tellsAShareInTenthsAndForHowLong() {
    restores.onRestoreStart(CHANGELOG, "units", 100, 1_100);
    assertThat(restores.running()).containsExactly(new RestoreStatus("units", 3, 0, Duration.ZERO));
    assertThat(restores.haveProgressed()).isFalse();
    now += TimeUnit.SECONDS.toNanos(20);
    restores.onBatchRestored(CHANGELOG, "units", 455, 300);
    assertThat(restores.haveProgressed()).isTrue();
    RestoreStatus status = restores.running().get(0);
    assertThat(status).isEqualTo(new RestoreStatus("units", 3, 3, Duration.ofSeconds(20)));
    assertThat(status.remaining()).isEqualTo(0.7);
    assertThat(restores.describe()).isEqualTo("restoring units of partition 3 (30 %, for 20 s)");
    restores.onBatchRestored(CHANGELOG, "units", 1_099, 300);
    assertThat(restores.running().get(0).remaining()).isZero();
    restores.onRestoreEnd(CHANGELOG, "units", 600);
    assertThat(restores.running()).isEmpty();
    assertThat(restores.haveProgressed()).isTrue();
  }

  /**
   * What it tells must not give the length of a changelog away, which may depend on what records
   * held.
   */
  @Test
  void tellsTheSameOfChangelogsOfDifferentLengths() {
    restores.onRestoreStart(CHANGELOG, "units", 0, 100_000);
    restores.onRestoreStart(new TopicPartition("another", 3), "others", 0, 100_700);
    restores.onBatchRestored(CHANGELOG, "units", 54_000, 1_000);
    restores.onBatchRestored(new TopicPartition("another", 3), "others", 54_000, 1_000);
    assertThat(restores.running()).extracting(RestoreStatus::tenths).containsOnly(5);
  }

  @Test
  void forgetsARestoreThatWasGivenUp() {
    restores.onRestoreStart(CHANGELOG, "units", 0, 100);
    restores.onRestoreSuspended(CHANGELOG, "units", 10);
    assertThat(restores.running()).isEmpty();
    assertThat(restores.haveProgressed()).isFalse();
  }

  @Test
  void takesAnEmptyChangelogForRestored() {
    restores.onRestoreStart(CHANGELOG, "units", 7, 7);
    assertThat(restores.running().get(0).remaining()).isZero();
  }
}
