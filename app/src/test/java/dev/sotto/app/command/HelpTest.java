package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.Main;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** What {@code --help} says. */
class HelpTest {
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
