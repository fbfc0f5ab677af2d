package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyUnit;
import java.util.List;
import org.junit.jupiter.api.Test;

class LedgerEntryJsonTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private static JsonNode ledger(double mu, double budget, double metricsRatio)
      throws JsonProcessingException {
    LedgerEntry entry = new LedgerEntry(
        5,
        new byte[32],
        "late",
        new byte[16],
        2,
        4,
        7,
        "private-ftrl",
        1,
        2,
        8,
        mu * 4,
        Guarantee.of(PrivacyUnit.KEY, Adjacency.REPLACE_ONE, "blt", mu, mu, 1e-6),
        budget,
        0,
        false,
        700,
        0,
        List.of(),
        new byte[32],
        new byte[32],
        "key",
        2,
        new LedgerEntry.Terms(
            "omega=1 theta=2",
            "budgeted mu=0x1.0p0",
            "doubling 8",
            metricsRatio,
            "gaussian-dp",
            0.5,
            64,
            0));
    return JSON.readTree(JsonRenderer.of(RecordDescriptions.entry(entry)));
  }

  @Test
  void tellsTheTermsBehindTheFigures() throws JsonProcessingException {
    JsonNode entry = ledger(0.5, 4, 0.25);
    assertThat(entry.get("generation").asInt()).isEqualTo(2);
    assertThat(entry.get("guarantee").get("unit").asText()).isEqualTo("key");
    JsonNode terms = entry.get("terms");
    assertThat(terms.get("accountant").asText()).isEqualTo("gaussian-dp");
    assertThat(terms.get("spentMu").asDouble()).isEqualTo(0.5);
    assertThat(terms.get("participation").asText()).isEqualTo("budgeted mu=0x1.0p0");
    assertThat(terms.get("generations").asText()).isEqualTo("doubling 8");
    assertThat(terms.get("mechanismParameters").asText()).isEqualTo("omega=1 theta=2");
    assertThat(terms.get("metricsRatio").asDouble()).isEqualTo(0.25);
    assertThat(terms.get("metricsExact").asBoolean()).isFalse();
  }

  @Test
  void hasNoFiguresWhereNothingIsPromised() throws JsonProcessingException {
    JsonNode entry =
        ledger(Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY, Double.POSITIVE_INFINITY);
    for (String name : List.of("mu", "epsilon", "muLimit", "epsilonLimit")) {
      assertThat(entry.get("guarantee").get(name).isNull()).as(name).isTrue();
    }
    assertThat(entry.get("matrixSensitivity").isNull()).isTrue();
    assertThat(entry.get("budgetEpsilon").isNull()).isTrue();
    assertThat(entry.get("terms").get("metricsRatio").isNull()).isTrue();
    assertThat(entry.get("terms").get("metricsExact").asBoolean()).isTrue();
  }
}
