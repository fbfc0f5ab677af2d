package dev.sotto.testkit;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * Tells what is no longer as a golden file says: what was learned first, then what may be the
 * reason.
 */
final class GoldenDiff {
  private static final int MOST_LINES = 12;

  private final GoldenContent before;
  private final GoldenContent now;
  private final List<String> lines = new ArrayList<>();

  private GoldenDiff(GoldenContent before, GoldenContent now) {
    this.before = before;
    this.now = now;
  }

  /** Lines about two texts that are not equal. */
  static String of(GoldenContent before, GoldenContent now) {
    GoldenDiff diff = new GoldenDiff(before, now);
    diff.rounds();
    diff.section("dead letters", GoldenContent.LETTERS);
    diff.section("changed setting", GoldenContent.CONFIGURATION);
    diff.section("changed run", GoldenContent.RUN);
    return String.join("\n", diff.lines);
  }

  private void rounds() {
    Set<String> all = new LinkedHashSet<>(before.rounds());
    all.addAll(now.rounds());
    List<String> others =
        all.stream().filter(each -> !before.get(each).equals(now.get(each))).toList();
    if (others.isEmpty()) {
      lines.add("every round is as it was");
      return;
    }
    String first = others.get(0);
    lines.add("first difference: " + round(first, before.get(first), now.get(first)));
    lines.add("rounds that differ: " + others.size() + " of " + all.size() + " ("
        + before.rounds().size() + " before, " + now.rounds().size() + " now)");
  }

  private static String round(String title, Map<String, String> before, Map<String, String> now) {
    if (before.isEmpty() || now.isEmpty()) {
      return title + (before.isEmpty() ? " is new" : " is missing now");
    }
    List<String> found = new ArrayList<>();
    if (!change(before, now, "epsilon").isEmpty()) {
      found.add(change(before, now, "epsilon"));
    }
    String[] old = before.getOrDefault(GoldenContent.WEIGHTS, "").split(" ");
    String[] fresh = now.getOrDefault(GoldenContent.WEIGHTS, "").split(" ");
    if (old.length != fresh.length) {
      found.add("there were " + old.length + " weights, and are " + fresh.length);
    } else {
      weights(old, fresh, found);
    }
    if (found.isEmpty()) {
      found.add(change(before, now, "digest"));
    }
    return title + ": " + String.join("; ", found);
  }

  private static void weights(String[] old, String[] fresh, List<String> found) {
    int first = -1;
    int count = 0;
    for (int i = 0; i < old.length; i++) {
      if (!old[i].equals(fresh[i])) {
        first = first < 0 ? i : first;
        count++;
      }
    }
    if (first >= 0 && old[first].startsWith("sha256:")) {
      found.add("a weight beyond those that stand in the file");
    } else if (first >= 0) {
      double by = Double.parseDouble(fresh[first]) - Double.parseDouble(old[first]);
      found.add("weight " + first + " was " + old[first] + ", is " + fresh[first] + " ("
          + String.format(Locale.ROOT, "%+.3g", by) + "), " + count + " of "
          + old.length + " differ");
    }
  }

  private static String change(Map<String, String> before, Map<String, String> now, String key) {
    String old = before.getOrDefault(key, "absent");
    String fresh = now.getOrDefault(key, "absent");
    return old.equals(fresh) ? "" : key + " was " + old + ", is " + fresh;
  }

  private void section(String what, String name) {
    Set<String> keys = new LinkedHashSet<>(before.get(name).keySet());
    keys.addAll(now.get(name).keySet());
    List<String> changes = keys.stream()
        .map(key -> change(before.get(name), now.get(name), key))
        .filter(change -> !change.isEmpty())
        .toList();
    changes.stream().limit(MOST_LINES).forEach(change -> lines.add(what + ": " + change));
    if (changes.size() > MOST_LINES) {
      lines.add(what + ": and " + (changes.size() - MOST_LINES) + " more");
    }
  }
}
