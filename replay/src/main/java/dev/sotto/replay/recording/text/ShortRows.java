package dev.sotto.replay.recording.text;

import java.util.Locale;
import java.util.Optional;

/**
 * Rows of CSV that have fewer cells than there are names. Each counts once, although every
 * partition's cursor reads the whole file.
 */
final class ShortRows {
  private long first;
  private long last;
  private long count;

  /** Another one, of those that one cursor meets in order. */
  synchronized void add(long line) {
    if (line > last) {
      first = count == 0 ? line : first;
      last = line;
      count++;
    }
  }

  /** Which and how many there are; empty for none. */
  synchronized Optional<String> remark() {
    return count == 0
        ? Optional.empty()
        : Optional.of(String.format(
            Locale.ROOT,
            "line %d has fewer cells than there are names%s: what such rows lack counts as missing",
            first,
            count == 1 ? "" : String.format(Locale.ROOT, ", the first of %,d such", count)));
  }
}
