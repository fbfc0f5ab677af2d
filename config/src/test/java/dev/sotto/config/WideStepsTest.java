package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.key.NoiseKey;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which plans may take steps beyond the worst curvature. */
class WideStepsTest {
  private static String steps(String... flags) {
    return SottoConfig.load(ConfigSource.of("a test", """
            app.id: wide
            events: {topic: t, format: json}
            features.categorical.a: {field: a}
            label.field: y
            loss: logistic
            privacy: {epsilon: 16, delta: 1e-6}
            """)
            .withNoiseKey(NoiseKey.of(new byte[32]))
            .withEmbedded(true)
            .withFlags(List.of(flags)))
        .learner()
        .plan()
        .steps();
  }

  /** Only wide models, and only where rounds are larger than the noise asks for. */
  @Test
  void raisesStepsOfWideModelsInLargeRoundsOnly() {
    String large = "batch.size=4096";
    assertThat(steps("features.hash.bits=12", large)).contains("raise=");
    assertThat(steps("features.hash.bits=16")).contains("raise=");
    assertThat(steps("features.hash.bits=11", large)).doesNotContain("raise=");
    assertThat(steps()).doesNotContain("raise=");
    assertThat(steps("features.hash.bits=12", "privacy.epsilon=0.1", "batch.size=16"))
        .doesNotContain("raise=");
    assertThat(steps("features.hash.bits=12", large, "layout=rounds", "rounds.lag=1"))
        .doesNotContain("raise=");
  }
}
