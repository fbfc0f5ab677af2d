package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.serdes.record.Codecs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MainTest extends CommandRuns {
  @TempDir
  private Path folder;

  private Path home() {
    return Path.of(System.getProperty("basedir", "."), "..").normalize();
  }

  private String[] check(String... more) {
    Path key = folder.resolve("key");
    if (!Files.exists(key)) {
      run("key", key.toString());
    }
    String[] all = {
      "run",
      "-c",
      home().resolve("examples/minimal.yaml").toString(),
      "--set",
      "noise.key.file=" + key,
      "--check",
      "--all"
    };
    String[] joined = Arrays.copyOf(all, all.length + more.length);
    System.arraycopy(more, 0, joined, all.length, more.length);
    return joined;
  }

  @Test
  void printsSettingsAndPromiseWhenItChecks() {
    assertThat(run(check("--bootstrap-server", "far:1", "--set", "kafka.sasl.jaas.config=hunter2")))
        .isZero();
    assertThat(out.toString())
        .contains("bootstrap.servers: far:1")
        .contains(
            "batch.size: auto", "# rounds of 32 slots; a version is published after 128 of them")
        .contains("kafka.sasl.jaas.config: \"********\"")
        .contains("sigma")
        .containsPattern("# +1 +0\\.\\d+ +1\\.\\d+")
        .containsPattern("# +1000 +0\\.\\d+ +1\\.\\d+\n")
        .containsPattern("# +limit +0\\.\\d+ +(2|1\\.9+)\\d*\n");
    assertThat(errors.toString()).isEmpty();
  }

  @Test
  void answersACheckInEightLines() {
    String[] answer = check();
    assertThat(run(Arrays.copyOf(answer, answer.length - 1))).isZero();
    assertThat(out.toString())
        .startsWith("This configuration can run: nothing is wrong with it.")
        .contains("learned from any one record, beyond epsilon 2 at delta")
        .contains("The budget lasts for ever.", "from points, in layout ordered.")
        .endsWith(TextRenderer.MORE + System.lineSeparator())
        .doesNotContain("#", "batch.size");
    assertThat(out.toString().lines().count()).isLessThanOrEqualTo(8);
  }

  @Test
  void refusesAllAndJsonWhereTheyMeanNothing() {
    String config = home().resolve("examples/minimal.yaml").toString();
    assertThat(run("run", "-c", config, "--all")).isNotZero();
    assertThat(run(check("--json"))).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--json is for a run");
  }

  @Test
  void promisesBlocksWhereTheAlgorithmLearnsFromThem() {
    assertThat(run(check("--set", "algorithm=localized-erm", "--set", "block.slots=64")))
        .isZero();
    assertThat(out.toString())
        .containsPattern("# blocks of \\d+ slots, \\d+ queries each, [0-9.]+ passes; a version is"
            + " published after each\n")
        .containsPattern("#   blocks +mu +epsilon\n")
        .contains("were a block one query")
        .doesNotContain("rounds of");
    assertThat(run(check("--set", "algorithm=clipped-ac-sa", "--set", "block.slots=64")))
        .isZero();
    assertThat(out.toString()).containsPattern("queries each, 1 pass; a version");
  }

  @Test
  void saysThatRoundsBeyondTheBudgetNeverHappen() {
    assertThat(run(check("--set", "privacy.horizon.rounds=7"))).isZero();
    assertThat(out.toString())
        .containsPattern("# +10 .*beyond the budget")
        .containsPattern("# +7 \\(last\\)");
  }

  @Test
  void saysThatAUnitInSeveralModelsPaysInEach() {
    String several = "several models adds up in squares of mu";
    String[] keyed = {
      "--set", "layout=direct",
      "--set", "privacy.unit=key",
      "--set", "unit.from=key",
      "--set", "privacy.contribution=schedule",
      "--set", "privacy.contribution.most=3",
    };
    String[] parted = Arrays.copyOf(keyed, keyed.length + 2);
    parted[keyed.length] = "--set";
    parted[keyed.length + 1] = "model.id.source=partition";
    assertThat(run(check(parted))).isZero();
    assertThat(out.toString()).contains("# in one model: ", several);
    assertThat(run(check(keyed))).isZero();
    assertThat(out.toString())
        .contains("# hidden: all records with one unit id: whether ")
        .doesNotContain(several);
    assertThat(run(check("--set", "layout=direct", "--set", "model.id.source=partition")))
        .isZero();
    assertThat(out.toString())
        .contains("# hidden: one record of the stream: ")
        .doesNotContain(several);
  }

  private static String[] with(String[] command, String setting) {
    String[] all = Arrays.copyOf(command, command.length + 2);
    all[command.length] = "--set";
    all[command.length + 1] = setting;
    return all;
  }

  @Test
  void tellsTheLimitOfAnEndlessStream() {
    String[] endless = {
      "--set", "privacy.horizon.rounds=endless", "--set", "privacy.mechanism=independent"
    };
    assertThat(run(check(endless))).isZero();
    assertThat(out.toString())
        .containsPattern("# +limit +0\\.\\d+ +(2|1\\.9+)\\d*\n")
        .doesNotContain("(last)");
  }

  @Test
  void tellsHowOftenAUnitCountsAndWhatMetricsTake() {
    String[] persons = check();
    persons[2] = home().resolve("examples/persons.yaml").toString();
    assertThat(run(with(persons, "batch.size=32"))).isZero();
    assertThat(out.toString())
        .containsPattern(
            "# each unit has a budget of its own, mu 0\\.\\d+ or epsilon (2|1\\.9+)\\d*,"
                + " reserved for all that it will ever send: it is admitted to 3 rounds that lie 4"
                + " apart, or to more that lie further apart\n# never to two rounds that lie less than 4 rounds apart, 128"
                + " slots from the beginning of one to that of the other"
                + " \\(privacy\\.contribution\\.separation\\.slots\\)\n")
        .containsPattern("# metrics of each version: .* over 4096 records .* take 10\\.0 % of the"
            + " budget of a unit that is in 3 rounds that lie 4 apart\n");
    assertThat(run(with(persons, "privacy.contribution.separation.slots=none"))).isZero();
    assertThat(out.toString())
        .contains(": it is admitted to 3 rounds in a row, or to more that lie apart\n")
        .contains("# learned from, of a unit's records: 3 of 10 (30 %), 3 of 30 (10 %), 3 of 100")
        .contains("of a unit that is in 3 rounds in a row\n")
        .doesNotContain("privacy.contribution.separation.slots)");
    assertThat(run(check("--set", "metrics.share=0.25"))).isZero();
    assertThat(out.toString())
        .containsPattern("# metrics of each version: .* take 25\\.0 % of the budget\n")
        .doesNotContain("each unit");
    assertThat(run(check())).isZero();
    assertThat(out.toString().lines().filter(line -> line.startsWith("#   limit ")))
        .hasSize(1);
    assertThat(out.toString().lines().reduce((first, last) -> last))
        .hasValueSatisfying(line -> assertThat(line).startsWith("# the noise of 1,000 rounds is"));
  }

  @Test
  void warnsLoudlyWhereMetricsAreExact() {
    assertThat(run(check("--set", "metrics.unsafe.exact=true"))).isZero();
    assertThat(errors.toString().lines())
        .hasSizeGreaterThan(3)
        .allMatch(line -> line.startsWith("WARN  "))
        .anyMatch(line -> line.contains("THERE IS NO PRIVACY GUARANTEE"))
        .anyMatch(line -> line.contains("public or synthetic data only"));
    assertThat(out.toString())
        .containsPattern("# +limit +inf +inf\n")
        .contains("# metrics carry no noise")
        .doesNotContainPattern("# +\\d+ .*\\d\\.\\d");
    assertThat(run(check("--set", "metrics.share=0.1"))).isZero();
    assertThat(errors.toString()).isEmpty();
  }

  @Test
  void endsWithTheCodeOfAFaultyConfiguration() throws IOException {
    Path file = Files.writeString(folder.resolve("bad.yaml"), "app.id: a b\nthreads: no\n");
    assertThat(run("run", "-c", file.toString())).isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString().lines().findFirst().orElseThrow())
        .startsWith("sotto: ")
        .contains("bad.yaml has ", "errors; nothing was started");
    assertThat(errors.toString())
        .contains("app.id must be")
        .contains("threads must be")
        .doesNotContain("\tat ");
    assertThat(out.toString()).isEmpty();
    assertThat(run("run", "--verbose", "-c", file.toString()))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("\tat dev.sotto");
    assertThat(run("run", "-c", folder.resolve("none.yaml").toString()))
        .isEqualTo(ExitCode.CONFIGURATION.code());
    assertThat(errors.toString()).contains("none.yaml must be a readable file, but does not exist");
  }

  @Test
  void printsWarnings() {
    assertThat(run(check("--set", "privacy.delta=0.01"))).isZero();
    assertThat(errors.toString()).startsWith("warning: privacy.delta is 0.01");
  }

  @Test
  void endsWithTheCodeOfWrongUsage() {
    assertThat(run("run")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .startsWith("sotto: sotto run must be given --config FILE, but was not; add it")
        .contains("Try: sotto run --help");
    assertThat(run("nonsense")).isEqualTo(ExitCode.USAGE.code());
    assertThat(run()).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).startsWith("Usage: sotto");
    assertThat(run(check("--embedded", "--bootstrap-server", "a:1")))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("exclude each other");
  }

  @Test
  void namesTheOptionThatThereIsNot() {
    assertThat(run("ledger", "--bootstrap-servers", "b:1", "--app-id", "a"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains("there is no option --bootstrap-servers of sotto ledger;"
            + " did you mean --bootstrap-server?")
        .contains("Try: sotto ledger --help");
    assertThat(run("run", "--confg=a.yaml")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains("there is no option --confg of sotto run; did you mean --config?");
    assertThat(run("alias", "set", "--foo")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("there is no option --foo of sotto alias set");
    assertThat(run("alias", "set", "a", "m@1", "--note", "--foo", "--expectt", "1"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains("there is no option --expectt of sotto alias set; did you mean --expect?");
    assertThat(run("replay")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains("sotto replay must be given --config FILE and RECORDING, but was not; add them");
  }

  /** What picocli finds is said in one line: what must be, what was, and what to do. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "leran a.csv | sotto has no command leran; did you mean learn?",
        "leran a.csv --label y | sotto has no command leran; did you mean learn?",
        "ledgr | sotto has no command ledgr; did you mean ledger?",
        "alias sett a m@1 | sotto alias has no command sett; did you mean set?",
        "alias | alias needs one of: set, list, history, rollback, delete",
        "learn a.csv b.csv | sotto learn must have no further argument, but has b.csv; leave it",
        "learn a.csv --label | --label must have a value, but has none; write --label FIELD",
        "init a.csv --rows many | --rows must be a whole number that is not too large, but was",
        "init a.csv --format xml | --format must be one of [avro, json-lines, csv, libsvm], but",
        "learn a.csv --label a --label b | --label must be given once, but was given again;",
        "learn a.csv --unit u --unit-key | --unit, --unit-key must not stand together, but do;",
        "learn a.csv --json=3 | --json must stand without a value, but has 3; leave the value out",
        "help nonsense | sotto has no command nonsense"
      })
  void saysInOurFormWhatPicocliFinds(String line, String said) {
    assertThat(run(line.split(" "))).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).startsWith("sotto: " + said).contains("Try: sotto");
    assertThat(errors.toString().lines()).hasSize(2);
  }

  @Test
  void takesAModelWithItsVersion() {
    for (String wrong : new String[] {"@1", "m@0", "m@", "m@9999999999999999999"}) {
      assertThat(run("snapshot", "--model", wrong, "--app-id", "a", "--bootstrap-server", "b:1"))
          .as(wrong)
          .isEqualTo(ExitCode.USAGE.code());
      assertThat(errors.toString()).contains("--model");
    }
    assertThat(run(
            "export",
            "--model=m@1",
            "--alias=x",
            "--out=o",
            "--app-id=a",
            "--bootstrap-server=127.0.0.1:1"))
        .isNotZero();
    assertThat(run("alias", "set", "x", "m", "--app-id=a", "--bootstrap-server=127.0.0.1:1"))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("MODEL@VERSION must be", "but was m");
    assertThat(NamedVersion.of("a@b@12"))
        .isEqualTo(new NamedVersion("a@b", OptionalLong.of(12), true));
    assertThat(NamedVersion.of("a@5@newest").model()).isEqualTo("a@5");
    assertThat(NamedVersion.of("m").named()).isFalse();
    assertThat(ModelOptions.number(NamedVersion.of("m"), 7L)).hasValue(7);
    assertThatThrownBy(() -> ModelOptions.number(NamedVersion.of("m@1"), 7L))
        .hasMessageContaining("leave out --version-number");
  }

  @Test
  void makesAKeyOnceAndNeverOverwritesIt() throws IOException {
    Path key = folder.resolve("new");
    assertThat(run("key", key.toString())).isZero();
    String digits = Files.readString(key).strip();
    assertThat(digits).hasSize(64);
    assertThat(out.toString()).doesNotContain(digits);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(key)))
        .isEqualTo("rw-------");
    assertThat(run("key", key.toString())).isEqualTo(ExitCode.USAGE.code());
    assertThat(Files.readString(key).strip()).isEqualTo(digits);
  }

  @Test
  void makesAKeysetAndRotatesIt() throws IOException {
    Path file = folder.resolve("keyset");
    assertThat(run("key", "--encryption", file.toString())).isZero();
    String made = Files.readString(file);
    String first = out.toString().replaceFirst("(?s)made encryption key (\\d+) .*", "$1");
    assertThat(made).contains("\"primaryKeyId\":" + first + ",");
    assertThat(out.toString()).doesNotContain(secretOf(made));
    assertThat(run("key", "--encryption", file.toString())).isEqualTo(ExitCode.USAGE.code());
    assertThat(file).hasContent(made);

    assertThat(run("key", "--encryption", "--rotate", file.toString())).isZero();
    String rotated = Files.readString(file);
    assertThat(rotated).contains("\"keyId\":" + first + ",").contains(secretOf(made));
    assertThat(rotated).doesNotContain("\"primaryKeyId\":" + first + ",");
    assertThat(out.toString()).contains("added encryption key", "stop all instances");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(run(check("--set", "encryption.key.file=" + file))).isZero();
    assertThat(out.toString()).contains("encryption.key.file: " + file);
  }

  private static String secretOf(String keyset) {
    return keyset.replaceFirst("(?s).*?\"value\":\"([^\"]+)\".*", "$1");
  }

  @Test
  void refusesToRotateWhatIsNoKeyset() throws IOException {
    Path noise = folder.resolve("noise");
    run("key", noise.toString());
    String digits = Files.readString(noise).strip();
    assertThat(run("key", "--rotate", noise.toString())).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("--rotate needs --encryption");
    assertThat(run("key", "--encryption", "--rotate", noise.toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString())
        .contains("could not be rotated", "must be a Tink keyset")
        .doesNotContain(digits);
    assertThat(run("key", "--encryption", "--rotate", folder.resolve("none").toString()))
        .isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("does not exist");
    assertThat(Files.readString(noise).strip()).isEqualTo(digits);
  }

  @Test
  void printsTheManual() throws IOException {
    assertThat(run("config", "--markdown")).isZero();
    assertThat(out.toString()).isEqualTo(Files.readString(home().resolve("docs/configuration.md")));
    assertThat(run("config", "--yaml")).isZero();
    assertThat(out.toString()).contains("# --- Privacy ---");
    assertThat(run("config")).isEqualTo(ExitCode.USAGE.code());
  }

  @Test
  void helpsAndTellsItsVersion() {
    assertThat(run("--help")).isZero();
    assertThat(out.toString()).contains("run", "config", "docs/exit-codes.md");
    assertThat(run("run", "--help")).isZero();
    assertThat(out.toString()).contains("--check", "--embedded", "--set", "--verbose");
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("sotto ");
  }

  /** Whoever reads a topic of a learner may meet what something else has written there. */
  @Test
  void hasACodeForRecordsThatAreNone() {
    assertThatThrownBy(() -> Codecs.LEDGER.decode(new byte[] {'{', '}'}))
        .hasMessageContaining("LedgerEntry cannot be read")
        .satisfies(foreign -> assertThat(ExitCode.of(foreign)).isEqualTo(ExitCode.UNVERIFIED));
  }

  @Test
  void documentsEveryExitCode() throws IOException {
    String page = Files.readString(home().resolve("docs/exit-codes.md"));
    for (ExitCode code : ExitCode.values()) {
      assertThat(page).contains("| " + code.code() + " | " + code.name() + " | ");
    }
  }
}
