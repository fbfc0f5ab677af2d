package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import dev.sotto.client.MadeVersion;
import dev.sotto.learner.example.NormRule;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.topology.start.ModelFiles;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Predictions from files alone. */
class PredictCommandTest {
  private static final double YES = 1 / (1 + Math.exp(-2.0)); // bias 0, x = 1, weight 2

  @TempDir
  private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();

  private int run(Object... arguments) {
    out.getBuffer().setLength(0);
    errors.getBuffer().setLength(0);
    String[] texts = new String[arguments.length];
    for (int i = 0; i < texts.length; i++) {
      texts[i] = arguments[i].toString();
    }
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(texts);
  }

  private Path model(String loss, LabelRule rule, double... weights) throws IOException {
    String features = FeatureMap.builder()
            .norm(NormRule.CLIP)
            .bias(false)
            .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
            .label("y", rule)
            .build()
            .describe()
        + "events json\nmax-bytes 1000\n";
    Path file = folder.resolve("model");
    ModelFiles.write(file, MadeVersion.of("m", 3, weights, features, loss).starting());
    return file;
  }

  private Path file(String name, String... lines) throws IOException {
    return Files.write(folder.resolve(name), List.of(lines));
  }

  @Test
  void printsALineOfJsonForEachEvent() throws IOException {
    Path events = file("e.jsonl", "{\"x\":1}", "{\"x\":\"a\"}", "{}");
    assertThat(run("predict", events, "--model-file", model("logistic", new LabelRule.AsItIs(), 2)))
        .isZero();
    assertThat(out.toString().lines())
        .containsExactly(
            "{\"partition\":0,\"offset\":0,\"version\":3,\"prediction\":" + YES + "}",
            "{\"partition\":0,\"offset\":1,\"version\":3,\"unusable\":\"WRONG_TYPE\","
                + "\"reason\":\"a field has the wrong type\","
                + "\"field\":\"field \\\"x\\\" must be a number, but is a text\"}",
            "{\"partition\":0,\"offset\":2,\"version\":3,\"unusable\":\"MISSING_FIELD\","
                + "\"reason\":\"a required field is missing\","
                + "\"field\":\"field \\\"x\\\" must be a number, but is missing\"}");
    assertThat(errors).asString().doesNotContain("warning");
    assertThat(errors).asString().contains("m@3 (epsilon", "predicted for 1 of 3 events");
  }

  /** A column that was renamed counts as missing in all rows: that is said, and what it is now. */
  @Test
  void warnsOfFieldsThatNoEventHas() throws IOException {
    String features = FeatureMap.builder()
            .bias(false)
            .numeric("x", "x", -1, 1, Transform.IDENTITY, true)
            .numeric("income", "home.income", -1, 1, Transform.IDENTITY, true)
            .label("y", new LabelRule.AsItIs())
            .build()
            .describe()
        + "events json\nmax-bytes 1000\n";
    Path model = folder.resolve("optional");
    ModelFiles.write(
        model, MadeVersion.of("m", 3, new double[] {2, 1}, features, "logistic").starting());
    Path renamed = file("r.jsonl", "{\"x\":1,\"home\":{\"incomes\":1}}", "{\"x\":null}");
    assertThat(run("predict", renamed, "--model-file", model)).isZero();
    assertThat(errors)
        .asString()
        .contains("warning: none of 2 events has the field home.income (there is home.incomes)");
    Path whole = file("w.jsonl", "{\"x\":1}", "{broken", "{\"home\":{\"income\":null}}");
    assertThat(run("predict", whole, "--model-file", model)).isZero();
    assertThat(errors).asString().doesNotContain("warning");
  }

  @Test
  void printsClassesWithTheirProbabilitiesAsCsv() throws IOException {
    Path events = file("e.csv", "id,x", "a,1", "\"b,c\",");
    LabelRule names = new LabelRule.Names(List.of("no", "ye,s"));
    Path model = model("softmax(2)", names, 0, 2);
    assertThat(run("predict", events, "--model-file", model, "--csv", "--key-field", "id"))
        .isZero();
    List<String> lines = out.toString().lines().toList();
    assertThat(lines).hasSize(3);
    assertThat(lines.get(0))
        .isEqualTo("partition,offset,key,version,prediction,probability,unusable,"
            + "probability0,probability1");
    assertThat(lines.get(1)).startsWith("0,0,a,3,\"ye,s\",0.88").contains(",,0.11", ",0.88");
    assertThat(lines.get(2)).isEqualTo("0,1,\"b,c\",3,,,MISSING_FIELD,,");
  }

