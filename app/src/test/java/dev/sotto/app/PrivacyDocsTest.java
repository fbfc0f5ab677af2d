package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/privacy.md says of every command's output on which side of the trust boundary it is. */
class PrivacyDocsTest {
  private static final Pattern NAME = Pattern.compile("`([a-z]+)[^`]*`");

  @Test
  void namesEveryCommand() throws IOException {
    Path here = Path.of("").toAbsolutePath();
    Path project = Files.exists(here.resolve("docs")) ? here : here.getParent();
    String page = Files.readString(project.resolve("docs/privacy.md"));
    String released = page.substring(
        page.indexOf("## What is released, and to whom"), page.indexOf("## The guarantee"));
    Set<String> named = new TreeSet<>();
    released
        .lines()
        .filter(line -> line.startsWith("| output ") || line.startsWith("| messages of "))
        .forEach(
            row -> NAME.matcher(row).results().map(match -> match.group(1)).forEach(named::add));
    assertThat(named).containsAll(Main.commandLine().getSubcommands().keySet());
  }
}
