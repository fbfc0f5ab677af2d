package dev.sotto.app.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RecordExplanationTest {
  private static final RecordPosition POSITION = new RecordPosition("events", 1, 7);

  @Test
  void hasAllFieldsInTheirOrder() {
    assertThat(JsonRenderer.of(
            new RecordExplanation(POSITION, RecordOutcome.NOT_BEGUN, true).describe()))
        .startsWith("{\"topic\":\"events\",\"partition\":1,\"offset\":7,\"fate\":\"NOT_BEGUN\","
            + "\"sentence\":\"learning has not begun with its partition\",\"gone\":true,"
            + "\"model\":null,\"firstRound\":null,\"round\":null,"
            + "\"slotsMissing\":null,\"awaited\":null,\"ledgerSequence\":null,\"version\":null,\"setAside\":null,"
            + "\"empty\":null,"
            + "\"insideTheTrustBoundary\":\"This answer is for inside");
  }

  @Test
  void saysWhatAnOpenRoundWaitsFor() {
    RecordExplanation explanation = new RecordExplanation(
            POSITION, RecordOutcome.IN_OPEN_ROUND, false)
        .model("late")
        .openRound(3, 2)
        .awaited(new TreeMap<>(Map.of(0, 2L)))
        .setAside("EMPTY (the record is empty)");
    assertThat(JsonRenderer.of(explanation.describe()))
        .contains("\"model\":\"late\",\"firstRound\":null,\"round\":3,\"slotsMissing\":2,"
            + "\"awaited\":{\"0\":2},\"ledgerSequence\":null,\"version\":null,"
            + "\"setAside\":\"EMPTY (the record is empty)\"");
    assertThat(TextRenderer.of(explanation.describe()).lines())
        .contains(
            "model     late",
            "round     3",
            "missing   2 slots until that round can close",
            "waits for partition 0: 2 more offsets");
    explanation.empty("NO_LABEL (no label came in time)");
    assertThat(TextRenderer.of(explanation.describe()).lines())
        .contains("empty     NO_LABEL (no label came in time): its slot counts as a zero vector");
  }
}
