package dev.sotto.connectors.stream;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Finds the key and the timestamp of a line. A line that is no JSON object, or has no plain value
 * in the field, has none: whether it is fit to learn from is for the learner to say.
 */
final class LineFields {
  private final JsonFactory factory = JsonFactory.builder()
      .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
      .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
      .disable(JsonFactory.Feature.CHARSET_DETECTION)
      .build();

  private final String[] keyPath;
  private final String[] timePath;
  private String key;
  private Long time;

  /** Both dotted paths; an empty one is not looked for. */
  LineFields(String keyPath, String timePath) {
    this.keyPath = path(keyPath);
    this.timePath = path(timePath);
  }

  private static String[] path(String dotted) {
    return dotted.isEmpty() ? new String[0] : dotted.split("\\.");
  }

  /** Reads a line. */
  void read(byte[] line) {
    key = null;
    time = null;
    if (keyPath.length + timePath.length == 0) {
      return;
    }
    try (JsonParser parser = factory.createParser(line)) {
      if (parser.nextToken() == JsonToken.START_OBJECT) {
        object(parser, 0, true, true);
      }
      if (parser.nextToken() == null) {
        return;
      }
    } catch (IOException | RuntimeException noJson) {
      // falls through
    }
    key = null;
    time = null;
  }

  /**
   * Reads an object {@code depth} below the top; the flags say whether it lies on the way to key
   * and timestamp.
   */
  private void object(JsonParser parser, int depth, boolean toKey, boolean toTime)
      throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      String name = parser.currentName();
      boolean key = toKey && depth < keyPath.length && keyPath[depth].equals(name);
      boolean time = toTime && depth < timePath.length && timePath[depth].equals(name);
      JsonToken token = parser.nextToken();
      if (key && depth + 1 == keyPath.length) {
        this.key = token.isScalarValue() && token != JsonToken.VALUE_NULL ? parser.getText() : null;
      }
      if (time && depth + 1 == timePath.length) {
        this.time = token == JsonToken.VALUE_NUMBER_INT ? milliseconds(parser) : null;
      }
      if (token == JsonToken.START_OBJECT && (key || time)) {
        object(parser, depth + 1, key, time);
      } else {
        parser.skipChildren();
      }
    }
  }

  private static Long milliseconds(JsonParser parser) throws IOException {
    boolean fits = parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
    return fits && parser.getLongValue() >= 0 ? parser.getLongValue() : null;
  }

  /** The key of the last line as UTF-8, or null. */
  byte[] key() {
    return key == null ? null : key.getBytes(StandardCharsets.UTF_8);
  }

  /** The timestamp of the last line in milliseconds since 1970, at least 0, or null. */
  Long timestamp() {
    return time;
  }
}
