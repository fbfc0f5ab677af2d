package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.Main;
import dev.sotto.evaluation.compare.Comparison;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.testing.Tier;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompareCommandTest {
  private static final int EVENTS = 4_000;
  private static final String SOME = "--limit=" + Tier.choose(640, EVENTS);
  private static final String RECORD_LEVEL = """
      app.id: visits
      events.topic: visits
      features.numeric.minutes: {field: minutes, min: 0, max: 60}
      label.field: clicked
      loss: logistic
      batch.size: 64
      release.every.slots: 64
      privacy: {epsilon: 1, delta: 1e-6, horizon.rounds: endless}
      noise.key.file: noise.key
      """;
  private static final String USER_LEVEL =
      RECORD_LEVEL.replace("horizon.rounds: endless", "unit: key, contribution.rounds: 4")
          + "unit: {from: field, field: user}\n";

  @TempDir
  private Path folder;

  private final StringWriter out = new StringWriter();
  private final StringWriter errors = new StringWriter();
  private Path recording;

  private static List<String> visits() {
    Random random = new Random(7); // one of the figures below is theirs, whatever seed a run has
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < EVENTS; i++) {
      double minutes = 60 * random.nextDouble();
      int clicked = random.nextDouble() < 1 / (1 + Math.exp(4 - minutes / 7)) ? 1 : 0;
      lines.add(String.format(
          "{\"user\":\"u%d\",\"minutes\":%s,\"clicked\":%d}",
          random.nextInt(300), minutes, clicked));
    }
    return lines;
  }

  private static final List<String> VISITS = visits();

  @BeforeEach
  void record() throws IOException {
    recording = Files.write(folder.resolve("visits.jsonl"), VISITS);
  }

  private Path file(String name, String yaml) throws IOException {
    return Files.writeString(folder.resolve(name), yaml);
  }

  private Path page() {
    return folder.resolve("page.html");
  }

  private int compare(Object... arguments) {
    out.getBuffer().setLength(0);
    errors.getBuffer().setLength(0);
    Stream<String> start = Stream.of("compare", "--page", page().toString());
    return Main.commandLine()
        .setOut(new PrintWriter(out))
        .setErr(new PrintWriter(errors))
        .execute(Stream.concat(start, Stream.of(arguments).map(Object::toString))
            .toArray(String[]::new));
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  private static JsonNode run(JsonNode json, String name) {
    for (JsonNode each : json.get("runs")) {
      if (each.get("name").asText().equals(name)) {
        return each;
      }
    }
    throw new AssertionError("no run " + name + " in " + json.get("runs"));
  }

  @Test
  void comparesWithReferencesThatAreBetterTheLessTheyProtect() throws IOException {
    Path users = file("users.yaml", USER_LEVEL.replace("epsilon: 1", "epsilon: 0.2"));
    Path records = file("records.yaml", RECORD_LEVEL);
    assertThat(compare("-c", users, "-c", records, "--throwaway-key", "--json", recording))
        .as(errors.toString())
        .isZero();
    JsonNode json = json();
    assertThat(json.get("private").asBoolean(true)).isFalse();
    assertThat(errors.toString()).contains("NOT PRIVATE");
    JsonNode user = run(json, "users");
    assertThat(user.get("examples").asLong()).isEqualTo(EVENTS);
    assertThat(user.get("rounds").asLong()).isEqualTo(EVENTS / 64);
    assertThat(user.get("epsilon").asDouble()).isBetween(0.15, 0.2);
    assertThat(user.get("accuracy").asDouble()).isBetween(0.4, 1.0);
    assertThat(user.get("snapshotDigest").asText()).hasSize(64);
    JsonNode bounding = run(json, "bounding only");
    JsonNode none = run(json, "without privacy (users)");
    assertThat(none.get("epsilon").isNull()).isTrue();
    double best = none.get("loss").asDouble();
    assertThat(best).isLessThan(bounding.get("loss").asDouble());
    assertThat(bounding.get("loss").asDouble()).isLessThan(user.get("loss").asDouble());
    assertThat(user.get("excessOverNonPrivate").asDouble())
        .isEqualTo(user.get("loss").asDouble() - best);
    assertThat(run(json, "records").get("excessOverBoundingOnly").isNull()).isTrue();
    assertThat(json.get("configurations").get(0).get("key").asText())
        .startsWith("a throwaway key, of seed 0, id ");
    assertThat(json.get("configurations").get(0).get("differingSettings").toString())
        .contains("privacy.unit")
        .doesNotContain("noise.key");
  }

  @Test
  void writesAPageThatOnlyItsOwnerCanRead() throws IOException {
    Path hostile = file("<img src=x onerror=alert(1)>.yaml", RECORD_LEVEL);
    Files.writeString(page(), "old");
    assertThat(compare("-c", hostile, "--throwaway-key", SOME, recording)).isZero();
    assertThat(out.toString()).startsWith(Comparison.WARNING).contains("page: " + page());
    assertThat(out.toString()).doesNotContain("\u001b["); // no terminal, no colours
    assertThat(Files.readString(page())).contains(Comparison.WARNING).doesNotContain("<img");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(page())))
        .isEqualTo("rw-------");
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(each -> each.getFileName().toString()))
          .noneMatch(name -> name.endsWith(".tmp"));
    }
  }

  @Test
  void givesTheSameBitsForTheSameSeedWhateverTheThreads() throws IOException {
    Path users = file("users.yaml", USER_LEVEL);
    List<String> digests = new ArrayList<>();
    for (String[] flags :
        new String[][] {{"--threads=1"}, {"--threads=3"}, {"--seed=2", "--threads=3"}}) {
      List<Object> arguments = new ArrayList<>(
          List.of("-c", users, "--throwaway-key", "--no-page", "--json", SOME, recording));
      arguments.addAll(List.of(flags));
      assertThat(compare(arguments.toArray())).isZero();
      digests.add(run(json(), "users").get("snapshotDigest").asText());
    }
    assertThat(digests.get(0)).isEqualTo(digests.get(1)).isNotEqualTo(digests.get(2));
    assertThat(page()).doesNotExist();
  }

  @Test
  void usesTheConfiguredKeyUnlessAskedNotTo() throws IOException {
    Path key = folder.resolve("own.key");
    String id = NoiseKey.create(key).id();
    Path own = file(
        "own.yaml",
        RECORD_LEVEL
            .replace("noise.key: noise.key", "noise.key: x")
            .replace("file: noise.key", "file: " + key));
    assertThat(compare("-c", own, SOME, recording)).as(errors.toString()).isZero();
    assertThat(out.toString()).contains("noise of own: its own key, id " + id);
    assertThat(compare("-c", own, "--throwaway-key", SOME, recording)).isZero();
    assertThat(out.toString())
        .contains("noise of own: a throwaway key, of seed 0")
        .doesNotContain(id);
  }

  @Test
  void hidesNoRunBehindTheFaultsOfAnother() throws IOException {
    Path sound = file("sound.yaml", RECORD_LEVEL);
    Path faulty = file("faulty.yaml", RECORD_LEVEL.replace("loss: logistic", "loss: loud"));
    Path blind = file("blind.yaml", RECORD_LEVEL.replace("field: minutes", "field: hours"));
    Path absent = folder.resolve("absent.yaml");
    assertThat(compare(
            "-c", faulty, "-c", sound, "-c", blind, "-c", absent, "--throwaway-key", recording))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(out.toString())
        .contains("faulty could not be run (CONFIGURATION)", "but was loud")
        .contains("absent could not be run (CONFIGURATION)", "does not exist")
        .contains(
            "blind could not be run (RECORDING): none of the 4,000 records",
            "MISSING_FIELD 4,000 (field \"hours\" must be a number, but is missing)")
        .containsPattern("(?m)^  sound +0\\.8012 +62 +4,000 ");
    assertThat(Files.readString(page())).contains("could not be run (CONFIGURATION)", "<figure");
  }

  @Test
  void saysThatNoRealKeyIsNeeded() throws IOException {
    assertThat(compare("-c", file("keyless.yaml", RECORD_LEVEL), recording))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).containsOnlyOnce("--throwaway-key takes another for all runs");
  }

  @Test
  void readsNoMoreThanTheLimit() throws IOException {
    Path sound = file("sound.yaml", RECORD_LEVEL);
    assertThat(compare("-c", sound, "--throwaway-key", "--json", "--limit=640", recording))
        .isZero();
    assertThat(run(json(), "sound").get("examples").asLong()).isEqualTo(640);
    assertThat(json().get("limit").asLong()).isEqualTo(640);
  }

  @Test
  void refusesWhatItCannotDoBeforeItBegins() throws IOException {
    Path sound = file("sound.yaml", RECORD_LEVEL);
    for (Object[] wrong : new Object[][] {
      {"-c", sound, "--limit=0", recording},
      {"-c", sound, "--threads=0", recording},
      {"-c", sound, "--page", folder.resolve("no/such/folder.html"), recording},
      {"-c", sound, "--page", folder, recording},
      {"-c", sound, "--page", recording, recording},
      {"-c", sound, "--page", sound, recording},
      {"-c", sound, "--format=loud", recording},
      {"-c", sound},
      {recording},
    }) {
      assertThat(compare(wrong)).as(List.of(wrong).toString()).isEqualTo(ExitCode.USAGE.code());
    }
    assertThat(compare("-c", sound, "--throwaway-key", folder.resolve("absent.jsonl")))
        .isEqualTo(ExitCode.RECORDING.code());
    assertThat(page()).doesNotExist();
  }
}
