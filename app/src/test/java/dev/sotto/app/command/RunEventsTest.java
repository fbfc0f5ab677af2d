package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.command.RunEvents.Form;
import dev.sotto.app.view.Screen;
import dev.sotto.app.view.StatusLine;
import dev.sotto.learner.description.Section;
import dev.sotto.topology.runtime.LearnerService;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;

class RunEventsTest {
  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();
  private final LoggerContext context = new LoggerContext();

  private RunEvents events(Form form) {
    return new RunEvents(
            form,
            Section.untitled().fact("app", "clicks").fact("instance", "host-1"),
            new PrintWriter(out),
            new StatusLine(new PrintWriter(errors), Screen.terminal(() -> 80)))
        .withWarnings(context);
  }

  @Test
  void takesTheFormThatWasAskedFor() {
    assertThat(Form.of(false, null)).isEqualTo(Form.TEXT);
    assertThat(Form.of(false, "files")).isEqualTo(Form.TEXT);
    assertThat(Form.of(true, null)).isEqualTo(Form.JSON);
    assertThat(Form.of(false, "json")).isEqualTo(Form.LOG);
    assertThat(Form.of(false, "stdout")).isEqualTo(Form.LOG);
    assertThat(Form.of(true, "json")).isEqualTo(Form.JSON_ALONE);
  }

  @Test
  void printsEachEventOnceAndTheLineBelow() {
    try (RunEvents events = events(Form.TEXT)) {
      events.now(List.of("now"));
      events.tell("running", "running: reads clicks 0", Section.untitled().fact("n", 1));
      context.getLogger("dev.sotto.x").warn("a thread failed");
    }
    assertThat(out.toString()).isEmpty();
    assertThat(errors.toString())
        .containsOnlyOnce("running: reads clicks 0")
        .containsOnlyOnce("WARN  a thread failed")
        .contains("now");
  }

  @Test
  void printsALineOfJsonForEachEventWithWhoItIs() throws IOException {
    try (RunEvents events = events(Form.JSON)) {
      events.now(List.of("now"));
      events.tell("version", "published version 3", Section.untitled().fact("version", 3));
      context.getLogger("dev.sotto.x").warn("a thread failed");
      context.getLogger("dev.sotto.x").info("quiet");
    }
    assertThat(errors.toString()).isEmpty();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(2);
    JsonNode version = new ObjectMapper().readTree(lines.get(0));
    assertThat(version.get("time").asText()).matches("\\d{4}-.*Z");
    assertThat(version.get("app").asText()).isEqualTo("clicks");
    assertThat(version.get("instance").asText()).isEqualTo("host-1");
    assertThat(version.get("event").asText()).isEqualTo("version");
    assertThat(version.get("text").asText()).isEqualTo("published version 3");
    assertThat(version.get("version").asInt()).isEqualTo(3);
    JsonNode warning = new ObjectMapper().readTree(lines.get(1));
    assertThat(warning.get("event").asText()).isEqualTo("warn");
    assertThat(warning.get("text").asText()).isEqualTo("a thread failed");
  }

  @Test
  void leavesItToTheLogWhereThatGoesToStandardOutput() {
    try (RunEvents events = events(Form.LOG)) {
      events.now(List.of("now"));
      events.tell("running", "running");
      context.getLogger("dev.sotto.x").warn("a thread failed");
    }
    assertThat(out + "" + errors).isEmpty();
  }

  /** The command's last line says it. */
  @Test
  void doesNotRepeatWhyItStops() {
    try (RunEvents events = events(Form.TEXT)) {
      events.tell("closing", "closing");
      context.getLogger("dev.sotto.x").error(LearnerService.STOPPING, "why");
      context.getLogger("dev.sotto.x").error("a thread ended by {}", "X");
    }
    assertThat(errors.toString().lines()).containsExactly("closing", "ERROR a thread ended by X");
  }
}
