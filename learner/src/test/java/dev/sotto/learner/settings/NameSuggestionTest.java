package dev.sotto.learner.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class NameSuggestionTest {
  @Test
  void countsInsertionsDeletionsReplacementsAndSwaps() {
    assertThat(NameSuggestion.distance("", "abc")).isEqualTo(3);
    assertThat(NameSuggestion.distance("abc", "abc")).isZero();
    assertThat(NameSuggestion.distance("abc", "acb")).isEqualTo(1);
    assertThat(NameSuggestion.distance("kitten", "sitting")).isEqualTo(3);
    assertThat(NameSuggestion.distance("ca", "abc")).isEqualTo(3);
  }

  @Test
  void prefersTheNearestAndKnowsWhenNoneIsNear() {
    assertThat(NameSuggestion.of("threds", List.of("thread", "threads"))).isEqualTo("threads");
    assertThat(NameSuggestion.of("abc", List.of("xyz"))).isNull();
    assertThat(NameSuggestion.of("abc", List.of())).isNull();
  }
}
