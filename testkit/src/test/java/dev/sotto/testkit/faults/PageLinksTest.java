package dev.sotto.testkit.faults;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links between pages, and what code says of pages, name files and sections that are there. */
class PageLinksTest {
  private static final Path HOME =
      Path.of(System.getProperty("basedir", ".")).resolve("..").normalize();

  /** Where no page and no source of ours is. */
  private static final List<String> SKIPPED = List.of("target", "state", ".git", "node_modules");

  private static final Pattern LINK = Pattern.compile("]\\(([^)\\s]+)\\)");
  private static final Pattern PAGE = Pattern.compile("docs/[\\w/-]+\\.md");
  private static final Pattern CITED =
      Pattern.compile("(docs/[\\w/-]+\\.md),((?: (?:and )?\"[A-Z][^\"]+\",?)+)");
  private static final Pattern TITLE = Pattern.compile("\"([^\"]+)\"");

  private static List<Path> files(String ending) throws IOException {
    try (Stream<Path> all = Files.find(HOME, 20, (path, what) -> what.isRegularFile())) {
      return all.filter(each -> each.toString().endsWith(ending))
          .filter(each ->
              Stream.of(HOME.relativize(each).toString().split("/")).noneMatch(SKIPPED::contains))
          .toList();
    }
  }

  /** Links of a page that lead nowhere. */
  private static List<String> broken(Path page, String text) throws IOException {
    List<String> broken = new ArrayList<>();
    for (MatchResult link : LINK.matcher(withoutCode(text)).results().toList()) {
      String target = link.group(1);
      if (!target.matches("(https?|mailto):.*") && !leadsSomewhere(page, target)) {
        broken.add(HOME.relativize(page) + ": " + target);
      }
    }
    return broken;
  }

  private static String withoutCode(String text) {
    return text.replaceAll("(?s)```.*?```", "").replaceAll("`[^`\n]*`", "`");
  }

  private static boolean leadsSomewhere(Path page, String target) throws IOException {
    String[] parts = target.split("#", 2);
    Path file = parts[0].isEmpty() ? page : page.resolveSibling(parts[0]).normalize();
    return Files.exists(file) && (parts.length == 1 || Anchors.of(file).contains(parts[1]));
  }

  @Test
  void everyLinkLeadsToAPlaceThatIsThere() throws IOException {
    List<Path> pages = files(".md");
    assertThat(pages).hasSizeGreaterThan(60);
    List<String> broken = new ArrayList<>();
    for (Path page : pages) {
      broken.addAll(broken(page, Files.readString(page)));
    }
    assertThat(broken).isEmpty();
  }

  @Test
  void findsALinkThatLeadsNowhere() throws IOException {
    Path page = HOME.resolve("docs/README.md");
    assertThat(broken(page, "[a](privacy.md#slots) [b](nowhere.md) [c](privacy.md#no-section)"))
        .containsExactly("docs/README.md: nowhere.md", "docs/README.md: privacy.md#no-section");
    assertThat(cited("See docs/privacy.md, \"Slots\" and \"No section\"."))
        .containsExactly("docs/privacy.md, No section");
  }

  /** The index of a folder names every page in it. */
  private static void namesAll(Path index) throws IOException {
    List<Path> linked = LINK.matcher(Files.readString(index))
        .results()
        .map(link -> index.resolveSibling(link.group(1).split("#")[0]).normalize())
        .toList();
    for (Path page : files(".md")) {
      if (page.getParent().equals(index.getParent())) {
        assertThat(page.equals(index) || linked.contains(page))
            .as(index + " links to " + page.getFileName())
            .isTrue();
      }
    }
  }

  @Test
  void theIndexNamesEveryPage() throws IOException {
    namesAll(HOME.resolve("docs/README.md"));
    namesAll(HOME.resolve("docs/decisions/README.md"));
  }

  /** Sections that a source cites and that are not there. */
  private static List<String> cited(String source) throws IOException {
    String text = source.replaceAll("\\s*\\R\\s*(?:\\*|//|#)? ?", " ");
    List<String> missing = new ArrayList<>();
    Matcher page = PAGE.matcher(text);
    while (page.find()) {
      if (!Files.exists(HOME.resolve(page.group()))) {
        missing.add(page.group());
      }
    }
    Matcher citation = CITED.matcher(text);
    while (citation.find()) {
      Path file = HOME.resolve(citation.group(1));
      List<String> sections = Files.exists(file) ? Anchors.of(file) : List.of();
      for (MatchResult title : TITLE.matcher(citation.group(2)).results().toList()) {
        String slug = Anchors.slug(title.group(1)); // or the beginning of "A new key: 2 files"
        if (sections.stream().noneMatch(each -> each.startsWith(slug))) {
          missing.add(citation.group(1) + ", " + title.group(1));
        }
      }
    }
    return missing;
  }

  @Test
  void codeCitesPagesAndSectionsThatAreThere() throws IOException {
    List<String> missing = new ArrayList<>();
    for (String ending : List.of(".java", ".yaml", ".yml", ".avsc", ".py", ".txt")) {
      for (Path source : files(ending)) {
        if (!source.endsWith("PageLinksTest.java")) {
          cited(Files.readString(source))
              .forEach(each -> missing.add(HOME.relativize(source) + " cites " + each));
        }
      }
    }
    assertThat(missing).isEmpty();
  }
}
