package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What learn leaves behind, and what it makes of gaps in a file. */
class LearnFilesTest extends CommandRuns {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String[] SAID = {
    "--label",
    "y",
    "--loss",
    "logistic",
    "--unit-record",
    "--set",
    "features.numeric.x.min=-1",
    "--set",
    "features.numeric.x.max=1"
  };

  @TempDir
  Path folder;

  /** A thousand rows whose label follows from x. */
  private static String csv() {
    Random random = Seed.random(1);
    StringBuilder text = new StringBuilder("x,page,y\n");
    for (int i = 0; i < 1_000; i++) {
      double x = 2 * random.nextDouble() - 1;
      text.append(x).append(",page").append(i % 5).append(x > 0 ? ",1\n" : ",0\n");
    }
    return text.toString();
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }

  private int learn(Path file, String... more) {
    return run(
        Stream.concat(Stream.of("learn", file.toString()), Stream.of(more)).toArray(String[]::new));
  }

  private int learnSaid(Path file, String... more) {
    return learn(file, Stream.concat(Stream.of(SAID), Stream.of(more)).toArray(String[]::new));
  }

  /** A run that is refused leaves nothing, so that the next one is not refused for what it left. */
  @Test
  void leavesNothingWhereItIsRefused() throws IOException {
    Path file = file("visits.csv", csv());
    Path deep = folder.resolve("a/b/c");
    String[][] refused = {
      {"--out", deep.toString()},
      {"--out", deep.toString(), "--set", "privacy.epsilon=none"},
      {"--out", deep.toString(), "--set", "release.every.slots=9999"},
    };
    for (String[] each : refused) {
      int code = each.length == 2 ? learn(file, each) : learnSaid(file, each);
      assertThat(code).as("%s", errors).isNotZero();
      assertThat(folder.resolve("a")).as("%s", errors).doesNotExist();
    }
    assertThat(learnSaid(file, "--out", deep.toString())).as("%s", errors).isZero();
    String config = Files.readString(deep.resolve("sotto.yaml"));
    assertThat(learnSaid(
            file, "--out", deep.toString(), "--force", "--set", "release.every.slots=9999"))
        .isEqualTo(ExitCode.NOTHING_LEARNED.code());
    assertThat(Files.readString(deep.resolve("sotto.yaml"))).isEqualTo(config);
    assertThat(deep.resolve("noise.key")).exists();
  }

  /** Most of a file may lie behind a budget that somebody has made too short. */
  @Test
  void saysThatTheBudgetEndedBeforeTheFile() throws IOException {
    Path file = file("visits.csv", csv());
    assertThat(learnSaid(file, "--set", "privacy.horizon.rounds=10", "--set", "batch.size=32"))
        .as("%s", errors)
        .isZero();
    assertThat(errors.toString())
        .contains("The budget was spent after 320 slots, of 1,000 events: from then on they were"
            + " scored only. A longer privacy.horizon.rounds");
    assertThat(out.toString())
        .contains("from 320 of 1,000 events")
        .containsPattern(
            "epsilon (0\\.9|1\\.0)\\d+ at .*, all versions together \\(at most 1\\.0000\\)");
  }

  /** What is known only after the label is in every record of the past, and in none to predict. */
  @Test
  void doubtsAModelThatIsTooGood() throws IOException {
    String text = csv().replaceAll("(?m)page\\d,(\\d)$", "status$1,$1");
    assertThat(learnSaid(file("after.csv", text), "--epsilon", "20"))
        .as("%s", errors)
        .isZero();
    assertThat(out.toString()).contains("a feature may repeat the label");
    assertThat(errors.toString()).doesNotContain("The budget was spent");
    Path blind = file("before.csv", csv().replaceAll("(?m)^[-\\d.E]+", "0.1"));
    assertThat(learnSaid(blind)).as("%s", errors).isZero();
    assertThat(out.toString()).doesNotContain("repeat the label");
  }

  @Test
  void saysWhichCandidateItsFiguresAreOf() throws IOException {
    Path file = file("visits.csv", csv());
    assertThat(learnSaid(file)).as("%s", errors).isZero();
    Path config = folder.resolve("two.yaml");
    Files.writeString(
        config,
        Files.readString(folder.resolve("visits-sotto/sotto.yaml"))
            + "candidates: {b: {ftrl.steps: auto}, a: {features.hash.bits: 4}}\n");
    String out = folder.resolve("two").toString();
    assertThat(learn(file, "-c", config.toString(), "--out", out))
        .as("%s", errors)
        .isZero();
    assertThat(this.out.toString())
        .containsPattern(
            "\nlosses     a \\d\\.\\d{4}, b \\d\\.\\d{4}; all other figures are of a\n");
  }

  /** Marks of missing values are missing in the file, when it is learned from, and when scored. */
  @Test
  void learnsFromNumbersWithMarksOfMissingOnes() throws IOException {
    String[] marks = {"NA", "null", "?", "-", "nan"};
    StringBuilder text = new StringBuilder();
    int row = 0;
    for (String line : csv().split("\n")) {
      row++;
      text.append(row % 10 == 0 ? line.replaceFirst("[^,]*", marks[row / 10 % 5]) : line)
          .append('\n');
    }
    Path file = file("gaps.csv", text.toString());
    assertThat(learnSaid(file, "--json")).as("%s", errors).isZero();
    assertThat(errors.toString()).doesNotContain("x is left", "x has values", "Dead letters");
    JsonNode learned = JSON.readTree(out.toString());
    assertThat(learned.get("examples").asLong()).isEqualTo(1_000);
    assertThat(learned.get("deadLetters").asLong()).isZero();
    Path config = folder.resolve("gaps-sotto/sotto.yaml");
    assertThat(Files.readString(config)).contains("events.missing: usual");
    assertThat(run("replay", file.toString(), "-c", config.toString(), "--json"))
        .isZero();
    assertThat(JSON.readTree(out.toString()).get("deadLetters").asLong()).isZero();
    String model = folder.resolve("gaps-sotto/model.json").toString();
    assertThat(run("predict", file.toString(), "--model-file", model)).isZero();
    assertThat(errors.toString()).contains("predicted for 1,000 of 1,000 events");
  }
}
