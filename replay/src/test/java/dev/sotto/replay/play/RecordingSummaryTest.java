package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.replay.recording.RecordingException;
import org.junit.jupiter.api.Test;

class RecordingSummaryTest {
  private static RecordingSummary of(Made recording) {
    return RecordingSummary.of(recording, PlayProgress.NONE);
  }

  @Test
  void tellsWhatARecordingHolds() {
    RecordingSummary summary =
        of(Made.of("abc", 3).add(0, 10, "a").add(2, 5, "four").add(2, -1, "b"));
    assertThat(summary.digest()).isEqualTo("abc");
    assertThat(summary.records()).containsEntry(0, 1L).containsEntry(1, 0L).containsEntry(2, 2L);
    assertThat(summary.total()).isEqualTo(3);
    assertThat(summary.partitions()).isEqualTo(3);
    assertThat(summary.oldest()).isEqualTo(5);
    assertThat(summary.newest()).isEqualTo(10);
    assertThat(summary.largest()).isEqualTo(new RecordingSummary.Largest(2, 10, 4));
  }

  /** The name goes to whoever may list groups: it must not confirm a guess of what records hold. */
  @Test
  void namesARecordingByWhereItIsFromAndNotByWhatItHolds() {
    String name = of(Made.of("abc", 2).add(0, 1, "a")).identity();
    assertThat(name).hasSize(64).doesNotContain("abc");
    assertThat(of(Made.of("abc", 2).add(0, 1, "other")).identity()).isEqualTo(name);
    assertThat(of(Made.of("def", 2).add(0, 9, "a")).identity()).isEqualTo(name);
    assertThat(of(Made.of("abc", 2).add(1, 1, "a")).identity()).isNotEqualTo(name);
    assertThat(of(Made.of("abc", 2).add(0, 1, "a").add(0, 1, "a")).identity()).isNotEqualTo(name);
    assertThat(of(Made.of("abc", 3).add(0, 1, "a")).identity()).isNotEqualTo(name);
  }

  @Test
  void refusesARecordingOfNothing() {
    assertThatThrownBy(() -> of(Made.of("d", 0)))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining("nothing to play");
  }
}
