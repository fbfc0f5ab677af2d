package dev.sotto.app.view;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StatusLineTest {
  private final StringWriter out = new StringWriter();
  private final AtomicInteger columns = new AtomicInteger(20);
  private final StatusLine line =
      new StatusLine(new PrintWriter(out), Screen.terminal(columns::get));

  /** What a terminal shows of it, line by line. */
  private List<String> seen() {
    StringBuilder all = new StringBuilder();
    for (String row : out.toString().split("\n", -1)) {
      StringBuilder shown = new StringBuilder();
      for (String again : row.split("\r", -1)) {
        shown.replace(0, Math.min(shown.length(), again.length()), again);
      }
      all.append(shown.toString().stripTrailing()).append('\n');
    }
    return all.toString().lines().toList();
  }

  @Test
  void drawsInPlaceAndKeepsLinesAbove() {
    line.show(List.of("version 1"));
    line.print("running");
    line.show(List.of("version 22"));
    line.show(List.of("v3"));
    assertThat(seen()).containsExactly("running", "v3");
    line.print("closing, and this is longer");
    line.close();
    assertThat(seen()).containsExactly("running", "closing, and this is longer", "");
  }

  @Test
  void takesTheLongestFormThatFitsAndNeverTheLastColumn() {
    List<String> forms = List.of("a".repeat(40), "b".repeat(19), "c".repeat(5));
    line.show(forms);
    assertThat(seen()).containsExactly("b".repeat(19));
    columns.set(41);
    line.show(forms);
    assertThat(seen()).containsExactly("a".repeat(40));
    columns.set(4);
    line.show(forms);
    assertThat(out.toString()).endsWith("ccc");
  }

  @Test
  void doesNotDrawWhatHasNotChanged() {
    line.show(List.of("same"));
    int before = out.toString().length();
    line.show(List.of("same"));
    assertThat(out.toString()).hasSize(before);
  }

  @Test
  void drawsNothingOnceClosedOrWithoutATerminal() {
    line.close();
    line.show(List.of("late"));
    StatusLine piped = new StatusLine(new PrintWriter(out), Screen.none());
    piped.show(List.of("now"));
    piped.print("running");
    assertThat(out.toString()).isEqualTo("running" + System.lineSeparator());
  }
}
