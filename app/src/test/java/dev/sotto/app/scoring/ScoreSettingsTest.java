package dev.sotto.app.scoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.client.ModelChoice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ScoreSettingsTest {
  private static ScoreSettings settings(String to, Optional<String> deadLetters) {
    return new ScoreSettings(
        Map.of("bootstrap.servers", "unused:1"),
        new ScoreSettings.Model("visits", new ModelChoice.Newest(null)),
        new ScoreSettings.Topics("visits", to, deadLetters),
        new ScoreSettings.Streams("id", 1, false, (short) 1),
        new EventSchemas(List.of(), Optional.empty()));
  }

  /** A ledger with one record that is no entry can never be gone on with. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "visits.ledger",
        "visits.snapshots",
        "visits.aliases",
        "visits.dead-letters",
        "visits.order",
        "visits.sums",
        "visits-units-changelog"
      })
  void writesToNoTopicOfTheLearner(String own) {
    assertThatThrownBy(() -> settings(own, Optional.empty()))
        .hasMessageContaining("none of the learner's own topics, but " + own + " is one");
    assertThatThrownBy(() -> settings("predictions", Optional.of(own)))
        .hasMessageContaining("none of the learner's own topics, but " + own + " is one");
  }

  @Test
  void writesToTopicsThatOnlyBeginWithItsName() {
    ScoreSettings all = settings("visits.predictions", Optional.of("visits.unusable"));
    assertThat(all.topics().to()).isEqualTo("visits.predictions");
  }
}
