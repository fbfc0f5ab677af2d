package dev.sotto.app.predict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.sotto.client.Scorer;
import dev.sotto.client.ScoringModel;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.onnx.OnnxModel;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A directory of MLflow is loaded as MLflow loads one, by what its MLmodel says, and predicts what
 * the client predicts. MLflow itself is not there: its steps are in {@link #LOAD}.
 */
class MlflowModelTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectMapper YAML = new ObjectMapper(new YAMLFactory());

  private static final String LOAD = """
      import importlib, json, os, sys, yaml
      home = sys.argv[1]
      with open(os.path.join(home, "MLmodel")) as file:
          conf = yaml.safe_load(file)
      flavor = conf["flavors"]["python_function"]
      sys.path.insert(0, os.path.join(home, flavor["code"]))
      loader = importlib.import_module(flavor["loader_module"])
      model = loader._load_pyfunc(os.path.join(home, flavor["data"]))
      with open(os.path.join(home, conf["saved_input_example_info"]["artifact_path"])) as file:
          example = json.load(file)

      class Frame:  # what pandas would make of the example, and of events
          def __init__(self, columns, data):
              self.columns, self.data = columns, data
          def to_dict(self, orient):
              assert orient == "records"
              return [dict(zip(self.columns, row)) for row in self.data]

      def refused(rows, params=None):
          try:
              model.predict(rows, params)
          except loader.ModelError as why:
              return str(why)

      names = [each["name"] for each in json.loads(conf["signature"]["inputs"])]
      events = [json.loads(line) for line in sys.stdin]
      table = [[loader.field(each, name) for name in names] for each in events]
      classes = "params" in conf["signature"]
      print(json.dumps({
          "events": model.predict(events),
          "frame": model.predict(Frame(names, [[float("nan") if x is None else x for x in row] for row in table])),
          "columns": model.predict(dict(zip(names, map(list, zip(*table))))),
          "probabilities": model.predict(events, {"probabilities": True}) if classes else [],
          "example": model.predict(Frame(example["columns"], example["data"])),
          "refused": [refused([events[0], {}]), refused([[1.0]]), refused({"a": [1], "b": [1, 2]}),
                      refused(events, {"probabilities": not classes and 1 or 0})],
      }))
      """;

  private static final List<String> EVENTS = List.of(
      "{\"age\":33,\"city\":\"Rome\",\"car\":{\"speed\":2.5,\"new\":true}}",
      "{\"age\":7.25,\"city\":\"ä世\"}",
      "{\"age\":-1,\"car\":{\"new\":false}}");

  @TempDir
  Path folder;

  private static ScoringModel model(String loss) {
    return ScoringModel.of(PythonScoresTest.version(loss));
  }

  private static void write(ScoringModel model, Path to) throws IOException {
    MlflowModel.write(model, Optional.empty(), OnnxModel.Form.DENSE, to);
  }

  private JsonNode load(Path directory) throws IOException, InterruptedException {
    String python = Python.find("yaml");
    assumeTrue(python != null, "there is no python3 with yaml here: nothing loads the directory");
    Path script = Files.writeString(folder.resolve("load.py"), LOAD);
    Path in = Files.writeString(folder.resolve("in"), String.join("\n", EVENTS) + "\n");
    Path out = folder.resolve("out");
    Path err = folder.resolve("err");
    ProcessBuilder builder = new ProcessBuilder(python, "" + script, "" + directory)
        .redirectInput(in.toFile())
        .redirectOutput(out.toFile())
        .redirectError(err.toFile());
    builder.environment().put("PYTHONDONTWRITEBYTECODE", "1");
    assertThat(builder.start().waitFor()).as(Files.readString(err)).isZero();
    return JSON.readTree(Files.readString(out));
  }

  @ParameterizedTest
  @ValueSource(strings = {"logistic", "poisson", "softmax(3)"})
  void predictsWhatTheClientPredicts(String loss) throws Exception {
    ScoringModel model = model(loss);
    Path made = folder.resolve("made");
    write(model, made);
    JsonNode loaded = load(made);
    Scorer scorer = model.scorer();
    for (int i = 0; i < EVENTS.size(); i++) {
      assertThat(scorer.score(EVENTS.get(i).getBytes(StandardCharsets.UTF_8)))
          .isEqualTo(RecordStatus.USED);
      for (String form : List.of("events", "frame", "columns")) {
        JsonNode prediction = loaded.get(form).get(i);
        if (scorer.outputs() > 1) {
          assertThat(prediction.asText()).isEqualTo(model.classNames().get(scorer.likeliest()));
        } else {
          assertThat(prediction.asDouble())
              .as(form)
              .isCloseTo(scorer.value(), within(1e-12 * Math.max(1, Math.abs(scorer.value()))));
        }
      }
      for (int k = 0; scorer.outputs() > 1 && k < scorer.outputs(); k++) {
        assertThat(loaded.get("probabilities").get(i).get(k).asDouble())
            .isCloseTo(scorer.output(k), within(1e-12));
      }
    }
    assertThat(loaded.get("example")).hasSize(1);
    assertThat(loaded.get("refused").get(0).asText())
        .isEqualTo("row 2 cannot be scored: MISSING_FIELD");
    assertThat(loaded.get("refused").get(1).asText()).contains("row 1 has 1 numbers, but the");
    assertThat(loaded.get("refused").get(2).asText()).contains("columns must be equally long");
    assertThat(loaded.get("refused").get(3).isNull()).isEqualTo(scorer.outputs() > 1);
  }

  @Test
  void saysWhatGoesInAndWhatIsPromised() throws Exception {
    ScoringModel model = model("logistic");
    Path made = folder.resolve("made");
    write(model, made);
    JsonNode described = YAML.readTree(made.resolve("MLmodel").toFile());
    JsonNode metadata = described.get("metadata");
    assertThat(metadata.get("sotto.guarantee.epsilon").asText()).isEqualTo("1.25");
    assertThat(metadata.get("sotto.guarantee.unit").asText()).isEqualTo("key");
    assertThat(metadata.get("sotto.version").asText()).isEqualTo("64");
    JsonNode inputs = JSON.readTree(described.at("/signature/inputs").asText());
    assertThat(inputs.findValuesAsText("name"))
        .containsExactlyElementsOf(model.fields())
        .doesNotContain("y");
    inputs.forEach(each -> {
      String name = each.get("name").asText();
      assertThat(each.get("type").asText()).isEqualTo(model.isNumber(name) ? "double" : "string");
      assertThat(each.get("required").asBoolean()).as(name).isEqualTo(name.equals("age"));
    });
    assertThat(JSON.readTree(made.resolve("input_example.json").toFile()).at("/data/0/0"))
        .as("the middle of the bounds of age")
        .isEqualTo(JSON.readTree("60.0"));
    assertThat(made.resolve("model.onnx"))
        .hasBinaryContent(OnnxModel.of(model, OnnxModel.Form.DENSE));
    Path again = Files.createDirectory(folder.resolve("again"));
    write(model, again);
    try (Stream<Path> files = Files.walk(made)) {
      assertThat(files.filter(Files::isRegularFile))
          .hasSize(7)
          .allSatisfy(each ->
              assertThat(again.resolve(made.relativize(each))).hasSameBinaryContentAs(each));
    }
  }

  @Test
  void takesVectorsWhereEventsAreNotMapped() throws Exception {
    ScoringModel model = ScoringModel.of(
        PythonScoresTest.version("logistic", "examples 1\ndimension 2\n", new double[] {1, -1}));
    Path made = folder.resolve("made");
    write(model, made);
    JsonNode described = YAML.readTree(made.resolve("MLmodel").toFile());
    assertThat(described.at("/signature/inputs").asText()).contains("tensor", "[-1,2]");
  }

  @Test
  void leavesWhatIsThereAlone() throws Exception {
    ScoringModel model = model("logistic");
    Path full = Files.createDirectory(folder.resolve("full"));
    Path kept = Files.writeString(full.resolve("kept"), "mine");
    assertThatThrownBy(() -> write(model, full))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("must name a directory that is new or empty, but");
    assertThatThrownBy(() -> write(model, kept)).hasMessageContaining("new or empty");
    assertThat(kept).hasContent("mine");
    Path left = Files.createDirectory(folder.resolve("made.new"));
    assertThatThrownBy(() -> write(model, folder.resolve("made")))
        .hasMessageContaining("interrupted has left " + left);
    assertThatThrownBy(() -> write(model, folder.resolve("none/made")))
        .isInstanceOf(IOException.class);
  }

  @Test
  void keepsTheNotesOfAReplayAndShowsItToItsOwnerAlone() throws Exception {
    Path made = folder.resolve("made");
    ReplayOrigin origin = ReplayOrigin.of(Optional.of("k"), false);
    MlflowModel.write(model("logistic"), Optional.of(origin), OnnxModel.Form.DENSE, made);
    assertThat(YAML.readTree(made.resolve("MLmodel").toFile())
            .at("/metadata/sotto.guarantee.notes")
            .asText())
        .startsWith("learned in a replay of a file");
    assertThat(Files.getPosixFilePermissions(made))
        .isEqualTo(PosixFilePermissions.fromString("rwx------"));
  }
}
