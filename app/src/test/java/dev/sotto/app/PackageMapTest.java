package dev.sotto.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The tables in docs/development/contributing.md name each package once, and no other. */
class PackageMapTest {
  private static final Path PAGE = Path.of("..", "docs", "development", "contributing.md");
  private static final Pattern NAME = Pattern.compile("`([a-z]+)`");

  @ParameterizedTest
  @ValueSource(strings = {"learner", "topology"})
  void namesEveryPackage(String module) throws IOException {
    Set<String> packages = OurClasses.ALL.stream()
        .map(each -> each.getPackageName().split("\\."))
        .filter(each -> each.length > 3 && each[2].equals(module))
        .map(each -> each[3])
        .collect(Collectors.toCollection(TreeSet::new));
    assertThat(packages).hasSizeGreaterThan(10);
    assertThat(documented(module)).containsExactlyElementsOf(packages);
  }

  /** Those of the first column, sorted; a name that stands twice fails. */
  private static Set<String> documented(String module) throws IOException {
    Set<String> names = new TreeSet<>();
    boolean here = false;
    for (String line : Files.readAllLines(PAGE)) {
      here = here && line.startsWith("|") || line.equals("| `" + module + "` | |");
      if (here && !line.equals("| `" + module + "` | |")) {
        Matcher name = NAME.matcher(line.split("\\|")[1]);
        while (name.find()) {
          assertThat(names.add(name.group(1))).as(line).isTrue();
        }
      }
    }
    return names;
  }
}
