package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class MergedRecordsTest {
  private final Made recording = Made.of("d", 3)
      .add(0, 10, "a")
      .add(0, 30, "d")
      .add(0, 5, "e") // late: not before what stands before it
      .add(1, 20, "b")
      .add(1, 20, "c")
      .add(1, 40, "f");

  private List<String> played(Map<Integer, Long> skipped) {
    List<String> all = new ArrayList<>();
    try (MergedRecords records = new MergedRecords(recording, skipped, each -> {})) {
      while (records.next()) {
        all.add(records.partition() + new String(records.record().value(), StandardCharsets.UTF_8));
      }
    }
    return all;
  }

  @Test
  void takesTheOldestNextAndKeepsEachPartitionsOrder() {
    assertThat(played(Map.of())).containsExactly("0a", "1b", "1c", "0d", "0e", "1f");
  }

  @Test
  void passesOverWhatWasPlayed() {
    assertThat(played(Map.of(0, 1L, 1, 2L))).containsExactly("0d", "0e", "1f");
    assertThat(played(Map.of(0, 3L, 1, 3L))).isEmpty();
    assertThat(played(Map.of(0, 9L))).containsExactly("1b", "1c", "1f");
  }

  @Test
  void showsWhatItPassesOver() {
    List<Long> passed = new ArrayList<>();
    try (MergedRecords records =
        new MergedRecords(recording, Map.of(0, 2L), each -> passed.add(each.offset()))) {
      assertThat(records.next()).isTrue();
    }
    assertThat(passed).containsExactly(10L, 12L);
  }
}
