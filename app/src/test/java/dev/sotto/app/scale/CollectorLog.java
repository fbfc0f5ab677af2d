package dev.sotto.app.scale;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What a process wrote of its collections of garbage ({@code -Xlog:gc}). */
final class CollectorLog {
  private static final Pattern COLLECTION = Pattern.compile("\\d+M->(\\d+)M\\(\\d+M\\)");

  private CollectorLog() {}

  /** Megabytes in use after each collection, the oldest first. */
  static List<Long> left(Path log) throws IOException {
    Matcher each = COLLECTION.matcher(Files.readString(log));
    return each.results().map(found -> Long.parseLong(found.group(1))).toList();
  }
}
