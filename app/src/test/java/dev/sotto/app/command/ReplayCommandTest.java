package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReplayCommandTest extends CommandRuns {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String YAML = """
      app.id: clicks
      bootstrap.servers: localhost:9092
      layout: %s
      events.topic: clicks
      features.numeric.x: {field: x, min: -1, max: 1}
      features.categorical.page: {field: page}
      features.hash.bits: 4
      label.field: y
      loss: logistic
      batch.size: 24
      release.every.slots: 1
      ftrl.steps: decreasing
      ftrl.diameter: 8
      privacy.epsilon: 100
      privacy.delta: 1e-6
      privacy.horizon.rounds: endless
      noise.key.file: %s
      """;

  @TempDir
  Path folder;

  private Path events;

  @BeforeEach
  void writeEvents() throws IOException {
    List<String> lines = new ArrayList<>();
    Random random = new Random(1); // what is written down is of these, under any seed
    for (int i = 0; i < 600; i++) {
      double x = 2 * random.nextDouble() - 1;
      int y = random.nextDouble() < 1 / (1 + Math.exp(-6 * x)) ? 1 : 0;
      String page = "page" + random.nextInt(5);
      lines.add(
          i % 100 == 99
              ? "{broken"
              : "{\"user\":\"u" + i % 7 + "\",\"x\":" + x + ",\"page\":\"" + page + "\",\"y\":" + y
                  + "}");
    }
    events = folder.resolve("clicks.jsonl");
    Files.write(events, lines);
  }

  private Path config(String layout) throws IOException {
    Path file = folder.resolve(layout + ".yaml");
    Files.writeString(file, YAML.formatted(layout, folder.resolve("noise.key")));
    return file;
  }

  private JsonNode replay(String layout, String... more) throws IOException {
    List<String> arguments = new ArrayList<>(List.of(
        "replay", events.toString(), "-c", config(layout).toString(), "--throwaway-key", "--json"));
    arguments.addAll(List.of(more));
    assertThat(run(arguments.toArray(String[]::new))).as("%s", errors).isZero();
    return JSON.readTree(out.toString());
  }

  @Test
  void tellsWhatTheStreamWouldHaveGiven() throws IOException {
    JsonNode figures = replay("direct");
    assertThat(figures.get("events").asLong()).isEqualTo(600);
    assertThat(figures.get("deadLetters").asLong()).isEqualTo(6);
    assertThat(figures.get("examples").asLong()).isEqualTo(594);
    assertThat(figures.get("rounds").asLong()).isEqualTo(25);
    assertThat(figures.get("epsilon").asDouble()).isPositive().isLessThanOrEqualTo(100);
    assertThat(figures.get("logLoss").asDouble()).isLessThan(0.69);
    assertThat(figures.get("accuracy").asDouble()).isGreaterThan(0.6);
    assertThat(figures.get("exactNotPrivate").asBoolean()).isTrue();
    assertThat(figures.get("examplesPerSecond").asDouble())
        .isCloseTo(594 / figures.get("seconds").asDouble(), within(1e-6));
    assertThat(figures.get("snapshotDigest").asText()).hasSize(64);
    assertThat(errors.toString()).contains("NOT private", "Dead letters: UNREADABLE 6");
    assertThat(figures.get("deadLetterReasons")).hasSize(1);
    assertThat(figures.at("/deadLetterReasons/UNREADABLE").asLong()).isEqualTo(6);
  }

  /** Rows without their last cells, which may be all that there are, look like missing values. */
  @Test
  void namesARowThatIsTooShort() throws IOException {
    List<String> rows = new ArrayList<>(List.of("x,y,page"));
    for (int i = 0; i < 600; i++) {
      rows.add(i % 20 < 19 ? "0.5,1,a" : "0.5,0");
    }
    events = Files.write(folder.resolve("clicks.csv"), rows);
    replay("direct");
    assertThat(errors.toString())
        .contains("line 21 has fewer cells than there are names, the first of 30 such: what such");
    Files.write(events, rows.subList(0, 20));
    replay("direct");
    assertThat(errors.toString()).doesNotContain("fewer cells");
  }

  /** As where the two topics have keys of two serializers. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "empty | 15 | 600 records that were read has found a label",
        "negative | 0 | Labels: "
      })
  void saysThatNoLabelHasFoundItsEvent(String missing, int code, String said) throws IOException {
    Path file = config("direct");
    Files.writeString(
        file,
        "events.labels.topic: outcomes\nevents.labels.wait.ms: 5\nevents.labels.id: id\n"
            + "events.labels.missing: " + missing + "\n",
        StandardOpenOption.APPEND);
    List<String> shown = new ArrayList<>();
    List<String> labels = new ArrayList<>();
    for (int i = 0; i < 600; i++) {
      String id = "{\"id\":\"" + i;
      shown.add(id + "\",\"x\":0.5,\"page\":\"a\",\"t\":" + (1_000 + i) + "}");
      labels.add(id + ".0\",\"y\":1,\"t\":" + (1_000 + i) + "}");
    }
    Path outcomes = Files.write(folder.resolve("outcomes.jsonl"), labels);
    Files.write(events, shown);
    assertThat(run(
            "replay",
            events.toString(),
            "-c",
            file.toString(),
            "--labels",
            outcomes.toString(),
            "--timestamp-field",
            "t",
            "--throwaway-key"))
        .as("%s", errors)
        .isEqualTo(code);
    assertThat(errors.toString()).contains("Labels: no label has come to any of 600 records", said);
  }

  @Test
  void endsWithACodeOfItsOwnWhereNothingCouldBeUsed() throws IOException {
    String text = Files.readString(events);
    Files.writeString(
        events,
        text.replaceAll("\"y\":0", "\"y\":\"never\"").replaceAll("\"y\":1", "\"y\":\"always\""));
    assertThat(
            run("replay", events.toString(), "-c", config("direct").toString(), "--throwaway-key"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(out.toString())
        .containsPattern("deadLetterReasons +UNREADABLE 6\n")
        .containsPattern("deadLetterReasons +WRONG_TYPE 594\n")
        .containsPattern("scored +0\n");
    assertThat(errors.toString())
        .contains(
            "Labels: 594 records could not be used since their label means nothing",
            "none of the 600 records that were read can be used",
            "WRONG_TYPE 594 (field \"y\" must be a number, true or false, or yes or no, but is"
                + " a text)",
            "check events.format, features, label and unit");
  }

  /** Without a value: whoever looks for the reason need not look at records. */
  @ParameterizedTest
  @ValueSource(strings = {"direct", "ordered", "rounds"})
  void deadLettersNameTheField(String layout) throws IOException {
    Files.writeString(
        events, Files.readString(events).replaceFirst("\"y\":[01]", "\"y\":\"hunter2\""));
    Path to = folder.resolve("out");
    replay(layout, "--out", to.toString());
    assertThat(Files.readAllLines(to.resolve("dead-letters.jsonl")))
        .filteredOn(each -> each.contains("WRONG_TYPE"))
        .singleElement()
        .satisfies(each -> {
          JsonNode letter = JSON.readTree(each);
          assertThat(letter.get("field").asText())
              .isEqualTo(
                  "field \"y\" must be a number, true or false, or yes or no, but is a text");
          assertThat(letter.get("sentence").asText()).isEqualTo("a field has the wrong type");
        });
  }

  /**
   * The same slots in the same rounds are the same bits, whoever sums them; keys deal them out
   * otherwise.
   */
  @Test
  void givesTheSameBitsAgainAndOverPartitions() throws IOException {
    String digest = replay("direct").get("snapshotDigest").asText();
    assertThat(replay("direct").get("snapshotDigest").asText()).isEqualTo(digest);
    assertThat(replay("rounds", "--partition-count", "4", "--seed", "0")
            .get("snapshotDigest")
            .asText())
        .isEqualTo(digest);
    assertThat(replay("direct", "--seed", "1").get("snapshotDigest").asText())
        .as("under another throwaway key")
        .isNotEqualTo(digest);
    assertThat(replay("rounds", "--partition-count", "2", "--key-field", "user")
            .get("snapshotDigest")
            .asText())
        .isNotEqualTo(digest);
  }

  /** A recording has its own keys and partitions: flags that would be passed over are refused. */
  @Test
  void refusesFlagsOfTextFilesForARecording() throws IOException {
    String made = folder.resolve("made.rec").toString();
    assertThat(run("record", "--file", events.toString(), "--out", made)).isZero();
    String config = config("direct").toString();
    String[] sound = {"replay", made, "-c", config, "--throwaway-key"};
    assertThat(run(sound)).as("%s", errors).isZero();
    for (String flag : List.of("--partition-count=2", "--key-field=user", "--labels-as-they-are")) {
      assertThat(run("replay", made, "-c", config, "--throwaway-key", flag))
          .isEqualTo(ExitCode.USAGE.code());
    }
    assertThat(errors.toString()).contains("--key-field", "are of text files, but " + made);
  }

  /** Written down once: every Java and every machine must come to these bits. */
  @Test
  void givesTheSameBitsOnEveryJava() throws IOException {
    assertThat(replay("direct").get("snapshotDigest").asText())
        .isEqualTo("b388c5e59bfcc6b70686858fd4ad40a0ac38278f190b1b6ec0a8f91dd3532a73");
  }

  @Test
  void writesWhatWasPublished() throws IOException {
    Path to = folder.resolve("out");
    JsonNode figures = replay("ordered", "--partition-count", "2", "--out", to.toString());
    List<String> ledger = Files.readAllLines(to.resolve("ledger.jsonl"));
    List<String> snapshots = Files.readAllLines(to.resolve("snapshots.jsonl"));
    assertThat(ledger).hasSize(25);
    assertThat(snapshots).hasSize(25);
    JsonNode last = JSON.readTree(ledger.get(24));
    assertThat(last.get("snapshotDigest").asText())
        .isEqualTo(figures.get("snapshotDigest").asText())
        .isEqualTo(JSON.readTree(snapshots.get(24)).get("digest").asText());
    assertThat(JSON.readTree(snapshots.get(24)).get("weights")).hasSize(27);
    assertThat(last.get("throwawayKey").asBoolean())
        .as("its epsilon means nothing")
        .isTrue();
    assertThat(JSON.readTree(snapshots.get(24)).get("throwawayKey").asBoolean()).isTrue();
    List<String> letters = Files.readAllLines(to.resolve("dead-letters.jsonl"));
    assertThat(letters).hasSize(6);
    JsonNode letter = JSON.readTree(letters.get(0));
    assertThat(letter.get("reason").asText()).isEqualTo("UNREADABLE");
    assertThat(letter.get("valueBase64").binaryValue()).asString().isEqualTo("{broken");
    assertThat(PosixFilePermissions.toString(
            Files.getPosixFilePermissions(to.resolve("snapshots.jsonl"))))
        .isEqualTo("rw-------");
    replay("ordered", "--out", to.toString());
    assertThat(Files.readAllLines(to.resolve("ledger.jsonl"))).hasSize(25);
  }

  /** The newest version, whole: what was learned without a broker predicts without one. */
  @Test
  void writesAModelThatPredicts() throws IOException {
    Path to = folder.resolve("out");
    Path config = config("direct");
    assertThat(run("key", folder.resolve("noise.key").toString())).isZero();
    String[] replay = {
      "replay", events.toString(), "-c", config.toString(), "--json", "--out", to.toString()
    };
    assertThat(run(replay)).as("%s", errors).isZero();
    String digest = JSON.readTree(out.toString()).get("snapshotDigest").asText();
    String model = to.resolve("model.json").toString();
    JsonNode file = JSON.readTree(Files.readString(Path.of(model)));
    assertThat(file.get("digest").asText()).isEqualTo(digest);
    assertThat(file.at("/guarantee/epsilon").asDouble()).isPositive().isLessThanOrEqualTo(100);
    assertThat(file.at("/replay/noiseKey").asText()).hasSize(16);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(Path.of(model))))
        .isEqualTo("rw-------");

    assertThat(run("predict", events.toString(), "--model-file", model)).isZero();
    assertThat(out.toString().lines()).hasSize(600);
    assertThat(out.toString())
        .contains("{\"partition\":0,\"offset\":0,\"version\":25,\"prediction\":0.");
    assertThat(errors.toString())
        .contains("note: learned in a replay of a file", "needs a run.label of its own");
    String onnx = folder.resolve("model.onnx").toString();
    assertThat(run("export", "--model-file", model, "--onnx", "--out", onnx)).isZero();
    assertThat(Files.readString(Path.of(onnx), StandardCharsets.ISO_8859_1))
        .contains("sotto.guarantee.notes", "learned in a replay of a file");
    String mlflow = folder.resolve("mlflow").toString();
    assertThat(run("export", "--model-file", model, "--mlflow", mlflow)).isZero();
    assertThat(Path.of(mlflow, "model.json")).hasSameTextualContentAs(Path.of(model));
    assertThat(run("export", "--model-file", model, "--mlflow", mlflow))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("must name a directory that is new or empty");
    assertThat(run("export", "--model-file", model)).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("give either --out FILE or --mlflow DIR");
    assertThat(run("export", "--model-file", model, "--mlflow", mlflow, "--onnx"))
        .isEqualTo(ExitCode.USAGE.code());
    String again = folder.resolve("again.json").toString();
    assertThat(run("export", "--model-file", model, "--out", again)).isZero();
    assertThat(Path.of(again)).hasSameTextualContentAs(Path.of(model));
    assertThat(
            run("predict", events.toString(), "--model-file", "" + to.resolve("snapshots.jsonl")))
        .isEqualTo(ExitCode.UNVERIFIED.code());
    assertThat(errors.toString()).contains("the model of that replay is model.json, beside it");
  }

  @Test
  void writesAFileForEachOfSeveralModels() throws IOException {
    Path to = folder.resolve("out");
    replay("direct", "--out", to.toString());
    String[] two = {
      "--set", "model.id.source=partition", "--set", "model.id=a b", "--partition-count", "2"
    };
    List<String> more = new ArrayList<>(List.of(two));
    more.addAll(List.of("--out", to.toString()));
    replay("direct", more.toArray(String[]::new));
    assertThat(to.resolve("model.json")).as("that of the replay before").doesNotExist();
    for (String name : List.of("model-a+b-0.json", "model-a+b-1.json")) {
      assertThat(run("predict", events.toString(), "--model-file", "" + to.resolve(name)))
          .as("%s", errors)
          .isZero();
    }
    assertThat(run("snapshot", "--model-file", "" + to.resolve("model-a+b-1.json")))
        .isZero();
    Files.copy(to.resolve("model-a+b-1.json"), to.resolve("model-best.json"));
    Files.writeString(to.resolve("model-notes.json"), "of somebody");
    replay("direct", "--out", to.toString());
    assertThat(to)
        .as("what another replay wrote goes, and nothing else")
        .isDirectoryNotContaining("glob:**model-a+b*")
        .isDirectoryContaining("glob:**model-best.json")
        .isDirectoryContaining("glob:**model-notes.json");
  }

  /** Whoever can compute the noise takes it off: a figure that says otherwise would be false. */
  @Test
  void statesNoGuaranteeUnderAKeyThatAnybodyKnows() throws IOException {
    Path to = folder.resolve("out");
    assertThat(replay("direct", "--out", to.toString()).get("epsilon").asDouble())
        .isPositive();
    Path model = to.resolve("model.json");
    JsonNode file = JSON.readTree(Files.readString(model));
    for (String figure : List.of("mu", "epsilon", "muLimit", "epsilonLimit")) {
      assertThat(file.get("guarantee").get(figure).isNull()).as(figure).isTrue();
    }
    assertThat(file.at("/replay/noiseKey").isNull()).isTrue();
    assertThat(run("predict", events.toString(), "--model-file", model.toString()))
        .isZero();
    assertThat(errors.toString()).contains("nothing is hidden", "(epsilon inf at delta");
    assertThat(run("snapshot", "--model-file", model.toString(), "--model", "other"))
        .isEqualTo(ExitCode.USAGE.code());
  }

  /** What a loss is to be compared with: the figures of two classes by hand. */
  @Test
  void showsWhatNoFeatureAtAllWouldCost() throws IOException {
    JsonNode figures = replay("direct");
    double rate = Files.readAllLines(events).stream()
        .filter(line -> line.startsWith("{\"user"))
        .mapToInt(line -> line.endsWith("1}") ? 1 : 0)
        .average()
        .orElseThrow();
    double entropy = -rate * Math.log(rate) - (1 - rate) * Math.log(1 - rate);
    assertThat(figures.get("logLossOfBestConstant").asDouble()).isCloseTo(entropy, within(1e-12));
    assertThat(figures.get("logLossOfBaseRate").asDouble())
        .isGreaterThan(entropy)
        .isLessThan(entropy + 0.02);
    assertThat(figures.get("logLoss").asDouble()).isLessThan(entropy);
    assertThat(figures.get("auc").asDouble()).isBetween(0.65, 0.95);
  }

  /** Half a ledger must not be taken for a whole one. */
  @Test
  void leavesNothingBehindWhereTheRecordingIsDamaged() throws IOException {
    Path to = folder.resolve("out");
    Path zipped = folder.resolve("clicks.jsonl.gz");
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(bytes)) {
      gzip.write(Files.readAllBytes(events));
    }
    Files.write(zipped, Arrays.copyOf(bytes.toByteArray(), bytes.size() - 100));
    String[] replay = {
      "replay",
      zipped.toString(),
      "-c",
      config("direct").toString(),
      "--throwaway-key",
      "--out",
      to.toString()
    };
    assertThat(run(replay)).isEqualTo(ExitCode.RECORDING.code());
    try (Stream<Path> left = Files.list(to)) {
      assertThat(left).isEmpty();
    }
  }

  @Test
  void goesWithoutScores() throws IOException {
    JsonNode figures = replay("direct", "--no-scores", "--limit", "48");
    assertThat(figures.get("rounds").asLong()).isEqualTo(2);
    assertThat(figures.has("logLoss")).isFalse();
    assertThat(figures.get("exactNotPrivate").asBoolean()).isTrue();
    assertThat(errors.toString()).contains("NOT private", "throwaway key");
  }

  @Test
  void wantsTheKeyUnlessItIsToldOtherwise() throws IOException {
    int code = run("replay", events.toString(), "-c", config("direct").toString());
    assertThat(code).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("noise.key.file").contains("--throwaway-key");
  }

  @Test
  void refusesWhatItCannotRead() throws IOException {
    Path empty = Files.createFile(folder.resolve("empty.jsonl"));
    Path config = config("direct");
    assertThat(run("replay", empty.toString(), "-c", config.toString(), "--throwaway-key"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("empty");
    assertThat(run(
            "replay",
            folder.resolve("missing.avro").toString(),
            "-c",
            config.toString(),
            "--throwaway-key"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(run("replay", events.toString(), "-c", config.toString(), "--limit", "0"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(run(
            "replay",
            events.toString(),
            "-c",
            config.toString(),
            "--throwaway-key",
            "--format",
            "parquet"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(run(
            "replay",
            events.toString(),
            "-c",
            config.toString(),
            "--throwaway-key",
            "--partition-count",
            "2"))
        .isEqualTo(ExitCode.TOPIC.code());
    assertThat(errors.toString())
        .contains("the recording has 2 partitions instead of 1 partition in layout direct");
  }
}
