package dev.sotto.serdes.feature;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of one line of a canonical text, and what they stand for. */
final class CanonicalWords {
  private static final Pattern TOKEN = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s\"]+");
  private static final JsonFactory JSON = new JsonFactory();

  private CanonicalWords() {}

  /** The words of a line, of which quoted ones keep their quotes. */
  static List<String> of(String line) {
    List<String> tokens = new ArrayList<>();
    Matcher each = TOKEN.matcher(line);
    int at = 0;
    while (each.find()) {
      require(line.substring(at, each.start()).equals(tokens.isEmpty() ? "" : " "));
      tokens.add(each.group());
      at = each.end();
    }
    require(at == line.length());
    return tokens;
  }

  /** The text of a quoted word. */
  static String unquoted(String token) {
    require(token.startsWith("\""));
    try (JsonParser parser = JSON.createParser(token)) {
      parser.nextToken();
      return parser.getText();
    } catch (IOException broken) {
      throw new IllegalArgumentException(broken);
    }
  }

  /** Those of quoted words. */
  static List<String> unquoted(List<String> tokens) {
    return tokens.stream().map(CanonicalWords::unquoted).toList();
  }

  static double number(String word) {
    return Double.parseDouble(word);
  }

  /** The one word that there must be. */
  static <T> T only(List<T> values) {
    require(values.size() == 1);
    return values.get(0);
  }

  /** The one of some that has this word. */
  static <T> T named(T[] values, Function<T, String> name, String word) {
    return Arrays.stream(values)
        .filter(each -> name.apply(each).equals(word))
        .findFirst()
        .orElseThrow(() -> new IllegalArgumentException("no such word: " + word));
  }

  static void require(boolean holds) {
    if (!holds) {
      throw new IllegalArgumentException("not of the form that is documented");
    }
  }
}
