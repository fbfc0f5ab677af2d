package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.evaluation.text.TextRenderer;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.MathContext;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PlanCommandTest extends CommandRuns {
  @TempDir
  private Path folder;

  private static Path home() {
    return Path.of(System.getProperty("basedir", "."), "..").normalize();
  }

  private int plan(String... more) {
    String[] start = {
      "plan", "--all", "-c", home().resolve("examples/minimal.yaml").toString()
    };
    return run(Stream.concat(Stream.of(start), Stream.of(more)).toArray(String[]::new));
  }

  private JsonNode json() throws IOException {
    return new ObjectMapper().readTree(out.toString());
  }

  @Test
  void needsNeitherKeyNorBroker() throws IOException {
    Path file = folder.resolve("sotto.yaml");
    String text = Files.readString(home().resolve("examples/minimal.yaml"));
    Files.writeString(file, text.replaceAll("(?m)^(bootstrap.servers|noise.key.file):.*$", ""));
    assertThat(run("plan", "-c", file.toString())).isZero();
    assertThat(errors.toString()).isEmpty();
    assertThat(out.toString()).startsWith("The plan of " + file + System.lineSeparator());
    for (String[] missing : new String[][] {
      {"noise.key.env=NO_SUCH_VARIABLE", "encryption.key.env=NOR_THIS"},
      {"noise.key.file=/no/such", "encryption.key.file=/no/such"},
      {"noise.key.file=/no/such", "noise.key.previous.files=/no/such,/nor/this"}
    }) {
      int code = run("plan", "-c", file.toString(), "--set", missing[0], "--set", missing[1]);
      assertThat(errors.toString()).isEmpty();
      assertThat(code).isZero();
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"minimal", "persons", "srgd"})
  void answersInEightLines(String example) {
    String file = home().resolve("examples/" + example + ".yaml").toString();
    assertThat(run("plan", "-c", file)).isZero();
    String text = out.toString();
    assertThat(text.lines()).hasSizeLessThanOrEqualTo(9); // with the name of the file
    assertThat(text)
        .contains("beyond epsilon ", "Noise: ", "A version every ", "Written: ")
        .contains("Memory: a heap of ", TextRenderer.MORE)
        .doesNotContain("under every mechanism");
  }

  @Test
  void saysHowLongAFiniteBudgetLasts() {
    String[] short7 = {"--set", "privacy.horizon.rounds=7", "--rate", "100"};
    String file = home().resolve("examples/minimal.yaml").toString();
    assertThat(run("plan", "-c", file, short7[0], short7[1], short7[2], short7[3]))
        .isZero();
    assertThat(out.toString())
        .contains(
            "The budget lasts for 7 rounds, 56 slots (0.56 s at this rate); then learning ends.");
  }

  @Test
  void plansTheOtherAlgorithmAndSeveralScores() {
    String[] srgd = {"--set", "algorithm=accelerated-dp-srgd", "--set", "srgd.beta=1"};
    assertThat(plan(srgd)).as(errors.toString()).isZero();
    assertThat(out.toString()).contains("logistic, accelerated-dp-srgd, ");
    assertThat(plan(srgd[0], srgd[1], srgd[2], srgd[3], "--json")).isZero();
    out.getBuffer().setLength(0);
    assertThat(plan("--set", "loss=softmax", "--set", "loss.classes=5")).isZero();
    assertThat(out.toString()).contains("softmax(5), private-ftrl, ");
  }

  @Test
  void plansTheQueriesOfABlock() throws IOException {
    String[] blocks = {"--set", "algorithm=localized-erm", "--set", "block.slots=256"};
    assertThat(plan(blocks)).as(errors.toString()).isZero();
    assertThat(out.toString())
        .contains("(block.slots 256, less ", "The queries of a block", "retention: an event must")
        .doesNotContain("under every mechanism", "Larger batches");
    assertThat(plan(blocks[0], blocks[1], blocks[2], blocks[3], "--json")).isZero();
    assertThat(json().findValuesAsText("kind"))
        .startsWith("queries", "volume")
        .containsOnlyOnce("queries");
    assertThat(json().get(0).get("chosenSlots").asLong()).isEqualTo(256);
    assertThat(plan("--set", "algorithm=clipped-ac-sa")).isZero();
    assertThat(out.toString()).contains("(block.slots auto)", "an event is read once");
  }

  @Test
  void tellsEveryFaultButTheMissingKey() {
    assertThat(plan("--set", "loss=nonsense", "--set", "noise.key.file=/no/such/key"))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("1 error", "loss must be").doesNotContain("noise.key");
    assertThat(plan("--set", "noise.key.env=OTHER")).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("noise.key.env must be absent");
    assertThat(run("plan", "-c", folder.resolve("none.yaml").toString()))
        .isEqualTo(ExitCode.CONFIGURATION.code());
  }

  @Test
  void printsAnArrayOfRows() throws IOException {
    assertThat(plan("--json", "--rounds", "1,20")).isZero();
    List<String> rounds = new ArrayList<>();
    assertThat(json().findValuesAsText("kind")).contains("plan", "volume");
    for (JsonNode row : json()) {
      if (row.has("mechanism") && row.get("mechanism").asText().equals("blt")) {
        rounds.add(row.get("rounds").asText());
        assertThat(row.get("configured").asBoolean()).isTrue();
      }
    }
    assertThat(rounds).containsExactly("1", "20", "null");
  }

  /**
   * The rows of before, in whatever order their fields stand; to six digits. Writes them anew with
   * {@code -Dgolden.update=true}.
   */
  @ParameterizedTest
  @ValueSource(strings = {"minimal", "persons", "srgd"})
  void keepsTheNamesAndValuesOfItsJson(String example) throws IOException {
    String file = home().resolve("examples/" + example + ".yaml").toString();
    assertThat(run("plan", "-c", file, "--json", "--rounds", "10")).isZero();
    Path kept = Path.of(
        System.getProperty("basedir", "."), "src/test/resources/json/plan-" + example + ".json");
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(kept, rounded(out.toString()));
    }
    ObjectMapper mapper = new ObjectMapper();
    assertThat(mapper.readTree(rounded(out.toString())))
        .isEqualTo(mapper.readTree(Files.readString(kept)));
  }

  private static String rounded(String json) {
    return Pattern.compile("-?\\d+\\.\\d+(E-?\\d+)?")
        .matcher(json)
        .replaceAll(each -> new BigDecimal(each.group())
            .round(new MathContext(6))
            .stripTrailingZeros()
            .toPlainString());
  }

  @Test
  void refusesTheOptionsOfTheSimulationThatIsGone() {
    for (String gone : List.of("--simulate", "--no-simulate", "--seed=1")) {
      assertThat(plan(gone)).isEqualTo(ExitCode.USAGE.code());
      assertThat(errors.toString()).contains("there is no option " + gone.split("=")[0]);
    }
  }

  @Test
  void refusesRoundsThatAreNone() {
    assertThat(plan("--rounds", "10,0")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--rounds must be at least 1, but was 0");
    assertThat(plan("--rounds", "many")).isEqualTo(ExitCode.USAGE.code());
  }

  @Test
  void printsWhatThePageShows() throws IOException {
    String before = System.getProperty("sotto.home");
    System.setProperty("sotto.home", home().toString());
    try {
      String[] tree = {
        "--set", "privacy.mechanism=binary-tree", "--set", "privacy.horizon.rounds=511"
      };
      assertThat(run("plan", "--all", tree[0], tree[1], tree[2], tree[3])).isZero();
    } finally {
      if (before == null) {
        System.clearProperty("sotto.home");
      } else {
        System.setProperty("sotto.home", before);
      }
    }
    assertThat(out.toString()).contains("an example, since no configuration was named");
    String page = Files.readString(home().resolve("docs/plan.md"));
    int begin = page.indexOf("<!-- printed -->");
    List<String> shown = page.substring(begin, page.indexOf("<!-- /printed -->"))
        .lines()
        .filter(line -> line.startsWith("    "))
        .map(PlanCommandTest::even)
        .toList();
    assertThat(shown).hasSizeGreaterThan(10);
    assertThat(out.toString().lines().map(PlanCommandTest::even)).containsAll(shown);
  }

  /** Columns grow with what stands in them. */
  private static String even(String line) {
    return line.strip().replaceAll(" +", " ");
  }
}
