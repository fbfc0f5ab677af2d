package dev.sotto.app.reset;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.TopicPartition;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ResetPlanTest {
  /**
   * An offset goes behind the last record where that was set aside, and to it where it was not: one
   * bit of content.
   */
  @Test
  void saysThatItIsForInsiders(@TempDir Path folder) {
    ResetPlan plan = new ResetPlan(
        "app",
        folder,
        List.of("app-heads-changelog"),
        Map.of(new TopicPartition("events", 0), 7L),
        List.of("events-0 from offset 0: 1 ledger entries, then the open round"),
        List.of("app.ledger"));
    assertThat(TextRenderer.of(plan.describe()))
        .contains("goes to 7", "inside the trust boundary", "Do not publish it.");
    assertThat(JsonRenderer.of(plan.describe()))
        .matches("\\{\"app\":\"app\",\"folder\":\"[^\"]+\",\"topics\":\\[\"app-heads-changelog\"]"
            + ",\"offsets\":\\{\"events-0\":7},\"derived\":\\[\"events-0 from[^\"]+\"]"
            + ",\"kept\":\\[\"app.ledger\"],\"insideTheTrustBoundary\":\"This[^\"]+\"}");
  }
}
