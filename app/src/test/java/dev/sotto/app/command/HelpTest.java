package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/** What {@code --help} says, and what else is made from the commands. */
class HelpTest extends CommandRuns {
  private static final Map<String, CommandLine> COMMANDS = Main.commandLine().getSubcommands();

  /** The list of commands shows the first paragraph alone. */
  @Test
  void listsEveryCommandByAWholeSentence() {
    assertThat(COMMANDS).isNotEmpty().allSatisfy((name, command) -> {
      String[] paragraphs = command.getCommandSpec().usageMessage().description();
      assertThat(paragraphs).as(name).isNotEmpty().allMatch(each -> each.endsWith("."));
    });
  }

  @Test
  void listsEveryCommandInAGroup() {
    assertThat(run("--help")).isZero();
    String help = out.toString();
    assertThat(COMMANDS.keySet())
        .allSatisfy(name -> assertThat(
                help.lines().filter(line -> line.startsWith("  " + name + " ")))
            .hasSize(1));
    assertThat(help).contains("Learn:", "Read and use what it has published:");
  }

  @Test
  void isPrintedByHelpToo() {
    assertThat(run("alias", "set", "--help")).isZero();
    String help = out.toString();
    assertThat(run("help", "alias", "set")).isZero();
    assertThat(out.toString()).isEqualTo(help).contains("MODEL@VERSION");
    assertThat(run("help", "ledgr")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).contains("has no command ledgr; did you mean ledger?");
  }

  /** A command is made without the others, as it would be among them. */
  @Test
  void isTheSameOfACommandAlone() {
    assertThat(COMMANDS).allSatisfy((name, command) -> {
      CommandLine alone = Main.commandLine(Map.of(), name, "--help");
      assertThat(alone.getSubcommands().get(name).getUsageMessage())
          .isEqualTo(command.getUsageMessage());
    });
    assertThat(Main.commandLine(Map.of(), "ledger").getSubcommands()).hasSize(1);
    for (String whole : List.of("ledgr", "help", "completion", "man", "--help")) {
      assertThat(Main.commandLine(Map.of(), whole).getSubcommands()).hasSameSizeAs(COMMANDS);
    }
    assertThat(run("--version")).isZero();
    assertThat(out.toString()).startsWith("sotto ");
  }

  /** Lines are broken at blanks alone, so that an option can be searched for and copied. */
  @ParameterizedTest
  @CsvSource({"60,ON", "80,OFF", "120,ON"})
  void breaksNoWord(int width, Ansi colors) {
    all(Main.commandLine()).forEach(command -> {
      String name = command.getCommandSpec().qualifiedName();
      List<String> whole = words(command, 400, Ansi.OFF);
      List<String> broken = words(command, width, colors);
      assertThat(broken).as("%s", name).isEqualTo(whole);
    });
  }

  private static Stream<CommandLine> all(CommandLine command) {
    return Stream.concat(
        Stream.of(command), command.getSubcommands().values().stream().flatMap(HelpTest::all));
  }

  private static List<String> words(CommandLine command, int width, Ansi colors) {
    command.setUsageHelpAutoWidth(false).setUsageHelpWidth(width);
    String help = command.getUsageMessage(colors).replaceAll("\u001B\\[[0-9;]*m", "");
    assertThat(help.lines().filter(each -> each.length() > width && each.strip().contains(" ")))
        .as("%s at %s", command.getCommandSpec().qualifiedName(), width)
        .isEmpty();
    return List.of(help.strip().split("\\s+"));
  }

  @Test
  void completesCommandsAndOptions() {
    assertThat(run("completion", "bash")).isZero();
    assertThat(out.toString())
        .contains("complete -F _complete_sotto")
        .contains("--bootstrap-server")
        .doesNotContain("--version-number");
    assertThat(run("completion", "zsh")).isZero();
    assertThat(out.toString()).startsWith("autoload -Uz compinit && compinit");
    assertThat(run("completion", "fish")).isEqualTo(ExitCode.USAGE.code());
  }

  @Test
  void isAManPageToo(@TempDir Path folder) throws IOException {
    assertThat(run("man", "alias", "set")).isZero();
    assertThat(out.toString())
        .startsWith(".TH SOTTO-ALIAS-SET 1 ")
        .contains(".SH NAME\nsotto\\-alias\\-set \\- Let an alias name")
        .contains("\\fB\\-\\-expect\\fR=\\fINUMBER\\fR\n");
    assertThat(run("man", "--out", folder.toString())).isZero();
    try (Stream<Path> pages = Files.list(folder.resolve("man1"))) {
      assertThat(pages)
          .hasSizeGreaterThan(COMMANDS.size())
          .allSatisfy(page ->
              assertThat(Files.readString(page)).contains(".SH SYNOPSIS").doesNotContain("${"));
    }
    assertThat(folder.resolve("man1/sotto-ledger.1")).exists();
    assertThat(Files.readString(folder.resolve("man1/sotto-predict.1")))
        .doesNotContain("version\\-number");
  }

  @Test
  void namesTheExitCodesThatTheCommandsEndWith() {
    Map<String, Integer> named = new TreeMap<>();
    Pattern code = Pattern.compile("Ends with (\\d+)");
    COMMANDS.forEach((name, command) -> {
      String help = String.join(" ", command.getCommandSpec().usageMessage().description());
      Matcher found = code.matcher(help);
      if (found.find()) {
        named.put(name, Integer.parseInt(found.group(1)));
      }
    });
    assertThat(named)
        .containsOnly(
            Map.entry("audit", ExitCode.REFUTED.code()),
            Map.entry("explain", ExitCode.NOT_THERE.code()),
            Map.entry("learn", ExitCode.NOTHING_LEARNED.code()),
            Map.entry("ledger", ExitCode.UNVERIFIED.code()),
            Map.entry("predict", ExitCode.RECORDING.code()),
            Map.entry("preflight", ExitCode.UNFIT.code()),
            Map.entry("replay", ExitCode.RECORDING.code()),
            Map.entry("reset", ExitCode.IN_USE.code()),
            Map.entry("snapshot", ExitCode.UNVERIFIED.code()),
            Map.entry("verify", ExitCode.DIFFERENT.code()));
  }
}
