package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Files with quotes that swallow rows, and samples in forms that people have reported. */
class ReportedFilesTest extends ReportedCases {
  @ParameterizedTest
  @MethodSource("quotes")
  void refusesAQuoteThatSwallowsRows(String last, String said) throws IOException {
    List<String> rows = new ArrayList<>(List.of("item,x,y"));
    for (int i = 0; i < 20; i++) {
      rows.add(i == 6 ? "\"bar 12,0.1,1" : "plain,0.5,0");
    }
    rows.add(last);
    Path events = Files.write(folder.resolve("events.csv"), rows);
    Path config = Files.writeString(folder.resolve("sotto.yaml"), YAML + NUMBER);
    assertThat(run("replay", events.toString(), "-c", config.toString(), "--throwaway-key"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("line 8: ", said);
  }

  static Stream<Arguments> quotes() {
    return Stream.of(
        Arguments.of("plain,0.5,0", "looks like a row"),
        Arguments.of("bar 12\",0.5,0", "looks like a row"));
  }

  @Test
  void makesAConfigurationOfNumbersInOtherForms() throws IOException {
    assertThat(init(Form.csv("x;y", ReportedCases::comma, "0", "1")))
        .contains("events.comma: decimal", "x: {field: x", "} # min: -1, max: 1");
    assertThat(init(Form.csv("x, y", ReportedCases::signed, "0", "1")))
        .contains("x: {field: x", "} # min: -1, max: 1", "label.field: y")
        .doesNotContain("events.comma");
    assertThat(init(Form.json(ReportedCases::quoted, "\"0\"", "\"1\"")))
        .contains("x: {field: x", "} # min: -1, max: 1");
    assertThat(init(Form.csv("a.x,y", ReportedCases::plain, "0", "1")))
        .contains("x: {field: a.x", "} # min: -1, max: 1");
    init(Form.json(x -> x > 0.5 ? "+1" : plain(x), "0", "1"));
    assertThat(errors.toString())
        .contains("records could not be read", "plus sign")
        .doesNotContain("Feature")
        .doesNotContain("ALLOW");
  }

  private String init(Form form) throws IOException {
    Path events = Files.writeString(folder.resolve(form.name()), form.text());
    assertThat(run("init", events.toString(), "--out", "-", "--label", "y", "--sample-is-public"))
        .as("%s", errors)
        .isZero();
    return out.toString();
  }
}
