package dev.sotto.evaluation.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Short names of configurations: from their files, no two the same. */
public final class RunNames {
  private RunNames() {}

  /** The names of the files, with as many folders, or else numbers, as make them unique. */
  public static List<String> of(List<Path> files) {
    List<String> names = new ArrayList<>();
    for (Path file : files) {
      int parts = 1;
      while (parts < file.getNameCount() && isShared(file, parts, files)) {
        parts++;
      }
      names.add(ending(file, parts));
    }
    return unique(names);
  }

  private static boolean isShared(Path file, int parts, List<Path> files) {
    return files.stream()
        .anyMatch(other -> !other.equals(file) && ending(other, parts).equals(ending(file, parts)));
  }

  private static String ending(Path file, int parts) {
    int count = file.getNameCount();
    if (count == 0) {
      return file.toString();
    }
    String text = file.subpath(Math.max(0, count - parts), count).toString();
    return text.replaceFirst("(?<=[^/\\\\])\\.[^./\\\\]+$", "");
  }

  /** The same names, later ones with a number behind them where they are taken. */
  public static List<String> unique(List<String> names) {
    Set<String> taken = new LinkedHashSet<>();
    for (String name : names) {
      String free = name;
      for (int i = 2; !taken.add(free); i++) {
        free = name + " (" + i + ")";
      }
    }
    return List.copyOf(taken);
  }
}