  /** A category is the text of a cell, a number is a number however it is written, as in JSON. */
  @Test
  void predictsOfCellsWhatItPredictsOfTheSameTexts() throws IOException {
    String features = FeatureMap.builder()
            .hashBits(6)
            .numeric("x", "x", 0, 12, Transform.IDENTITY, false)
            .categorical("v", "v", false)
            .label("y", new LabelRule.AsItIs())
            .build()
            .describe()
        + "events json\nmax-bytes 1000\n";
    double[] weights = new double[66];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = 0.01 * (i + 1);
    }
    Path model = folder.resolve("model");
    ModelFiles.write(
        model, MadeVersion.of("m", 3, weights, features, "logistic").starting());
    Path cells = file("e.csv", "v,x", "3.1,09", "3.10,09", "3.1, +9.0", "\"007\",9.", "true,9e0");
    Path texts = file(
        "e.jsonl",
        "{\"v\":\"3.1\",\"x\":\"09\"}",
        "{\"v\":\"3.10\",\"x\":9}",
        "{\"v\":\"3.1\",\"x\":\" +9.0\"}",
        "{\"v\":\"007\",\"x\":9.0}",
        "{\"v\":\"true\",\"x\":\"9e0\"}");
    assertThat(run("predict", cells, "--model-file", model)).as("%s", errors).isZero();
    List<String> ofCells = out.toString().lines().toList();
    assertThat(run("predict", texts, "--model-file", model)).as("%s", errors).isZero();
    assertThat(ofCells).hasSize(5).isEqualTo(out.toString().lines().toList());
    assertThat(prediction(ofCells.get(0)))
        .isEqualTo(prediction(ofCells.get(2)))
        .isNotEqualTo(prediction(ofCells.get(1)));
  }

  private static String prediction(String line) {
    return line.substring(line.indexOf("\"prediction\":"));
  }

  @Test
  void givesBoundedLabelsInTheirUnit() throws IOException {
    Path events = file("e.jsonl", "{\"x\":1}");
    Path model = model("squared", new LabelRule.Range(10, 30), 0.25);
    assertThat(run("predict", events, "--model-file", model)).isZero();
    assertThat(out).asString().contains("\"prediction\":15.0}");
  }

  @Test
  void putsEventsIntoTheirLines() throws IOException {
    Path events = file("e.jsonl", "{\"x\":1, \"id\":\"\\n\"}", "{\"x");
    Path model = model("logistic", new LabelRule.AsItIs(), 2);
    assertThat(run("predict", events, "--model-file", model, "--with-event")).isZero();
    assertThat(out.toString().lines().toList().get(0))
        .endsWith(",\"event\":{\"x\":1, \"id\":\"\\n\"}}");
    assertThat(out.toString().lines().toList().get(1)).endsWith(",\"event\":\"{\\\"x\"}");
  }

  @Test
  void saysWhatIsWrong() throws IOException {
    Path events = file("e.jsonl", "{\"z\":1}");
    Path model = model("logistic", new LabelRule.AsItIs(), 2);
    assertThat(run("predict", events, "--model-file", model)).isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors).asString().contains("0 of 1 events", "MISSING_FIELD 1", "fields: x");
    assertThat(run("predict", "--model-file", model)).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors).asString().contains("events are not named");
    assertThat(run("predict", events)).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors).asString().contains("--app-id, or --model-file");
    assertThat(run("predict", events, "--topic", "t", "--model-file", model))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(run("predict", events, "--model-file", events))
        .isEqualTo(ExitCode.UNVERIFIED.code());
    assertThat(errors).asString().contains("no exported model", "it lacks format");
    assertThat(run("predict", events, "--model-file", file("m.bin", "neither")))
        .isEqualTo(ExitCode.UNVERIFIED.code());
    assertThat(errors).asString().contains("no model file");
    Path future = model("tweedie(3)", new LabelRule.AsItIs(), 2);
    assertThat(run("predict", events, "--model-file", future))
        .isEqualTo(ExitCode.UNVERIFIED.code());
    assertThat(errors).asString().contains("tweedie(3)", "newer");
  }

  @Test
  void saysWhatUnreadableEventsLookLike() throws IOException {
    Path events = folder.resolve("e.jsonl");
    byte[] framed = "\u0000\u0000\u0000\u0000\u0007{\"x\":1}\n".getBytes(StandardCharsets.UTF_8);
    Files.write(events, framed);
    assertThat(run("predict", events, "--model-file", model("logistic", new LabelRule.AsItIs(), 2)))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors)
        .asString()
        .contains(
            "not for: UNREADABLE 1", "serializers of a schema registry", "after them is JSON");
  }
}
