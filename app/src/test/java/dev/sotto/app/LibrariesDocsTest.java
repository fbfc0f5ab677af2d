package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/libraries.md lists types that are there and public, and examples use no others. */
class LibrariesDocsTest {
  private static final Path HOME = Path.of(System.getProperty("basedir", ".")).resolve("..");
  private static final Pattern LISTED =
      Pattern.compile("`(dev\\.sotto(?:\\.[a-z]+)+\\.[A-Z]\\w*)`");
  private static final Pattern IMPORTED =
      Pattern.compile("^import (dev\\.sotto(?:\\.[a-z]+)+\\.[A-Z]\\w*)", Pattern.MULTILINE);

  private static Set<String> found(Pattern pattern, Path file) throws IOException {
    return pattern
        .matcher(Files.readString(file))
        .results()
        .map((MatchResult each) -> each.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static Set<String> listed() throws IOException {
    return found(LISTED, HOME.resolve("docs/libraries.md"));
  }

  private static boolean isPublic(String type) throws IOException {
    String[] words = type.split("\\.");
    Path source =
        HOME.resolve(words[2]).resolve("src/main/java/" + type.replace('.', '/') + ".java");
    String name = words[words.length - 1];
    return Files.exists(source)
        && Pattern.compile("^public [a-z ]*\\b" + name + "\\b", Pattern.MULTILINE)
            .matcher(Files.readString(source))
            .find();
  }

  @Test
  void listsTypesThatArePublic() throws IOException {
    assertThat(listed()).hasSizeGreaterThan(30).allMatch(LibrariesDocsTest::isPublicHere);
    assertThat(isPublic("dev.sotto.client.ModelFollower"))
        .as("others are told apart")
        .isFalse();
    assertThat(isPublic("dev.sotto.client.Nothing")).isFalse();
  }

  private static boolean isPublicHere(String type) {
    try {
      return isPublic(type);
    } catch (IOException unreadable) {
      throw new AssertionError(unreadable);
    }
  }

  @Test
  void showsExamplesThatUseNoOthers() throws IOException {
    List<Path> sources;
    try (Stream<Path> all = Files.walk(HOME.resolve("examples"))) {
      sources = all.filter(each -> each.toString().endsWith(".java")).toList();
    }
    assertThat(sources).hasSizeGreaterThan(8);
    Set<String> used = new TreeSet<>();
    for (Path each : sources) {
      used.addAll(found(IMPORTED, each));
    }
    assertThat(used).hasSizeGreaterThan(10).isSubsetOf(listed());
  }
}
