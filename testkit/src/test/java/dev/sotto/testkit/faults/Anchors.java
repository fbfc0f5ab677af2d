package dev.sotto.testkit.faults;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The sections of pages, as links name them. */
final class Anchors {
  private Anchors() {}

  /** The anchors of the sections of a page, in their order; its title is none. */
  static List<String> of(Path page) throws IOException {
    boolean[] code = {false};
    return Files.readString(page)
        .lines()
        .filter(line -> {
          code[0] ^= line.startsWith("```");
          return !code[0] && line.matches("##+ .*");
        })
        .map(line -> slug(line.replaceFirst("#+ ", "")))
        .toList();
  }

  /** The anchor of a section's title. */
  static String slug(String title) {
    return title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 _-]", "").replace(' ', '-');
  }

  /** Whether a link, {@code page.md#section} from a folder, has a section. */
  static boolean isThere(Path folder, String link) throws IOException {
    String[] parts = link.split("#", 2);
    Path page = folder.resolve(parts[0]);
    return Files.exists(page) && (parts.length == 1 || of(page).contains(parts[1]));
  }
}
