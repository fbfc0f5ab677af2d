package dev.sotto.app.view;

import dev.sotto.evaluation.text.JsonRenderer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** The fields of an object for people: a line each, those of objects in it by their whole name. */
public final class FieldLines {
  private static final String GAP = "  ";

  private record Line(String name, String value) {}

  private FieldLines() {}

  /** Of whatever can be written as JSON; what has no value is left out. */
  public static List<String> of(Object object) {
    List<Line> lines = new ArrayList<>();
    add("", JsonRenderer.fields(object), lines);
    int width = lines.stream().mapToInt(each -> each.name().length()).max().orElse(0);
    String next = System.lineSeparator() + " ".repeat(width) + GAP;
    return lines.stream()
        .map(each -> String.format("%-" + width + "s", each.name())
            + GAP
            + each.value().strip().lines().collect(Collectors.joining(next)))
        .toList();
  }

  private static void add(String name, Object value, List<Line> lines) {
    if (value instanceof Map<?, ?> fields) {
      fields.forEach((key, each) -> add(name.isEmpty() ? "" + key : name + "." + key, each, lines));
    } else if (value != null) {
      lines.add(new Line(name, text(value)));
    }
  }

  /** A value in words, without braces. */
  static String text(Object value) {
    if (value instanceof Map<?, ?> fields) {
      return fields.entrySet().stream()
          .map(each -> each.getKey() + " " + text(each.getValue()))
          .collect(Collectors.joining(", "));
    }
    if (value instanceof Collection<?> all) {
      return all.isEmpty()
          ? "none"
          : all.stream().map(FieldLines::text).collect(Collectors.joining("; "));
    }
    return value instanceof Integer || value instanceof Long
        ? String.format(Locale.ROOT, "%,d", value)
        : String.valueOf(value);
  }
}
