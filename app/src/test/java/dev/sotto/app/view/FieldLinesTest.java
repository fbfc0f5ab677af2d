package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.description.Section;
import java.util.List;
import org.junit.jupiter.api.Test;

class FieldLinesTest {
  @Test
  void writesObjectsByTheirWholeNamesAndListsInWords() {
    Section section = Section.untitled()
        .fact("version", 12_288L)
        .object("guarantee", Section.untitled().fact("mu", 0.25).fact("limit", null))
        .fact("ranges", List.of(new OffsetRange(0, 5, 90_000), new OffsetRange(1, 0, 3)))
        .fact("features", "number a\nrange b\n")
        .fact("notes", List.of())
        .fact("digest", new byte[] {1, (byte) 0xff});
    assertThat(FieldLines.of(section))
        .containsExactly(
            "version       12,288",
            "guarantee.mu  0.25",
            "ranges        partition 0, from 5, to 90,000; partition 1, from 0, to 3",
            "features      number a" + System.lineSeparator() + "              range b",
            "notes         none",
            "digest        01ff");
    assertThat(FieldLines.of(section)).noneMatch(each -> each.matches(".*[{}\\[\\]].*"));
    assertThat(JsonRenderer.of(section)).contains("{"); // the twin: braces there are
  }
}
