package dev.sotto.replay.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of ranges are read as they are written, and a request reads the same however it was put. */
class BoundTest {
  @Test
  void readsEveryForm() {
    assertThat(Bound.of("earliest")).isEqualTo(new Bound.Earliest());
    assertThat(Bound.of("latest")).isEqualTo(new Bound.Latest());
    assertThat(Bound.of("0012")).isEqualTo(new Bound.Offset(12));
    assertThat(Bound.of("2:5,0:7")).isEqualTo(new Bound.Offsets(Map.of(0, 7L, 2, 5L)));
    assertThat(Bound.of("2026-01-31T12:00:00Z"))
        .isEqualTo(new Bound.Time(Instant.parse("2026-01-31T12:00:00Z")));
    assertThat(new RecordRequest("t", Bound.of("2:5,0:7"), Bound.of("9"), Set.of(2, 0)))
        .hasToString("0:7,2:5 to 9 of partitions [0, 2]");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "-1", "1:", "1:2,", "0:1,0:2", "2026-01-31", "99999999999999999999"})
  void refusesEverythingElse(String text) {
    assertThatThrownBy(() -> Bound.of(text)).isInstanceOf(IllegalArgumentException.class);
  }
}
