package dev.sotto.app.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import org.junit.jupiter.api.Test;

class PreflightFindingsTest {
  private static PreflightFindings findings() {
    PreflightFindings findings = new PreflightFindings();
    findings.ok("cluster", "1 broker");
    findings.warning("time", "1 h", "2 h", "more");
    findings.note("volume", "3 GB a day");
    findings.fault("ledger", "1 partition", "2", "add one");
    findings.ok("group", "no member");
    return findings;
  }

  @Test
  void numbersAndCountsItsFindingsForPrograms() {
    assertThat(JsonRenderer.of(findings().describe()))
        .startsWith("{\"faults\":1,\"warnings\":1,\"findings\":["
            + "{\"number\":1,\"level\":\"OK\",\"subject\":\"cluster\",\"found\":\"1 broker\","
            + "\"needed\":null,\"fix\":null},{\"number\":2,")
        .contains("{\"number\":3,\"level\":\"NOTE\",\"subject\":\"volume\"")
        .contains("{\"number\":4,\"level\":\"FAULT\",\"subject\":\"ledger\","
            + "\"found\":\"1 partition\",\"needed\":\"2\",\"fix\":\"add one\"}");
  }

  @Test
  void putsFaultsInFront() {
    assertThat(TextRenderer.of(findings().describe(), 96, false).lines())
        .containsExactly(
            "The learner cannot run like this: 1 fault, 1 warning. 2 checks are OK.",
            "FAULT    ledger: 1 partition",
            "         needed: 2",
            "         fix: add one",
            "WARNING  time: 1 h",
            "         needed: 2 h",
            "         fix: more",
            TextRenderer.MORE);
  }

  @Test
  void hasWhatIsOkAndWhatIsNoCheckInDetail() {
    assertThat(TextRenderer.of(findings().describe()).lines().skip(7))
        .containsExactly(
            "",
            "OK       cluster: 1 broker",
            "OK       group: no member",
            "",
            "NOTE     volume: 3 GB a day");
  }

  @Test
  void saysInOneLineThatAllIsWell() {
    PreflightFindings well = new PreflightFindings();
    well.ok("cluster", "1 broker");
    assertThat(TextRenderer.of(well.describe(), 96, false).lines())
        .containsExactly("The learner can run. 1 check is OK.", TextRenderer.MORE);
    well.warning("time", "1 h", "2 h", "more");
    assertThat(TextRenderer.of(well.describe(), 96, false))
        .startsWith("The learner can run, but look at 1 warning first. 1 check is OK.");
  }
}
