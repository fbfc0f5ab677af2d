package dev.sotto.benchmarks.experiments;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** How the numbers of a recorded set become features. */
enum NumberEncoding {
  /** Curves between public bounds. */
  DEFAULTS("bounds"),
  /** Straight lines between public bounds. */
  LINEAR("straight lines"),
  /** Nothing is known of their values: octaves, and ranges that the run measures. */
  NO_BOUNDS("no bounds");

  private static final Pattern OF_BOUNDS =
      Pattern.compile("features\\.numeric\\.[^=]*\\.(min|max|transform)=.*");

  final String label;

  NumberEncoding(String label) {
    this.label = label;
  }

  /** Settings with bounds, as this encoding has them. */
  List<String> of(List<String> bounded) {
    List<String> settings = new ArrayList<>(bounded);
    if (this == LINEAR) {
      settings.add("features.hats=0");
    } else if (this == NO_BOUNDS) {
      settings.removeIf(each -> OF_BOUNDS.matcher(each).matches());
    }
    return settings;
  }

  /** A set, decoded so. */
  QualityRun run(QualitySet set, Path folder) throws IOException {
    return new QualityRun(set.label, of(set.settings(folder)), set.events(folder));
  }
}
