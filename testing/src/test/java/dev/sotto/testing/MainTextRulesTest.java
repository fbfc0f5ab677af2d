package dev.sotto.testing;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * What the text of main code keeps to, in every module: lines of at most a hundred columns, a simple
 * name of its own for each file, and no words of ours for what has a common name. There are no
 * exceptions.
 */
class MainTextRulesTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();

  private static final int COLUMNS = 100;

  /** "Told apart" is English; the rest says in passing what a verb of its own would say. */
  private static final Pattern OWN_WORDS = Pattern.compile(
      "\\b(is|are|was|were|be|been) (not |always )?told\\b(?!\\s+apart)"
          + "|\\bso many\\b|\\bgiven away\\b|\\bthe least\\b",
      Pattern.CASE_INSENSITIVE);

  @Test
  void keepsLinesToAHundredColumns() {
    assertEquals(List.of(), lines(line -> line.length() > COLUMNS));
  }

  @Test
  void usesNoWordsOfItsOwn() {
    assertEquals(List.of(), lines(line -> OWN_WORDS.matcher(line).find()));
  }

  @Test
  void givesEachFileASimpleNameOfItsOwn() {
    assertEquals(List.of(), twins(mainFiles()));
  }

  @Test
  void findsWhatItForbids() {
    assertTrue("x".repeat(101).length() > COLUMNS);
    assertTrue(OWN_WORDS.matcher("Waits until it is told to go on.").find());
    assertTrue(OWN_WORDS.matcher("For so many rounds, the least of all.").find());
    assertEquals(
        List.of(),
        Stream.of("Units that are told apart.", "At least this number of rounds.")
            .filter(each -> OWN_WORDS.matcher(each).find())
            .toList());
    assertEquals(
        List.of("Clip.java"),
        twins(List.of(Path.of("a", "Clip.java"), Path.of("b", "Clip.java"), Path.of("Norm.java"))));
  }

  @Test
  void seesTheModules() {
    assertTrue(mainFiles().stream()
        .map(each -> ROOT.relativize(each).getName(0).toString())
        .collect(Collectors.toSet())
        .containsAll(List.of("app", "learner", "topology", "serdes", "evaluation", "replay")));
  }

  /** The lines of which something holds, each with its place. */
  private static List<String> lines(Predicate<String> rule) {
    List<String> found = new ArrayList<>();
    for (Path file : mainFiles()) {
      List<String> lines = read(file);
      for (int i = 0; i < lines.size(); i++) {
        if (rule.test(lines.get(i))) {
          found.add(ROOT.relativize(file) + ":" + (i + 1) + " " + lines.get(i).strip());
        }
      }
    }
    return found;
  }

  /** Names of several files; but each package may have its {@code package-info}. */
  private static List<String> twins(List<Path> files) {
    Map<String, Long> counts = files.stream()
        .map(each -> each.getFileName().toString())
        .filter(each -> !each.equals("package-info.java"))
        .collect(Collectors.groupingBy(each -> each, TreeMap::new, Collectors.counting()));
    return counts.entrySet().stream()
        .filter(each -> each.getValue() > 1)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<Path> mainFiles() {
    try (Stream<Path> modules = Files.list(ROOT)) {
      List<Path> files = new ArrayList<>();
      for (Path module : modules.sorted().toList()) {
        Path main = module.resolve("src").resolve("main").resolve("java");
        if (Files.isDirectory(main)) {
          try (Stream<Path> all = Files.walk(main)) {
            all.filter(each -> each.toString().endsWith(".java")).forEach(files::add);
          }
        }
      }
      return files;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> read(Path file) {
    try {
      return Files.readAllLines(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
