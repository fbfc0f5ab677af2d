package dev.sotto.app.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NearestTest {
  @Test
  void countsInsertionsDeletionsReplacementsAndSwaps() {
    assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    assertThat(Nearest.distance("abc", "abc")).isZero();
    assertThat(Nearest.distance("abc", "acb")).isEqualTo(1);
    assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(Nearest.distance("ca", "abc")).isEqualTo(3);
  }

  @Test
  void prefersTheNearestAndKnowsWhenNoneIsNear() {
    assertThat(Nearest.of("threds", List.of("thread", "threads"))).isEqualTo("threads");
    assertThat(Nearest.of("abc", List.of("xyz"))).isNull();
    assertThat(Nearest.of("abc", List.of())).isNull();
  }
}
