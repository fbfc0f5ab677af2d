package dev.sotto.evaluation.volume;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import java.util.List;
import java.util.Map;

/** Configurations under load, for tests. */
final class Loads {
  private static final String TEXT = """
      app.id: volume
      bootstrap.servers: localhost:9092
      events.topic: events
      events.format: example
      features.dimension: 4
      loss: logistic
      clip.norm: 1
      batch.size: 16
      privacy.epsilon: 2
      privacy.delta: 1e-6
      noise.key.env: SOTTO_NOISE_KEY
      """;

  private Loads() {}

  /** A configuration with these settings, as key=value. */
  static SottoConfig config(String... settings) {
    boolean json = List.of(settings).contains("events.format=json");
    String text = json ? TEXT.replace("features.dimension: 4\n", "") : TEXT;
    return SottoConfig.load(ConfigSource.of("test.yaml", text)
        .withEnvironment(Map.of("SOTTO_NOISE_KEY", "01".repeat(32)))
        .withFlags(List.of(settings)));
  }

  /** 10,000 events of 500 bytes a second for one model. */
  static VolumeScenario scenario(String... settings) {
    return scenario(1, settings);
  }

  static VolumeScenario scenario(int partitions, String... settings) {
    return scenario(partitions, 1, settings);
  }

  static VolumeScenario scenario(int partitions, long models, String... settings) {
    SottoConfig config = config(settings);
    long units = config.learner().keepsHistories() ? 1_000_000 : 0;
    return new VolumeScenario(
        config.learner(), config.service(), new Load(10_000, 500, partitions, models, units));
  }
}
