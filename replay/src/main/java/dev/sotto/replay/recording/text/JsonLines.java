package dev.sotto.replay.recording.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * One value a line, byte for byte; blank lines are skipped. A line that is not JSON is still an
 * event, which the learner's decoder sets aside; it has no key and the timestamp 0.
 */
final class JsonLines implements TextSource {
  private static final JsonFactory JSON = new JsonFactory();

  private final TextLines lines;
  private final String keyField;
  private final String timestampField;
  private final String[] keyPath;
  private final String[] timestampPath;

  /**
   * Lines of a stream.
   *
   * @param keyField empty for none
   * @param timestampField empty for none
   */
  JsonLines(InputStream in, String keyField, String timestampField) {
    this.lines = new TextLines(in);
    this.keyField = keyField;
    this.timestampField = timestampField;
    this.keyPath = keyField.split("\\.");
    this.timestampPath = timestampField.split("\\.");
  }

  @Override
  public TextRecord next() throws IOException {
    byte[] value = lines.next();
    if (value == null) {
      return null;
    }
    byte[] key = keyField.isEmpty() ? null : read(value, keyPath, JsonLines::key, null);
    long timestamp = timestampField.isEmpty() ? 0 : read(value, timestampPath, this::timestamp, 0L);
    return new TextRecord(key, timestamp, value);
  }

  private static byte[] key(JsonParser at) throws IOException {
    return at.currentToken().isScalarValue() ? at.getText().getBytes(StandardCharsets.UTF_8) : null;
  }

  private long timestamp(JsonParser at) throws IOException {
    if (at.currentToken().isNumeric()) {
      return timestamp(timestampField, new BigDecimal(at.getText()));
    }
    throw at.currentToken() == JsonToken.VALUE_STRING
        ? textTimestamp(timestampField, at.getText())
        : noTimestamp(timestampField, at.getText());
  }

  /** The value of a field; the other one where the line has none or is not JSON. */
  private static <T> T read(byte[] value, String[] path, Reader<T> reader, T otherwise)
      throws IOException {
    try (JsonParser parser = JSON.createParser(value)) {
      return find(parser, path) ? reader.read(parser) : otherwise;
    } catch (JsonProcessingException noJson) {
      return otherwise;
    }
  }

  private static boolean find(JsonParser parser, String[] path) throws IOException {
    if (parser.nextToken() != JsonToken.START_OBJECT) {
      return false;
    }
    int depth = 0;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = parser.currentName().equals(path[depth]);
      JsonToken token = parser.nextToken();
      if (!wanted) {
        parser.skipChildren();
      } else if (++depth == path.length) {
        return token != JsonToken.VALUE_NULL;
      } else if (token != JsonToken.START_OBJECT) {
        return false;
      }
    }
    return false;
  }

  @Override
  public long line() {
    return lines.number();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private interface Reader<T> {
    T read(JsonParser parser) throws IOException;
  }
}
