package dev.sotto.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The tables of docs/development/tests.md name sections and test classes that are there. */
class TestsPageTest {
  private static final Path HOME = Path.of(System.getProperty("basedir", ".")).resolve("..");
  private static final Path DOCS = HOME.resolve("docs");
  private static final Path PAGE = DOCS.resolve("development/tests.md");

  /** Columns of tests, from left to right. */
  private static final List<String> TIERS = List.of("unit", "broker", "long");

  /** A section, what it promises, and three columns of tests. */
  private static final Pattern ROW = Pattern.compile(
      "^(\\| \\[[^]]+]\\((.+?)\\) \\| [^|]+ \\|)((?:[^|]*\\|){3})$", Pattern.MULTILINE);

  /** Pages of which every section promises what a test holds. */
  private static final List<String> PAGES = List.of("privacy.md", "layouts.md");

  private static List<MatchResult> rows() throws IOException {
    return ROW.matcher(Files.readString(PAGE)).results().toList();
  }

  private static List<String> tests(MatchResult row) {
    return Arrays.stream(row.group(3).split("[|, ]+"))
        .filter(each -> !each.isEmpty())
        .toList();
  }

  @Test
  void everyPromiseHasItsSection() throws IOException {
    assertThat(rows()).hasSizeGreaterThan(40);
    for (MatchResult row : rows()) {
      assertThat(Anchors.isThere(PAGE.getParent(), row.group(2)))
          .as(row.group())
          .isTrue();
    }
  }

  @Test
  void everySectionHasItsPromises() throws IOException {
    List<MatchResult> rows = rows();
    for (String page : PAGES) {
      Set<String> promised = new TreeSet<>();
      rows.stream()
          .map(row -> row.group(2).split("#"))
          .filter(link -> link[0].equals("../" + page))
          .forEach(link -> promised.add(link[1]));
      assertThat(promised)
          .as(page)
          .containsExactlyInAnyOrderElementsOf(Anchors.of(DOCS.resolve(page)));
    }
  }

  @Test
  void everyPromiseIsHeldInEveryRun() throws IOException {
    TestSources sources = TestSources.of(HOME);
    assertThat(sources.tier("NoSuchTest")).isNull();
    for (MatchResult row : rows()) {
      List<String> tiers = tests(row).stream().map(sources::tier).toList();
      assertThat(tiers).as(row.group()).isSubsetOf(TIERS).isNotEmpty();
      assertThat(tiers).as(row.group()).anyMatch(tier -> !tier.equals("long"));
      assertThat(tests(row)).doesNotHaveDuplicates();
    }
  }

  @Test
  void everyClassStandsInTheColumnOfItsTier() throws IOException {
    TestSources sources = TestSources.of(HOME);
    String page = Files.readString(PAGE);
    String sorted = ROW.matcher(page)
        .replaceAll(row -> Matcher.quoteReplacement(row.group(1) + columns(sources, tests(row))));
    if (Boolean.getBoolean("sotto.docs.update")) {
      Files.writeString(PAGE, sorted);
    }
    assertThat(page)
        .as("docs/development/tests.md; -Dsotto.docs.update=true writes it anew")
        .isEqualTo(sorted);
  }

  private static String columns(TestSources sources, List<String> tests) {
    StringBuilder columns = new StringBuilder();
    for (String tier : TIERS) {
      String cell = tests.stream()
          .filter(each -> tier.equals(sources.tier(each)))
          .collect(Collectors.joining(", "));
      columns.append(cell.isEmpty() ? " |" : " " + cell + " |");
    }
    return columns.toString();
  }
}
