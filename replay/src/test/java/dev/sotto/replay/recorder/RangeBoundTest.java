package dev.sotto.replay.recorder;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of ranges are read as they are written, and a request reads the same however it was put. */
class RangeBoundTest {
  @Test
  void readsEveryForm() {
    assertThat(RangeBound.of("earliest")).isEqualTo(new RangeBound.Earliest());
    assertThat(RangeBound.of("latest")).isEqualTo(new RangeBound.Latest());
    assertThat(RangeBound.of("0012")).isEqualTo(new RangeBound.Offset(12));
    assertThat(RangeBound.of("2:5,0:7")).isEqualTo(new RangeBound.Offsets(Map.of(0, 7L, 2, 5L)));
    assertThat(RangeBound.of("2026-01-31T12:00:00Z"))
        .isEqualTo(new RangeBound.Time(Instant.parse("2026-01-31T12:00:00Z")));
    assertThat(new RecordRequest("t", RangeBound.of("2:5,0:7"), RangeBound.of("9"), Set.of(2, 0)))
        .hasToString("0:7,2:5 to 9 of partitions [0, 2]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1:", "1:2,", "0:1,0:2", "2026-01-31", "99999999999999999999"})
  void refusesEverythingElse(String text) {
    assertThatThrownBy(() -> RangeBound.of(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
