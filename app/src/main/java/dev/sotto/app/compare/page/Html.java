package dev.sotto.app.compare.page;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import java.util.stream.Collectors;

/** Pieces of a page. Whatever is no markup of ours goes through {@link #text}. */
final class Html {
  private static final ObjectMapper JSON = new ObjectMapper();

  private Html() {}

  /** A text that stands for itself, between tags and in quoted attributes. */
  static String text(String text) {
    StringBuilder safe = new StringBuilder(text.length() + 16);
    shown(text).codePoints().forEach(c -> {
      switch (c) {
        case '&' -> safe.append("&amp;");
        case '<' -> safe.append("&lt;");
        case '>' -> safe.append("&gt;");
        case '"' -> safe.append("&quot;");
        case '\'' -> safe.append("&#39;");
        default -> safe.appendCodePoint(c);
      }
    });
    return safe.toString();
  }

  /** The text with a sign in place of what turns the direction of the text around it, or cannot be in a page. */
  static String shown(String text) {
    StringBuilder shown = new StringBuilder(text.length());
    text.codePoints().forEach(c -> shown.appendCodePoint(isShown(c) ? c : 0xFFFD));
    return shown.toString();
  }

  private static boolean isShown(int c) {
    return c == '\n'
        || c == '\t'
        || !Character.isISOControl(c)
            && Character.getType(c) != Character.FORMAT
            && Character.getType(c) != Character.SURROGATE;
  }

  /** An element around markup. */
  static String element(String tag, String inner) {
    return "<" + tag + ">" + inner + "</" + tag.split(" ", 2)[0] + ">";
  }

  /**
   * Data as JSON that can stand inside a script element: no character in it ends that element or begins a comment.
   */
  static String data(Object data) {
    try {
      return JSON.writeValueAsString(data)
          .replace("<", "\\u003c")
          .replace(">", "\\u003e")
          .replace("&", "\\u0026")
          .replace("\u2028", "\\u2028")
          .replace("\u2029", "\\u2029");
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException("maps and lists are always JSON", impossible);
    }
  }

  /** A table under a heading; cells are markup, the first of each row names it. */
  static String table(String caption, List<String> heading, List<List<String>> rows) {
    String head = heading.stream()
        .map(cell -> element("th scope=\"col\"", cell))
        .collect(Collectors.joining());
    String body = rows.stream()
        .map(row -> element(
            "tr",
            element("th scope=\"row\"", row.get(0))
                + row.stream()
                    .skip(1)
                    .map(cell -> element("td", cell))
                    .collect(Collectors.joining())))
        .collect(Collectors.joining("\n"));
    return "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"" + caption + "\">"
        + element(
            "table",
            element("caption", caption) + element("thead", element("tr", head)) + "\n"
                + element("tbody", body))
        + "</div>\n";
  }
}
