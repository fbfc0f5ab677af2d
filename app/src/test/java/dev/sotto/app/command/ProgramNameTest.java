package dev.sotto.app.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is to be typed is shown as this program was called. */
class ProgramNameTest extends CommandRuns {
  private static final Set<String> COMMANDS = Set.of("run", "key");

  @AfterEach
  void forget() {
    System.clearProperty(ProgramName.PROPERTY);
  }

  @Test
  void isTheOneThatTheLauncherHandsDown() {
    assertThat(ProgramName.called()).isEqualTo("sotto");
    System.setProperty(ProgramName.PROPERTY, "../my tools/sotto");
    assertThat(ProgramName.called()).isEqualTo("'../my tools/sotto'");
    System.setProperty(ProgramName.PROPERTY, "./sotto");
    assertThat(run("run", "--nothing")).isEqualTo(ExitCode.USAGE.code());
    assertThat(errors.toString()).endsWith("Try: ./sotto run --help\n");
    assertThat(ProgramName.in(
            "make one with: sotto key FILE; see ./sotto run, not asotto run or"
                + " what sotto does in a/sotto run",
            COMMANDS))
        .isEqualTo("make one with: ./sotto key FILE; see ./sotto run, not asotto run or what sotto"
            + " does in a/sotto run");
    System.setProperty(ProgramName.PROPERTY, "sotto");
    assertThat(ProgramName.in("see ./sotto run", COMMANDS)).isEqualTo("see sotto run");
  }
}
