package dev.sotto.config.source;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.feature.FeatureKeys;
import dev.sotto.serdes.feature.ListedClass;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Flattens YAML to dotted keys, with the line of each. Nested maps and dotted keys mix freely.
 * Scalars stay the text that was written: {@code 1.10} is not 1.1 and {@code 007} is not 7. Quotes
 * matter to lists of classes alone, where {@code "3.1"} is no number.
 */
public final class YamlFile {
  private static final int DEEPEST = 32;
  private static final Pattern PLACE = Pattern.compile("^in .*, line (\\d+), column \\d+");

  private final String name;
  private final Map<String, ConfigEntry> settings = new LinkedHashMap<>();
  private final List<ConfigError> errors = new ArrayList<>();
  private ScalarStyleParser parser;
  private boolean readable = true;

  private YamlFile(String name) {
    this.name = name;
  }

  /** Reads a text; {@code name} stands for it in messages. */
  public static YamlFile read(String name, String text) {
    YamlFile file = new YamlFile(name);
    try (ScalarStyleParser parser = ScalarStyleParser.of(text)) {
      file.parser = parser;
      file.document();
    } catch (JsonProcessingException noYaml) {
      file.unreadable(noYaml);
    } catch (IOException impossible) {
      throw new IllegalStateException("a text could not be read", impossible);
    }
    return file;
  }

  /** The settings by their dotted keys, in the order of the file. */
  public Map<String, ConfigEntry> settings() {
    return settings;
  }

  /** What cannot be settings. */
  public List<ConfigError> errors() {
    return errors;
  }

  /** Whether it is YAML at all; otherwise what was read is a part. */
  public boolean isReadable() {
    return readable;
  }

  /** Only the syntax is reported: whatever else seems wrong may follow from it. */
  private void unreadable(JsonProcessingException noYaml) {
    readable = false;
    errors.clear();
    // The parser names the construct, then the problem, each followed by its place.
    String problem = "it could not be read";
    int line = noYaml.getLocation() == null ? 1 : noYaml.getLocation().getLineNr();
    String before = problem;
    for (String text : noYaml.getOriginalMessage().lines().map(String::strip).toList()) {
      Matcher place = PLACE.matcher(text);
      if (place.find()) {
        problem = before;
        line = Integer.parseInt(place.group(1));
      }
      before = text;
    }
    error("", "must be YAML, but: " + problem, line);
  }

  private void document() throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      error("", "must hold settings, but was empty", 1);
      return;
    }
    if (first != JsonToken.START_OBJECT) {
      error("", "must be a map of settings, but began with " + what(first), line());
      readable = false;
      return;
    }
    map("", 1);
    if (parser.nextToken() != null) {
      error("", "must be one document, but another one begins", line());
    }
  }

  private void map(String prefix, int depth) throws IOException {
    boolean empty = true;
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      empty = false;
      String key = prefix + parser.currentName();
      int at = line();
      JsonToken token = parser.nextToken();
      if (parser.isCurrentAlias()) {
        error(key, "must be written out, but refers to an anchor", at);
      } else if (token == JsonToken.START_OBJECT) {
        if (depth >= DEEPEST) {
          error(key, "must be at most " + DEEPEST + " maps deep, but was deeper", at);
          parser.skipChildren();
        } else {
          map(key + ".", depth + 1);
        }
      } else if (token == JsonToken.START_ARRAY) {
        list(key, at);
      } else {
        scalar(key, token, at);
      }
    }
    if (empty) {
      error(
          prefix.isEmpty() ? "" : prefix.substring(0, prefix.length() - 1),
          "must hold settings, but was empty",
          line());
    }
  }

  private void list(String key, int at) throws IOException {
    List<String> items = new ArrayList<>();
    boolean sound = true;
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      if (token.isScalarValue() && token != JsonToken.VALUE_NULL && !parser.isCurrentAlias()) {
        items.add(text(key));
      } else {
        error(key, "must be a list of plain values, but holds " + what(token), line());
        sound = false;
        parser.skipChildren();
      }
    }
    if (sound) {
      put(key, ConfigEntry.of(items, origin(at)), at);
    }
  }

  private void scalar(String key, JsonToken token, int at) throws IOException {
    String text = token == JsonToken.VALUE_NULL ? "" : text(key);
    if (text.isEmpty()) {
      error(key, "must have a value, but has none; give one or remove the key", at);
    } else {
      put(key, ConfigEntry.of(text, origin(at)), at);
    }
  }

  /** A scalar's text; of classes, quotes make a number another one, so they stay. */
  private String text(String key) throws IOException {
    String text = parser.getText();
    return parser.isText() && FeatureKeys.listsClasses(key) ? ListedClass.itemOf(text) : text;
  }

  private void put(String key, ConfigEntry setting, int at) {
    ConfigEntry before = settings.putIfAbsent(key, setting);
    if (before != null) {
      error(key, "must be given once, but stands in " + before.origin() + " already", at);
    }
  }

  private String what(JsonToken token) throws IOException {
    return switch (token) {
      case START_OBJECT -> "a map";
      case START_ARRAY -> "a list";
      case VALUE_NULL -> "nothing";
      default -> parser.isCurrentAlias() ? "a reference to an anchor" : "a plain value";
    };
  }

  private int line() {
    return parser.currentTokenLocation().getLineNr();
  }

  private String origin(int line) {
    return name + " line " + line;
  }

  private void error(String key, String rule, int line) {
    String subject = key.isEmpty() ? name : key;
    errors.add(new ConfigError(subject, rule + " (" + origin(line) + ")"));
  }
}
