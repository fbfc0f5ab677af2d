package dev.sotto.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What no test does, in any module: draw from a generator that does not follow {@link Seed}, sleep,
 * or look at a clock. The exceptions stand in {@code test-rules.txt}, each with the number of its
 * uses; a use more fails here, and so does a use less that the list still has: it only shrinks.
 */
class TestRulesTest {
  enum Rule {
    UNSEEDED("new (java\\.util\\.)?(Splittable)?Random\\(|Math\\.random\\(|ThreadLocalRandom\\."),
    SLEEP("Thread\\.sleep\\(|TimeUnit\\.[A-Z]+\\.sleep\\("),
    CLOCK("System\\.(nanoTime|currentTimeMillis)\\(|Instant\\.now\\(|Clock\\.system");

    final Pattern pattern;

    Rule(String pattern) {
      this.pattern = Pattern.compile(pattern);
    }
  }

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  /** Tests of tests, and of what this module has. */
  private static final String OURS = "testing/";

  @ParameterizedTest
  @EnumSource
  void holdsInEveryModule(Rule rule) throws IOException {
    String used = uses(rule).entrySet().stream()
        .map(each -> each.getKey() + " " + each.getValue() + "\n")
        .collect(Collectors.joining());
    String allowed = Files.readAllLines(Path.of("src/test/resources/test-rules.txt")).stream()
        .filter(line -> line.startsWith(rule + " "))
        .map(line -> line.substring(line.indexOf(' ') + 1) + "\n")
        .collect(Collectors.joining());
    assertEquals(
        allowed,
        used,
        "Uses that the list lacks are to be mended (take generators from Seed, wait for states, hand"
            + " clocks in); those that it has too many are to be taken off " + rule);
  }

  @Test
  void findsWhatItForbids() {
    assertEquals(1, count(Rule.UNSEEDED, "Random r = new Random(1);"));
    assertEquals(1, count(Rule.SLEEP, "  Thread.sleep(50);"));
    assertEquals(1, count(Rule.CLOCK, "long now = System.nanoTime();"));
    assertEquals(0, count(Rule.UNSEEDED, "Random r = Seed.random(1);"));
  }

  private static Map<String, Integer> uses(Rule rule) throws IOException {
    Map<String, Integer> uses = new TreeMap<>();
    for (Path file : testFiles()) {
      int count = count(rule, read(file));
      if (count > 0) {
        uses.put(ROOT.relativize(file).toString().replace('\\', '/'), count);
      }
    }
    return uses;
  }

  private static int count(Rule rule, String source) {
    return (int) rule.pattern.matcher(source).results().count();
  }

  private static List<Path> testFiles() throws IOException {
    List<Path> files = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.filter(each -> Files.isDirectory(each)).toList()) {
        Path tests = module.resolve("src").resolve("test").resolve("java");
        if (Files.isDirectory(tests) && !module.endsWith(OURS)) {
          try (Stream<Path> all = Files.walk(tests)) {
            all.filter(each -> each.toString().endsWith(".java")).forEach(files::add);
          }
        }
      }
    }
    return files;
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
