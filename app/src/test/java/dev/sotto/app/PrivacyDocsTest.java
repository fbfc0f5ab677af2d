package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/privacy.md and the proofs of it leave out no command, no mechanism and no way in which one record is told. */
class PrivacyDocsTest {
  private static final Pattern QUOTED = Pattern.compile("`([a-z-]+)[^`]*`");
  private static final Pattern NAME =
      Pattern.compile("String name\\(\\) \\{\\s+return (?:NAME|\"([a-z-]+)\");");
  private static final Pattern CONSTANT = Pattern.compile("String NAME = \"([a-z-]+)\"");

  private static Path project() {
    Path here = Path.of("").toAbsolutePath();
    return Files.exists(here.resolve("docs")) ? here : here.getParent();
  }

  private static String section(String from, String to) throws IOException {
    String page = Files.readString(project().resolve("docs/privacy.md"));
    return page.substring(page.indexOf("\n## " + from), page.indexOf("\n## " + to));
  }

  private static Set<String> named(String section, String... beginnings) {
    Set<String> named = new TreeSet<>();
    section
        .lines()
        .filter(line -> Stream.of(beginnings).anyMatch(line::startsWith))
        .flatMap(row -> QUOTED.matcher(row).results())
        .forEach(match -> named.add(match.group(1)));
    return named;
  }

  /** On which side of the trust boundary its output is. */
  @Test
  void namesEveryCommand() throws IOException {
    String released = section("What is released, and to whom", "The guarantee");
    assertThat(named(released, "| output ", "| messages of "))
        .containsAll(Main.commandLine().getSubcommands().keySet());
  }

  /** How far the sampler is from the noise of each; that of one is exact, and one has none. */
  @Test
  void saysOfEveryMechanismWhatItsSamplerLeavesOut() throws IOException {
    Set<String> mechanisms = mechanisms();
    assertThat(mechanisms).contains("blt", "ordered-path", "window-tree", "laplace", "none");
    mechanisms.removeAll(List.of("laplace", "none"));
    String proofs = Files.readString(project().resolve("docs/development/privacy-proofs.md"));
    String approximations = proofs.substring(
        proofs.indexOf("\n## Approximations"), proofs.indexOf("\nThe total at mu = 1"));
    assertThat(named(approximations, "| `")).isEqualTo(mechanisms);
  }

  private static Set<String> mechanisms() throws IOException {
    Set<String> names = new TreeSet<>();
    Path sources = project().resolve("learner/src/main/java/dev/sotto/learner/mechanism");
    try (Stream<Path> all = Files.list(sources)) {
      for (Path each : all.toList()) {
        String text = Files.readString(each);
        Matcher name = NAME.matcher(text);
        if (name.find()) {
          Matcher constant = CONSTANT.matcher(text);
          names.add(name.group(1) != null || !constant.find() ? name.group(1) : constant.group(1));
        }
      }
    }
    return names;
  }

  @Test
  void namesTheClassOfAFaultAsTheBitsThatItIs() throws IOException {
    assertThat(section("What is not covered", "Pitfalls")).contains("\n- The class of a fault, ");
    assertThat(section("What is released, and to whom", "The guarantee"))
        .contains("the class of the fault stands outside");
  }
}
