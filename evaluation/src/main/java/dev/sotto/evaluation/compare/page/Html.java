package dev.sotto.evaluation.compare.page;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Parts of a page. Whatever comes from outside goes through {@link #text} or {@link #json}. */
final class Html {
  private static final Pattern CONDITION =
      Pattern.compile("<!-- if ([a-z-]+) -->\n((?:(?!<!-- if ).)*?)<!-- end -->\n", Pattern.DOTALL);
  private static final Pattern PLACE = Pattern.compile("\\{\\{([a-z-]+)}}");

  private Html() {}

  /**
   * A template with values in the places of their names. Parts between {@code <!-- if name -->} and
   * {@code <!-- end -->} are left out where the value is empty.
   */
  static String fill(String template, Map<String, String> values) {
    String text = template;
    for (Matcher part = CONDITION.matcher(text); part.find(); part = CONDITION.matcher(text)) {
      String kept = values.get(part.group(1)).isEmpty() ? "" : part.group(2);
      text = text.substring(0, part.start()) + kept + text.substring(part.end());
    }
    return PLACE
        .matcher(text)
        .replaceAll(place -> Matcher.quoteReplacement(values.get(place.group(1))));
  }

  /**
   * A text that stands for itself, between tags and in quoted attributes. Characters that change
   * the direction of writing, or cannot be in a page, are replaced.
   */
  static String text(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    text.codePoints().forEach(c -> {
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.appendCodePoint(isShown(c) ? c : 0xFFFD);
      }
    });
    return safe.toString();
  }

  private static boolean isShown(int c) {
    return c == '\n'
        || c == '\t'
        || !Character.isISOControl(c)
            && Character.getType(c) != Character.FORMAT
            && Character.getType(c) != Character.SURROGATE;
  }

  /** JSON that can stand inside a script element, with escapes in place of what is not ASCII. */
  static String json(String json) {
    StringBuilder safe = new StringBuilder(json.length() + 16);
    for (char c : json.toCharArray()) {
      if (c == '<' || c == '>' || c == '&' || c > '~') {
        safe.append(String.format("\\u%04x", (int) c));
      } else {
        safe.append(c);
      }
    }
    return safe.toString();
  }

  static String code(String text) {
    return "<code>" + text(text) + "</code>";
  }

  /** A table under a heading. Cells are markup; the first of each row names it. */
  static String table(String caption, List<String> heading, List<List<String>> rows) {
    return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption
        + "\"><table><caption>" + caption + "</caption><thead><tr>"
        + heading.stream()
            .map(cell -> "<th scope=\"col\">" + cell + "</th>")
            .collect(Collectors.joining())
        + "</tr></thead>\n<tbody>"
        + rows.stream().map(Html::row).collect(Collectors.joining("\n"))
        + "</tbody></table></div>\n";
  }

  private static String row(List<String> cells) {
    return "<tr><th scope=\"row\">" + cells.get(0) + "</th>"
        + cells.stream().skip(1).map(cell -> "<td>" + cell + "</td>").collect(Collectors.joining())
        + "</tr>";
  }
}
