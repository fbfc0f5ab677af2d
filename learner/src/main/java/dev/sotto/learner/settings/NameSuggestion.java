package dev.sotto.learner.settings;

import java.util.Collection;
import java.util.Locale;

/** Finds the name that a misspelled one probably stands for. */
public final class NameSuggestion {
  private NameSuggestion() {}

  /** The known name with the fewest typing errors away; null where none is near. */
  public static String of(String name, Collection<String> known) {
    String best = null;
    int least = Integer.MAX_VALUE;
    for (String each : known) {
      int distance = distance(plain(name), plain(each));
      if (distance < least) {
        least = distance;
        best = each;
      }
    }
    return best != null && least <= Math.max(2, Math.min(name.length(), best.length()) / 4)
        ? best
        : null;
  }

  /** "; did you mean x?", or nothing. */
  public static String hint(String nearest) {
    return nearest == null ? "" : "; did you mean " + nearest + "?";
  }

  private static String plain(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '.').replace('-', '.');
  }

  /** Insertions, deletions, replacements and swaps of neighbours (optimal string alignment). */
  static int distance(String a, String b) {
    int[][] cost = new int[a.length() + 1][b.length() + 1];
    for (int i = 0; i <= a.length(); i++) {
      for (int j = 0; j <= b.length(); j++) {
        if (i == 0 || j == 0) {
          cost[i][j] = i + j;
          continue;
        }
        int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
        if (i > 1
            && j > 1
            && a.charAt(i - 1) == b.charAt(j - 2)
            && a.charAt(i - 2) == b.charAt(j - 1)) {
          cost[i][j] = Math.min(cost[i][j], cost[i - 2][j - 2] + 1);
        }
      }
    }
    return cost[a.length()][b.length()];
  }
}
