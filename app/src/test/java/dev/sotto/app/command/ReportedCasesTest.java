package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.function.DoubleFunction;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files as people have reported them, of other programs too: each gives the model of the same events
 * in plain JSON, or a word that says what is wrong.
 */
class ReportedCasesTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<String, JsonNode> EXPECTED = new HashMap<>();
  private static final int ROWS = 480;

  private static final String YAML = """
      app.id: cases
      bootstrap.servers: localhost:9092
      events.topic: cases
      layout: direct
      label.field: y
      batch.size: 48
      release.every.slots: 96
      privacy.epsilon: 200
      privacy.delta: 1e-6
      noise.key.file: none
      """;
  private static final String LOGISTIC = "loss: logistic\n";
  private static final String NUMBER =
      LOGISTIC + "features.numeric.x: {field: x, min: -1, max: 1}\n";
  private static final String CATEGORY =
      LOGISTIC + "features.categorical.x: {field: x}\nfeatures.hash.bits: 4\n";

  @TempDir
  Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();

  /** How one writer writes the events: x between -1 and 1, y whether it is likely above 0. */
  private record Form(String name, String head, DoubleFunction<String> x, List<String> labels) {
    private static Form json(DoubleFunction<String> x, String zero, String one) {
      return new Form("events.jsonl", "", x, List.of(zero, one));
    }

    private static Form csv(String head, DoubleFunction<String> x, String zero, String one) {
      return new Form("events.csv", head + "\n", x, List.of(zero, one));
    }

    private String line(double x, int y) {
      String form = name.endsWith(".csv") ? "%s" + separator() + "%s" : "{\"x\":%s,\"y\":%s}";
      return String.format(form, this.x.apply(x), labels.get(y));
    }

    private String separator() {
      return head.contains(";") ? ";" : ",";
    }

    String text() {
      Random random = Seed.random(1);
      StringBuilder text = new StringBuilder(head);
      for (int i = 0; i < ROWS; i++) {
        double x = (random.nextInt(2001) - 1000) / 1000.0;
        text.append(line(x, random.nextDouble() < 1 / (1 + Math.exp(-8 * x)) ? 1 : 0))
            .append('\n');
      }
      return text.toString();
    }
  }

  private static String plain(double x) {
    return String.format(Locale.ROOT, "%.3f", x);
  }

  private static String quoted(double x) {
    return '"' + plain(x) + '"';
  }

  private static String comma(double x) {
    return plain(x).replace('.', ',');
  }

  private static String signed(double x) {
    return (x < 0 ? " " : " +") + plain(x) + "0 ";
  }

  private static final Form TRUTH = Form.json(ReportedCasesTest::plain, "0", "1");

  private static Arguments same(String name, String yaml, Form truth, Form form) {
    return Arguments.of(name, yaml, truth, form);
  }

  private static String version(double x) {
    return x < 0 ? "\"3.1\"" : "\"3.10\"";
  }

  private static String month(double x) {
    return String.valueOf(Math.abs(Math.round(10 * x)));
  }

  static Stream<Arguments> forms() {
    DoubleFunction<String> plain = ReportedCasesTest::plain;
    Form rating = Form.json(plain, "3.5", "4.5");
    String stars = NUMBER + "label.classes: [4.5]\n";
    String churned = NUMBER + "label.classes: [True]\n";
    String decimal = NUMBER + "events.comma: decimal\n";
    String blanks = NUMBER + "label.classes: [\" >50K\"]\n";
    return Stream.of(
        same("decimal comma", decimal, TRUTH, Form.csv("x;y", ReportedCasesTest::comma, "0", "1")),
        same(
            "decimal comma in JSON",
            decimal,
            TRUTH,
            Form.json(x -> '"' + comma(x) + '"', "0", "1")),
        same(
            "versions",
            CATEGORY,
            Form.json(ReportedCasesTest::version, "0", "1"),
            Form.csv("x,y", x -> version(x).replace("\"", ""), "0", "1")),
        same(
            "months with a zero",
            NUMBER.replace("min: -1, max: 1", "min: 0, max: 12"),
            Form.json(ReportedCasesTest::month, "0", "1"),
            Form.csv("x,y", x -> ("0" + month(x)).replaceFirst("^0(?=..)", ""), "0", "1")),
        same(
            "blanks behind commas",
            blanks,
            Form.json(plain, "\" <=50K\"", "\" >50K\""),
            Form.csv("x, y", ReportedCasesTest::signed, " <=50K", " >50K")),
        same("labels of -1 and 1", NUMBER, TRUTH, Form.json(plain, "-1", "1")),
        same("texts", NUMBER, TRUTH, Form.json(plain, "\"0\"", "\"1\"")),
        same("yes and no", NUMBER, TRUTH, Form.csv("x,y", plain, "no", "Yes")),
        same("T and F", NUMBER, TRUTH, Form.csv("x,y\r", plain, "F", "T")),
        same("true and false", NUMBER, TRUTH, Form.csv("x,y", plain, "FALSE", "true")),
        same("half stars", stars, rating, Form.csv("x,y", plain, "3.5", "4.50")),
        same("as texts", stars, rating, Form.json(plain, "\"3.5\"", "\"4.5\"")),
        same(
            "whole stars",
            NUMBER + "label.classes: [5.0]\n",
            Form.json(plain, "4", "5"),
            Form.csv("x,y", plain, "4.0", "5")),
        same(
            "booleans",
            churned,
            Form.json(plain, "false", "true"),
            Form.csv("x,y", plain, "FALSE", "TRUE")),
        same(
            "NaN that nobody reads",
            NUMBER,
            TRUTH,
            Form.json(x -> plain(x) + ",\"z\":NaN,\"w\":[-Infinity]", "0", "1")),
        same("quoted numbers", NUMBER, TRUTH, Form.json(ReportedCasesTest::quoted, "0", "\"1\"")),
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
    String key = yaml + truth.text();
    JsonNode expected = EXPECTED.containsKey(key) ? EXPECTED.get(key) : replay(truth, yaml);
    EXPECTED.put(key, expected);
    assertThat(expected.get("deadLetters").asLong()).isZero();
    assertThat(expected.get("accuracy").asDouble())
        .isGreaterThan(name.startsWith("months") ? 0.4 : 0.65);
    JsonNode found = replay(form, yaml);
    assertThat(found.get("deadLetters").asLong()).as("%s", errors).isZero();
    assertThat(found.get("snapshotDigest")).isEqualTo(expected.get("snapshotDigest"));
    assertThat(errors.toString()).doesNotContain("Labels:");
  }

  static Stream<Arguments> told() {
    DoubleFunction<String> plain = ReportedCasesTest::plain;
    return Stream.of(
        Arguments.of(
            "labels 1 and 2",
            NUMBER,
            Form.json(plain, "1", "2"),
            "the first 2: state label.classes"),
        Arguments.of(
            "a class never seen",
            NUMBER + "label.classes: [4.5, 9]\n",
            Form.csv("x,y", plain, "3.5", "4.50"),
            "no label was \"9\" (label.classes)"),
        Arguments.of(
            "a class in other letters",
            NUMBER + "label.classes: [Churned]\n",
            Form.csv("x,y", plain, "kept", "churned"),
            "no label was \"Churned\""),
        Arguments.of(
            "names",
            NUMBER.replace("logistic", "softmax") + "label.names: [kept, Churned]\n",
            Form.csv("x,y", plain, "kept", "churned"),
            "records were set aside since their label means nothing here, the first \"churned\""));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("told")
  void saysThatLabelsDoNotFit(String name, String yaml, Form form, String said) throws IOException {
    replay(form, yaml);
    assertThat(errors.toString()).contains("Labels: ", said);
  }

  @Test
  void setsAsideWhatIsReadAndNoNumber() throws IOException {
    Form nan = Form.json(x -> x > 0.5 ? "NaN" : plain(x), "0", "1");
    long some = replay(nan, NUMBER).get("deadLetters").asLong();
    assertThat(some).isBetween(1L, ROWS / 2L);
    Form commas = Form.csv("x;y", ReportedCasesTest::comma, "0", "1");
    Path config = Files.writeString(folder.resolve("sotto.yaml"), YAML + NUMBER);
    Path events = Files.writeString(folder.resolve(commas.name()), commas.text());
    assertThat(run("replay", events.toString(), "-c", config.toString(), "--throwaway-key"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("WRONG_TYPE 480 (field \"x\" must be a number");
  }

  private JsonNode replay(Form form, String yaml) throws IOException {
    Path config = Files.writeString(folder.resolve("sotto.yaml"), YAML + yaml);
    Path events = Files.writeString(folder.resolve(form.name()), form.text());
    assertThat(
            run("replay", events.toString(), "-c", config.toString(), "--throwaway-key", "--json"))
        .as("%s", errors)
        .isZero();
    return JSON.readTree(out.toString());
  }

  private int run(String... arguments) {
    out.getBuffer().setLength(0);
    errors.getBuffer().setLength(0);
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(arguments);
  }

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
    assertThat(init(Form.csv("x;y", ReportedCasesTest::comma, "0", "1")))
        .contains("events.comma: decimal", "x: {field: x, min: -1, max: 1");
    assertThat(init(Form.csv("x, y", ReportedCasesTest::signed, "0", "1")))
        .contains("x: {field: x, min: -1, max: 1", "label.field: y")
        .doesNotContain("events.comma");
    assertThat(init(Form.json(ReportedCasesTest::quoted, "\"0\"", "\"1\"")))
        .contains("x: {field: x, min: -1, max: 1");
    assertThat(init(Form.csv("a.x,y", ReportedCasesTest::plain, "0", "1")))
        .contains("x: {field: a.x, min: -1, max: 1");
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
