package dev.sotto.evaluation.plan;

import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.training.Plan;
import java.util.List;
import java.util.Map;

/** Plans for tests, as configurations give them. */
public final class Configured {
  private static final String TEXT = """
      app.id: test
      bootstrap.servers: localhost:9092
      events.topic: events
      features.numeric.x: {field: x, min: -1, max: 1}
      features.numeric.y: {field: y, min: -1, max: 1}
      label.field: z
      loss: logistic
      batch.size: 64
      privacy.epsilon: 2
      privacy.delta: 1e-6
      noise.key.env: SOTTO_NOISE_KEY
      """;

  private Configured() {}

  /** The plan of a small configuration with these settings, as key=value. */
  public static Plan plan(String... settings) {
    return plan(TEXT, List.of(settings));
  }

  /** The same without a round size, which algorithms that learn from blocks do not have. */
  public static Plan blocks(String... settings) {
    return plan(TEXT.replaceFirst("batch.size: 64\n", ""), List.of(settings));
  }

  private static Plan plan(String text, List<String> settings) {
    return SottoConfig.load(ConfigSource.of("test.yaml", text)
            .withEnvironment(Map.of("SOTTO_NOISE_KEY", "00".repeat(32)))
            .withFlags(settings))
        .learner()
        .plan();
  }

  /** Its scenario without metrics. */
  public static PlanScenario scenario(long horizon, String... settings) {
    return new PlanScenario(plan(settings), horizon, 0);
  }
}
