package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.replay.recording.RecordingFault;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;

class SurveyTest {
  private static Survey of(Made recording) {
    return Survey.of(recording, PlayProgress.NONE);
  }

  @Test
  void tellsWhatARecordingHolds() {
    Survey survey = of(Made.of("abc", 3).add(0, 10, "a").add(2, 5, "four").add(2, -1, "b"));
    assertThat(survey.digest()).isEqualTo("abc");
    assertThat(survey.records()).containsEntry(0, 1L).containsEntry(1, 0L).containsEntry(2, 2L);
    assertThat(survey.total()).isEqualTo(3);
    assertThat(survey.partitions()).isEqualTo(3);
    assertThat(survey.oldest()).isEqualTo(5);
    assertThat(survey.newest()).isEqualTo(10);
    assertThat(survey.largest()).isEqualTo(new Survey.Largest(2, 10, 4));
  }

  /** Equal contents, equal name; anything else, another. */
  @Test
  void namesARecordingWithoutADigestByWhatItHolds() {
    RecordHeaders none = new RecordHeaders();
    RecordHeaders one = new RecordHeaders(List.of(new RecordHeader("h", new byte[] {1})));
    RecordHeaders empty = new RecordHeaders(List.of(new RecordHeader("h", null)));
    byte[] value = {7};
    Set<String> digests = new HashSet<>();
    digests.add(of(Made.of("", 2).add(0, 1, value, none)).digest());
    digests.add(of(Made.of("", 2).add(0, 1, value, none)).digest());
    assertThat(digests).hasSize(1);
    digests.add(of(Made.of("", 2).add(0, 2, value, none)).digest());
    digests.add(of(Made.of("", 2).add(1, 1, value, none)).digest());
    digests.add(of(Made.of("", 2).add(0, 1, new byte[] {8}, none)).digest());
    digests.add(of(Made.of("", 2).add(0, 1, null, none)).digest());
    digests.add(of(Made.of("", 2).add(0, 1, new byte[0], none)).digest());
    digests.add(of(Made.of("", 2).add(0, 1, value, one)).digest());
    digests.add(of(Made.of("", 2).add(0, 1, value, empty)).digest());
    digests.add(of(Made.of("", 2).add(0, 1, value, none).add(0, 1, value, none)).digest());
    assertThat(digests).hasSize(9);
  }

  @Test
  void refusesARecordingOfNothing() {
    assertThatThrownBy(() -> of(Made.of("d", 0)))
        .isInstanceOf(RecordingFault.class)
        .hasMessageContaining("nothing to play");
  }
}
