package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;

class LearnCommandTest extends LearnRuns {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] SAID = {
    "--label",
    "y",
    "--loss",
    "logistic",
    "--unit-record",
    "--epsilon",
    "8",
    "--set",
    "features.numeric.x.min=-1",
    "--set",
    "features.numeric.x.max=1"
  };

  /** Rows whose label follows from x, and an identifier that half of them share. */
  private String csv(int rows, double scale) {
    Random random = Seed.random(1);
    StringBuilder text = new StringBuilder("x,page,user,y\n");
    for (int i = 0; i < rows; i++) {
      double x = 2 * random.nextDouble() - 1;
      int y = random.nextDouble() < 1 / (1 + Math.exp(-6 * x)) ? 1 : 0;
      text.append(scale * x).append(",page").append(random.nextInt(5));
      text.append(",u").append(i % (rows / 2)).append(',').append(y).append('\n');
    }
    return text.toString();
  }

  private int learnSaid(Path file, String... more) {
    return learn(file, Stream.concat(Stream.of(SAID), Stream.of(more)).toArray(String[]::new));
  }

  @Test
  void leadsFromAFileToPredictions() throws IOException {
    Path file = Files.writeString(folder.resolve("visits.csv"), csv(3_000, 1)); // has no key
    assertThat(learnSaid(file, "--json")).as("%s", errors).isZero();
    assertThat(errors.toString()).contains("NOT private", "made noise key");
    JsonNode learned = JSON.readTree(out.toString());
    double base = learned.get("logLossOfBaseRate").asDouble();
    assertThat(learned.get("logLoss").asDouble()).isLessThan(base);
    assertThat(learned.get("betterThanBaseRate").asBoolean()).isTrue();
    assertThat(learned.get("examples").asLong()).isEqualTo(3_000);
    assertThat(learned.get("epsilon").asDouble()).isPositive().isLessThanOrEqualTo(8);
    assertThat(learned.get("curve")).hasSizeGreaterThan(2);
    assertThat(learned.at("/curve/0/examples").asLong()).isEqualTo(512);
    assertThat(learned.get("features").findValuesAsText("name"))
        .containsExactlyInAnyOrder("x", "page, user");

    Path to = folder.resolve("visits-sotto");
    String config = to.resolve("sotto.yaml").toString();
    assertThat(Files.readString(Path.of(config)))
        .contains("privacy.epsilon: 8", "loss: logistic", "min: -1, max: 1")
        .doesNotContain(": TODO");
    assertThat(run("run", "-c", config, "--check")).as("%s", errors).isZero();

    String model = to.resolve("model.json").toString();
    assertThat(run("predict", file.toString(), "--model-file", model))
        .as("%s", errors)
        .isZero();
    List<String> rows = Files.readAllLines(file);
    int right = 0;
    int at = 1;
    for (String line : out.toString().lines().toList()) {
      double prediction = JSON.readTree(line).get("prediction").asDouble();
      right += (prediction > 0.5) == rows.get(at++).endsWith("1") ? 1 : 0;
    }
    assertThat(at).isEqualTo(3_001);
    assertThat(right).isGreaterThan(2_200);
  }

  @Test
  void refusesSettingsAndNamesNoFileThatIsNotThere() throws IOException {
    Path file = file("visits.csv", csv(500, 1));
    assertThat(asAPersonWould(file, "--set", "privacy.mechanism=binary-tree")).isEqualTo(3);
    assertThat(errors.toString())
        .contains("privacy.horizon.rounds does not work", "--set KEY=VALUE")
        .doesNotContain("sotto.yaml");
    assertThat(folder.resolve("visits-sotto/sotto.yaml")).doesNotExist();
  }

  @Test
  void saysWhetherItIsAnyGoodAndWhatToDoNext() throws IOException {
    Path file = file("visits.csv", csv(3_000, 1));
    assertThat(learnSaid(file)).as("%s", errors).isZero();
    String to = folder.resolve("visits-sotto").toString();
    assertThat(out.toString())
        .startsWith(ReplayCommand.WARNING)
        .containsPattern(
            "verdict +loss 0\\.\\d+, where the base rate has 0\\.\\d+, the best constant")
        .containsPattern("cost +epsilon \\d\\.\\d+ at delta 0.000001 for ")
        .containsPattern("scored +since last +loss so far +base rate +epsilon")
        .contains("sotto predict " + file + " --model-file " + to + "/model.json")
        .contains("sotto run -c " + to + "/sotto.yaml --set run.label=live"
            + " --set release.every.slots=4096 --set privacy.blt.set=felt-2^30"
            + " --bootstrap-server");
    assertThat(Files.readString(folder.resolve("visits-sotto/sotto.yaml")))
        .as("what init does otherwise, and why")
        .contains("release.every.slots: 128", "# Short versions, since the file is short")
        .contains("# metrics.share: 0.05", "prints the exact ones of the file");
    Path noise = file("noise.csv", csv(2_000, 1).replaceAll("(?m)^[-0-9.E]+,", "0.5,"));
    assertThat(learnSaid(noise, "--set", "features.hash.bits=12")).isZero();
    assertThat(out.toString()).contains("NO BETTER THAN THE BASE RATE: loss");
  }

  /** The model does not mind, but its figures cannot be told from those of the base rate. */
  @Test
  void saysThatOneLabelMakesTheLossNoNumber() throws IOException {
    StringBuilder rows = new StringBuilder("x,y\n");
    for (int i = 0; i < 2_000; i++) {
      rows.append(i % 10).append(',').append(i == 1_500 ? "1e300" : 5 + i % 10).append('\n');
    }
    Path file = file("far.csv", rows.toString());
    String to = folder.resolve("far").toString();
    assertThat(run(
            "learn",
            file.toString(),
            "--label",
            "y",
            "--loss",
            "squared",
            "--unit-record",
            "--out",
            to))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString())
        .contains("verdict    UNKNOWN: a label lies so far out that the loss is no number; correct")
        .doesNotContain("NO BETTER");
  }

  /** Under a configuration that is there: what suits the file alone is undone, the rest is kept. */
  @Test
  void namesTheSettingsWithWhichItLearnedInTheCommandForKafka() throws IOException {
    Path file = file("visits.csv", csv(1_000, 1));
    assertThat(learnSaid(file)).as("%s", errors).isZero();
    String config = folder.resolve("visits-sotto/sotto.yaml").toString();
    String[] more = {"--set", "run.label=second", "--set", "clip.norm=0.9", "--force"};
    assertThat(learn(
            file, Stream.concat(Stream.of("-c", config), Stream.of(more)).toArray(String[]::new)))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString())
        .contains("sotto run -c " + config + " --set run.label=live --set release.every.slots=4096"
            + " --set privacy.blt.set=felt-2^30 --set clip.norm=0.9 --bootstrap-server");
  }

  /** The line of the configuration with the parameters of the noise. */
  private String noise(String file) throws IOException {
    Path config = folder.resolve(file + "-sotto/sotto.yaml");
    return Files.readAllLines(config).stream()
        .filter(line -> line.startsWith("privacy.blt.set"))
        .findFirst()
        .map(line -> line.replace("\"", ""))
        .orElse("the default");
  }

  private static String lines(int records, int readable) {
    Random random = Seed.random(7);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < records; i++) {
      double x = 2 * random.nextDouble() - 1;
      text.append(i < readable ? "{\"x\":" + x + ",\"y\":" + (x > 0) + "}\n" : "not readable\n");
    }
    return text.toString();
  }

  /** It is public, like offsets; how many of them can be read is not. */
  @Test
  void makesTheNoiseForTheNumberOfRecordsWhateverTheyHold() throws IOException {
    Path whole = file("whole.jsonl", lines(4_000, 4_000));
    assertThat(learnSaid(whole, "--set", "batch.size=8")).as("%s", errors).isZero();
    assertThat(noise("whole")).isEqualTo("privacy.blt.set: felt-2^12");
    assertThat(Files.readString(folder.resolve("whole-sotto/sotto.yaml")))
        .containsOnlyOnce("batch.size: 8");
    assertThat(out.toString()).contains("--set privacy.blt.set=felt-2^30");
    Path broken = file("broken.jsonl", lines(4_000, 400));
    assertThat(learnSaid(broken, "--set", "batch.size=8")).as("%s", errors).isZero();
    assertThat(noise("broken")).isEqualTo(noise("whole"));
    Path few = file("few.jsonl", lines(400, 400));
    assertThat(learnSaid(few, "--set", "batch.size=8")).as("%s", errors).isZero();
    assertThat(noise("few")).isEqualTo("privacy.blt.set: felt-2^8");

    String config = folder.resolve("whole-sotto/sotto.yaml").toString();
    assertThat(run("run", "-c", config, "--check", "--all")).as("%s", errors).isZero();
    assertThat(out.toString().replaceAll("(\\s|#)+", " "))
        .containsPattern("noise is made for 32,768 slots .*: after 1,048,576 its error is"
            + " \\d+\\.\\d times as large, under the same guarantee");
    assertThat(run("run", "-c", config, "--check")).as("%s", errors).isZero();
    assertThat(out.toString().strip().lines())
        .as("eight, and that there are more")
        .hasSizeLessThan(10);
  }

  @Test
  void measuresRangesInATenthOfAShortFile() throws IOException {
    Path file = file("short.jsonl", lines(2_500, 2_500));
    String[] said = {"--label", "y", "--unit-record", "--epsilon", "1"};
    assertThat(learn(file, said)).as("%s", errors).isZero();
    Path config = folder.resolve("short-sotto/sotto.yaml");
    assertThat(Files.readString(config)).contains("features.ranges.slots: 250");
    assertThat(out.toString()).as("on a topic as usual").contains("features.ranges.slots=768");
    Path model = folder.resolve("short-sotto/model.json");
    assertThat(Files.readString(model)).contains("window slots 384 sigma");
    assertThat(learn(file, "-c", config.toString(), "--force")).as("%s", errors).isZero();
    assertThat(out.toString()).contains(" --set features.ranges.slots=768");
    assertThat(
            learn(file, "-c", config.toString(), "--force", "--set", "features.ranges.slots=300"))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString())
        .as("what somebody chose")
        .contains(" --set features.ranges.slots=300");

    Path broken = file("broken.jsonl", lines(2_500, 100));
    assertThat(learn(broken, said)).as("%s", errors).isZero();
    assertThat(Files.readString(folder.resolve("broken-sotto/sotto.yaml")))
        .as("by the number of records, whatever they hold")
        .contains("features.ranges.slots: 250");
    Path whole = file("long.jsonl", lines(8_000, 8_000));
    assertThat(learn(whole, said)).as("%s", errors).isZero();
    assertThat(Files.readString(folder.resolve("long-sotto/sotto.yaml")))
        .doesNotContain("features.ranges.slots");
    assertThat(out.toString()).doesNotContain("features.ranges.slots");
  }

  /** Of 64 records a stage nothing exceeds noise of 24. */
  @Test
  void saysOfHowManyNumbersARangeWasFound() throws IOException {
    Path file = file("tiny.jsonl", lines(600, 600));
    assertThat(learn(file, "--label", "y", "--unit-record", "--epsilon", "0.25"))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString())
        .containsPattern("ranges +found for 0 of 1 numbers, under noise; .* give bounds: --set"
            + " features\\.numeric\\.NAME\\.min=LOW, and max");
    Path enough = file("enough.jsonl", lines(8_000, 8_000));
    assertThat(learn(enough, "--label", "y", "--unit-record", "--epsilon", "4"))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString()).contains("curve x").doesNotContain("found for");
  }

  @Test
  void leavesTheNoiseToWhoeverSaysIt() throws IOException {
    Path file = file("visits.jsonl", lines(1_000, 1_000));
    assertThat(learnSaid(file, "--set", "privacy.blt.set=anytime-2^20"))
        .as("%s", errors)
        .isZero();
    assertThat(noise("visits")).isEqualTo("privacy.blt.set: anytime-2^20");
    assertThat(out.toString()).doesNotContain("--set privacy.blt.set");
    String[] other = {
      "--set", "privacy.mechanism=independent", "--set", "privacy.horizon.rounds=1000", "--force"
    };
    assertThat(learnSaid(file, other)).as("%s", errors).isZero();
    assertThat(noise("visits")).isEqualTo("the default");
  }

  /** What a person must say is asked for, and nothing of it is taken from the values. */
  @Test
  void asksForWhatNobodyMayReadOffTheRecords() throws IOException {
    Path file = file("visits.csv", csv(1_000, 1));
    assertThat(learn(file)).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("label.field: TODO", "Say it: --label FIELD");
    assertThat(learn(file, "--label", "y")).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString())
        .contains("loss: TODO", "privacy.unit: TODO", "Nothing was written")
        .contains("sotto init " + file + " --out sotto.yaml, then: sotto learn " + file)
        .contains("--sample-is-public");
    assertThat(folder.resolve("visits-sotto/sotto.yaml")).doesNotExist();

    String asked = asked(file);
    Path other = file("second.csv", csv(1_000, 1e6).replaceAll("page(\\d)", "side$1"));
    assertThat(asked(other).replace("second", "visits")).isEqualTo(asked);

    Path config = folder.resolve("by-hand.yaml");
    Files.writeString(
        config,
        asked
            .replace("loss: TODO", "loss: logistic")
            .replace("privacy.unit: TODO", "privacy.unit: record"));
    assertThat(learn(file, "-c", config.toString(), "--set", "release.every.slots=128"))
        .as("%s", errors)
        .isZero();
    assertThat(config.resolveSibling("model.json")).exists();
    assertThat(out.toString())
        .as("a number without bounds is one feature, whatever its curve is made of")
        .containsPattern("(?m)^  curve x: moves the score by \\d")
        .doesNotContain(" octave ", " place");
  }

  /** What init writes of a file, where the rest is stated by hand. */
  private String asked(Path file) throws IOException {
    Path config = folder.resolve("by-hand.yaml");
    String key = folder.resolve("visits-sotto/noise.key").toString();
    String[] flags = {"--label", "y", "--out", config.toString(), "--noise-key-file", key, "--force"
    };
    assertThat(run(Stream.concat(Stream.of("init", file.toString()), Stream.of(flags))
            .toArray(String[]::new)))
        .isZero();
    return Files.readString(config);
  }

  @Test
  void proposesTheRestOfAPublicFileAndSaysSoInTheModel() throws IOException {
    Path file = file("public.csv", csv(2_000, 40));
    assertThat(learn(file, "--label", "y", "--sample-is-public"))
        .as("%s", errors)
        .isZero();
    Path model = folder.resolve("public-sotto/model.json");
    JsonNode notes = JSON.readTree(Files.readString(model)).at("/replay/notes");
    assertThat(notes).hasSize(2);
    assertThat(notes.get(1).asText()).contains("read off the records");
    assertThat(run("predict", file.toString(), "--model-file", model.toString()))
        .isZero();
    assertThat(errors.toString()).contains("note: bounds, classes or numbers of values");
  }

  /** Without a label of the run, so that each run draws noise of its own. */
  private int asAPersonWould(Path file, String... more) {
    return run(Stream.of(Stream.of("learn", file.toString()), Stream.of(SAID), Stream.of(more))
        .flatMap(each -> each)
        .toArray(String[]::new));
  }

  @Test
  void replacesNothingUnlessItIsToldTo() throws IOException {
    Path file = file("visits.csv", csv(2_000, 1));
    assertThat(asAPersonWould(file)).isZero();
    Path to = folder.resolve("visits-sotto");
    String model = Files.readString(to.resolve("model.json"));
    String key = Files.readString(to.resolve("noise.key"));
    assertThat(asAPersonWould(file)).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("model.json must be a new file, but exists", "--force");
    assertThat(learn(file, "-c", to.resolve("sotto.yaml").toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(Files.readString(to.resolve("model.json"))).isEqualTo(model);

    assertThat(asAPersonWould(file, "--force")).isZero();
    assertThat(errors.toString()).contains("warning: the model that is replaced has a cost");
    assertThat(Files.readString(to.resolve("noise.key"))).isEqualTo(key);
    JsonNode before = JSON.readTree(model);
    JsonNode after = JSON.readTree(Files.readString(to.resolve("model.json")));
    assertThat(after.get("runId")).as("another history").isNotEqualTo(before.get("runId"));
    assertThat(after.get("digest")).isNotEqualTo(before.get("digest"));
    String elsewhere = folder.resolve("elsewhere").toString();
    assertThat(asAPersonWould(file, "--out", elsewhere)).isZero();
    assertThat(folder.resolve("elsewhere/model.json")).exists();
  }

  @Test
  void readsZippedLinesOfJsonAndHidesPersons() throws IOException {
    List<String> lines = new ArrayList<>();
    Random random = Seed.random(3);
    for (int i = 0; i < 2_000; i++) {
      double x = 2 * random.nextDouble() - 1;
      lines.add("{\"x\":" + x + ",\"user\":\"u" + i % 300 + "\",\"y\":" + (x > 0) + "}");
    }
    Path file = folder.resolve("clicks.jsonl.gz");
    try (OutputStream zipped = new GZIPOutputStream(Files.newOutputStream(file))) {
      zipped.write(String.join("\n", lines).getBytes(StandardCharsets.UTF_8));
    }
    assertThat(learn(
            file,
            "--label",
            "y",
            "--unit",
            "user",
            "--json",
            "--set",
            "features.numeric.x.min=-1",
            "--set",
            "features.numeric.x.max=1"))
        .as("%s", errors)
        .isZero();
    JsonNode learned = JSON.readTree(out.toString());
    assertThat(learned.get("examples").asLong()).isEqualTo(2_000);
    assertThat(learned.get("contributed").asLong()).isBetween(300L, 1_500L);
    assertThat(learned.get("slots").asLong()).isEqualTo(2_000);
    assertThat(learned.get("emptySlots").get("NOT_ADMITTED").asLong())
        .isEqualTo(2_000 - learned.get("contributed").asLong());
    assertThat(errors.toString()).doesNotContain("units sent");
    Path model = folder.resolve("clicks-sotto/model.json");
    JsonNode guarantee = JSON.readTree(Files.readString(model)).get("guarantee");
    assertThat(guarantee.get("unit").asText()).isEqualTo("key");
    assertThat(guarantee.get("epsilon").asDouble()).isPositive().isLessThanOrEqualTo(1);

    assertThat(learn(file, "--label", "y", "--unit", "user", "--sample-is-public", "--force"))
        .as("%s", errors)
        .isZero();
    assertThat(errors.toString()).contains("300 units sent 7 records each on average");
    String config = folder.resolve("clicks-sotto/sotto.yaml").toString();
    assertThat(Files.readString(Path.of(config))).contains("privacy.contribution.records: 7");
    assertThat(run("replay", file.toString(), "-c", config, "--sample-is-public"))
        .isZero();
    assertThat(errors.toString()).contains("privacy.contribution.records: 7, which makes");
    assertThat(run("replay", file.toString(), "-c", config)).isZero();
    assertThat(errors.toString()).doesNotContain("units sent");
  }

  @Test
  void endsWithACodeOfItsOwnWhereNothingWasLearned() throws IOException {
    Path few = file("few.csv", csv(20, 1));
    assertThat(learnSaid(few)).isEqualTo(ExitCode.NOTHING_LEARNED.code());
    assertThat(errors.toString())
        .contains("nothing was learned from " + few, "there are 20 events");
    assertThat(folder.resolve("few-sotto/model.json")).doesNotExist();
    Path useless = file("useless.csv", csv(1_000, 1).replaceAll("(?m)[01]$", "often"));
    assertThat(learnSaid(useless)).isEqualTo(ExitCode.RECORDING.code());
    assertThat(errors.toString()).contains("none of the 1,000 records", "WRONG_TYPE");
    assertThat(folder.resolve("useless-sotto/model.json")).doesNotExist();
  }

  @Test
  void refusesWhatItCannotFollow() throws IOException {
    Path file = file("visits.csv", csv(1_000, 1));
    assertThat(learn(file, "--label", "yy")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--label must be a field of visits.csv, but was yy");
    assertThat(learn(folder.resolve("missing.csv"), "--label", "y"))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(learn(file, "--label", "y", "-c", "sotto.yaml")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("but -c names one: leave them out");
    assertThat(learnSaid(file, "--set", "features.numeric.x.min")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--set must be KEY=VALUE");
    assertThat(learnSaid(file, "--set", "label.names=[a,b")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--set must close the bracket of a list");
    assertThat(learnSaid(file, "--set", "privacy.epsilon=3")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("privacy.epsilon must be said once, but was 8 and 3");
    assertThat(learnSaid(file, "--set", "batch.sise=7")).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("batch.sise", "batch.size");
    assertThat(learnSaid(file, "--set", "privacy.delta=none"))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(folder.resolve("visits-sotto/model.json")).doesNotExist();
    assertThat(folder.resolve("visits-sotto/sotto.yaml")).doesNotExist();
    assertThat(learnSaid(file, "--out", file.toString())).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains(file + " must be a folder, but is a file");
  }
}
