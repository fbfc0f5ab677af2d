package dev.sotto.app.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import org.junit.jupiter.api.Test;

class PreflightFindingsTest {
  @Test
  void numbersAndCountsItsFindings() {
    PreflightFindings findings = new PreflightFindings();
    findings.ok("cluster", "1 broker");
    findings.fault("ledger", "1 partition", "2", "add one");
    assertThat(JsonRenderer.of(findings.describe()))
        .isEqualTo("{\"faults\":1,\"warnings\":0,\"findings\":["
            + "{\"number\":1,\"level\":\"OK\",\"subject\":\"cluster\",\"found\":\"1 broker\","
            + "\"needed\":null,\"fix\":null},"
            + "{\"number\":2,\"level\":\"FAULT\",\"subject\":\"ledger\",\"found\":\"1 partition\","
            + "\"needed\":\"2\",\"fix\":\"add one\"}]}");
    assertThat(TextRenderer.of(findings.describe()).lines())
        .containsExactly(
            "  1 OK       cluster: 1 broker",
            "  2 FAULT    ledger: 1 partition; needed: 2",
            "             fix: add one",
            "1 OK, 0 WARNING, 1 FAULT");
  }
}
