package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.MissingParameterException;
import picocli.CommandLine.ParameterException;

/** The commands that the README and the pages of docs show are commands, with options that they have. */
class ShownCommandsTest {
  private static final Path HOME =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();

  private static final CommandLine LINE = Main.commandLine();

  /** A command in a line of code, up to the end of the line, a comment or another command. */
  private static final Pattern SHOWN =
      Pattern.compile("^(?: {4}|\\$ )?(?:[^`|\\n]*\\| )?\\./sotto ([^|#\\n]+)", Pattern.MULTILINE);

  private static List<Path> pages() throws IOException {
    try (Stream<Path> docs = Files.walk(HOME.resolve("docs"))) {
      return Stream.concat(
              Stream.of(
                      "README.md",
                      "benchmarks/README.md",
                      "connectors/README.md",
                      "examples/embedded-learner/README.md",
                      "examples/own-pipeline/README.md",
                      "examples/own-scorer/README.md")
                  .map(HOME::resolve),
              docs.filter(each -> each.toString().endsWith(".md")).sorted())
          .toList();
    }
  }

  private static List<String> shown(String page) {
    String joined = page.replaceAll("\\\\\\R\\s*", "");
    return SHOWN
        .matcher(joined)
        .results()
        .map((MatchResult each) -> each.group(1))
        .toList();
  }

  /** What is said of a command stands after it, behind two blanks or more. */
  static String command(String line) {
    return line.strip().split(" {2,}(?![- ])", 2)[0];
  }

  private static List<String> words(String line) {
    return List.of(command(line).replaceAll("\"[^\"]*\"|'[^']*'", "quoted").split(" +"));
  }

  /** What is wrong with a command, or nothing. */
  private static String fault(String line) {
    List<String> words = words(line);
    boolean whole = words.stream().noneMatch(ShownCommandsTest::isMore);
    try {
      LINE.parseArgs(words.stream().filter(each -> !isMore(each)).toArray(String[]::new));
    } catch (MissingParameterException missing) {
      return whole ? missing.getMessage() : "";
    } catch (ParameterException wrong) {
      return wrong.getMessage();
    }
    return "";
  }

  /** What stands for more options. */
  private static boolean isMore(String word) {
    return word.equals("...") || word.startsWith("$");
  }

  @Test
  void areCommands() throws IOException {
    List<String> faults = new ArrayList<>();
    int commands = 0;
    for (Path page : pages()) {
      for (String line : shown(Files.readString(page))) {
        commands++;
        String fault = fault(line);
        if (!fault.isEmpty()) {
          faults.add(HOME.relativize(page) + ": ./sotto " + line.strip() + ": " + fault);
        }
      }
    }
    assertThat(commands).isGreaterThan(60);
    assertThat(faults).isEmpty();
  }

  @Test
  void findsOneThatIsNone() {
    assertThat(
            shown("    ./sotto ledger --app-id a \\\n        --bootstrap-server b:1   prints it\n"))
        .hasSize(1)
        .allMatch(each -> fault(each).isEmpty());
    assertThat(fault("ledger --bootstrap-server b:1 --app-id a --no-such-option"))
        .isNotEmpty();
    assertThat(fault("no-such-command")).isNotEmpty();
    assertThat(fault("run")).isNotEmpty();
    assertThat(fault("run ...")).isEmpty();
  }
}
