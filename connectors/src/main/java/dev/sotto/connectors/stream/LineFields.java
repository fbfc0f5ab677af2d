package dev.sotto.connectors.stream;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.serdes.event.JsonField;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/**
 * Finds the key and the timestamp of a line, as the learner finds fields. A line that is no JSON
 * object, or has no plain value in the field, has none: whether it is fit to learn from is for the
 * learner to say.
 */
final class LineFields {
  private static final int LONGEST_TEXT = 1 << 26;

  private final JsonField<String> keys; // null where it is not looked for
  private final JsonField<Long> times; // null where it is not looked for
  private String key;
  private Long time;

  /** Both dotted paths; an empty one is not looked for. */
  LineFields(String keyPath, String timePath) {
    this.keys = keyPath.isEmpty() ? null : new JsonField<>(keyPath, LONGEST_TEXT, LineFields::text);
    this.times = timePath.isEmpty()
        ? null
        : new JsonField<>(timePath, LONGEST_TEXT, LineFields::milliseconds);
  }

  /** Reads a line. */
  void read(byte[] line) {
    key = find(keys, line);
    time = find(times, line);
  }

  private static <T> T find(JsonField<T> field, byte[] line) {
    try {
      return field == null ? null : field.read(line);
    } catch (IOException noJson) {
      return null;
    }
  }

  private static String text(JsonParser parser) throws IOException {
    return parser.currentToken().isScalarValue() ? parser.getText() : null;
  }

  private static Long milliseconds(JsonParser parser) throws IOException {
    boolean fits = parser.currentToken() == JsonToken.VALUE_NUMBER_INT
        && parser.getNumberType() != JsonParser.NumberType.BIG_INTEGER;
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
