package dev.sotto.replay.verify;

import java.util.ArrayList;
import java.util.List;

/** Which lines two texts have in common. */
final class LineDifference {
  private static final int MOST = 2000;

  private LineDifference() {}

  /**
   * A longest common subsequence; of texts with very many lines only what they share at beginning
   * and end.
   */
  static List<String> common(List<String> one, List<String> other) {
    int start = 0;
    while (start < Math.min(one.size(), other.size()) && one.get(start).equals(other.get(start))) {
      start++;
    }
    int end = 0;
    while (end < Math.min(one.size(), other.size()) - start
        && one.get(one.size() - 1 - end).equals(other.get(other.size() - 1 - end))) {
      end++;
    }
    List<String> common = new ArrayList<>(one.subList(0, start));
    common.addAll(
        middle(one.subList(start, one.size() - end), other.subList(start, other.size() - end)));
    common.addAll(one.subList(one.size() - end, one.size()));
    return common;
  }

  private static List<String> middle(List<String> one, List<String> other) {
    if (one.size() > MOST || other.size() > MOST) {
      return List.of();
    }
    int[][] lengths = new int[one.size() + 1][other.size() + 1];
    for (int i = one.size() - 1; i >= 0; i--) {
      for (int j = other.size() - 1; j >= 0; j--) {
        lengths[i][j] = one.get(i).equals(other.get(j))
            ? lengths[i + 1][j + 1] + 1
            : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
      }
    }
    List<String> common = new ArrayList<>();
    int i = 0;
    int j = 0;
    while (i < one.size() && j < other.size()) {
      if (one.get(i).equals(other.get(j))) {
        common.add(one.get(i));
        i++;
        j++;
      } else if (lengths[i + 1][j] >= lengths[i][j + 1]) {
        i++;
      } else {
        j++;
      }
    }
    return common;
  }
}
