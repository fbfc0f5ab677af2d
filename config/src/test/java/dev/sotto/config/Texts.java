package dev.sotto.config;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Configurations for tests, and where the checkout is. */
final class Texts {
  static final String DIGITS = "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff";
  static final Map<String, String> KEY = Map.of("SOTTO_NOISE_KEY", DIGITS);

  /** Valid with {@link #KEY}. */
  static final String VALID = """
      app.id: test
      bootstrap.servers: localhost:9092
      events.topic: events
      features.numeric.x: {field: x, min: -1, max: 1}
      label.field: y
      loss: logistic
      privacy:
        epsilon: 2
        delta: 1e-6
        horizon.rounds: 1000
      noise.key.env: SOTTO_NOISE_KEY
      """;

  private Texts() {}

  static ConfigSource source(String yaml) {
    return ConfigSource.of("test.yaml", yaml).withEnvironment(KEY);
  }

  /** A valid configuration with more lines. */
  static SottoConfig load(String... more) {
    return SottoConfig.load(source(VALID + String.join("\n", more)));
  }

  /** A valid configuration with flags over it. */
  static SottoConfig flagged(String... flags) {
    return SottoConfig.load(source(VALID).withFlags(List.of(flags)));
  }

  /** The folder of the whole checkout. */
  static Path home() {
    return Path.of(System.getProperty("basedir", "."), "..").normalize();
  }
}
