package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Numbers and names of fields in forms that people have reported. */
class ReportedNumbersTest extends ReportedCases {
  static Stream<Arguments> forms() {
    DoubleFunction<String> plain = ReportedCases::plain;
    String decimal = NUMBER + "events.comma: decimal\n";
    return Stream.of(
        same("decimal comma", decimal, TRUTH, Form.csv("x;y", ReportedCases::comma, "0", "1")),
        same(
            "decimal comma in JSON",
            decimal,
            TRUTH,
            Form.json(x -> '"' + comma(x) + '"', "0", "1")),
        same(
            "versions",
            CATEGORY,
            Form.json(ReportedCases::version, "0", "1"),
            Form.csv("x,y", x -> version(x).replace("\"", ""), "0", "1")),
        same(
            "months with a zero",
            NUMBER.replace("min: -1, max: 1", "min: 0, max: 12"),
            Form.json(ReportedCases::month, "0", "1"),
            Form.csv("x,y", x -> ("0" + month(x)).replaceFirst("^0(?=..)", ""), "0", "1")),
        same(
            "NaN that nobody reads",
            NUMBER,
            TRUTH,
            Form.json(x -> plain(x) + ",\"z\":NaN,\"w\":[-Infinity]", "0", "1")),
        same("quoted numbers", NUMBER, TRUTH, Form.json(ReportedCases::quoted, "0", "\"1\"")),
        same("equal names", NUMBER, TRUTH, Form.json(x -> "7,\"x\":" + plain(x), "0", "1")),
        same(
            "a name with a dot",
            NUMBER.replace("field: x", "field: a.x"),
            Form.json(x -> "0,\"a\":{\"x\":" + plain(x) + "}", "0", "1"),
            Form.csv("a.x,y,a", plain, "0,7", "1,7")),
        same(
            "such names in JSON",
            NUMBER.replace("field: x", "field: a.x"),
            Form.json(x -> "0,\"a\":{\"x\":" + plain(x) + "}", "0", "1"),
            Form.json(x -> "0,\"a.x\":" + plain(x) + ",\"a\":{\"x\":7},\"..\":1", "0", "1")));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("forms")
  void givesTheModelOfThePlainForm(String name, String yaml, Form truth, Form form)
      throws IOException {
    requireModelOfThePlainForm(name, yaml, truth, form);
  }

  /** By their texts 7.0 and 7.00 are two people, each with a bound of its own. */
  @Test
  void tellsTheUnitsOfCellsApartAsThoseOfTexts() throws IOException {
    String yaml = NUMBER + """
        unit.from: field
        unit.field: u
        privacy.unit: key
        privacy.contribution.rounds: 2
        """;
    Form texts = Form.json(x -> plain(x) + ",\"u\":\"" + unit(x) + '"', "0", "1");
    Form cells = Form.csv("x,u,y", x -> plain(x) + "," + unit(x), "0", "1");
    Form asNumbers = Form.csv("x,u,y", x -> plain(x) + "," + unit(Math.abs(x)), "0", "1");
    JsonNode expected = replay(texts, yaml).get("snapshotDigest");
    assertThat(replay(cells, yaml).get("snapshotDigest")).isEqualTo(expected);
    assertThat(replay(asNumbers, yaml).get("snapshotDigest")).isNotEqualTo(expected);
  }

  private static String unit(double x) {
    return Math.round(20 * Math.abs(x)) + (x < 0 ? ".0" : ".00");
  }

  @Test
  void setsAsideWhatIsReadAndNoNumber() throws IOException {
    Form nan = Form.json(x -> x > 0.5 ? "NaN" : plain(x), "0", "1");
    long some = replay(nan, NUMBER).get("deadLetters").asLong();
    assertThat(some).isBetween(1L, ROWS / 2L);
    Form commas = Form.csv("x;y", ReportedCases::comma, "0", "1");
    Path config = Files.writeString(folder.resolve("sotto.yaml"), YAML + NUMBER);
    Path events = Files.writeString(folder.resolve(commas.name()), commas.text());
    assertThat(run("replay", events.toString(), "-c", config.toString(), "--throwaway-key"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("WRONG_TYPE 480 (field \"x\" must be a number");
  }
}
