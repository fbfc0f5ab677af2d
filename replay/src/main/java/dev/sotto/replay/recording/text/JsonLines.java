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
 * One value a line, byte for byte; blank lines are passed over. A line that is no JSON is still an event, which the
 * learner's decoder sets aside; it has no key and the timestamp 0.
 */
final class JsonLines implements TextSource {
  private static final JsonFactory JSON = new JsonFactory();

  private final Lines lines;
  private final String keyField;
  private final String timestampField;
  private final String[] keyPath;
  private final String[] timestampPath;
  private byte[] value;
  private byte[] key;
  private long timestamp;

  /**
   * Lines of a stream.
   *
   * @param keyField empty for none
   * @param timestampField empty for none
   */
  JsonLines(InputStream in, String keyField, String timestampField) {
    this.lines = new Lines(in);
    this.keyField = keyField;
    this.timestampField = timestampField;
    this.keyPath = keyField.split("\\.");
    this.timestampPath = timestampField.split("\\.");
  }

  @Override
  public boolean next() throws IOException {
    value = lines.next();
    if (value == null) {
      return false;
    }
    key = keyField.isEmpty() ? null : read(keyPath, this::readKey, null);
    timestamp = timestampField.isEmpty() ? 0 : read(timestampPath, this::time, 0L);
    return true;
  }

  private byte[] readKey(JsonParser at) throws IOException {
    return at.currentToken().isScalarValue() ? at.getText().getBytes(StandardCharsets.UTF_8) : null;
  }

  private long time(JsonParser at) throws IOException {
    if (at.currentToken().isNumeric()) {
      return Timestamps.of(new BigDecimal(at.getText()), lines.number(), timestampField);
    }
    throw Timestamps.faulty(lines.number(), timestampField, at.getText());
  }

  /** The value of a field; the other one where the line has none or is no JSON. */
  private <T> T read(String[] path, Reader<T> reader, T otherwise) throws IOException {
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
  public byte[] key() {
    return key;
  }

  @Override
  public long timestamp() {
    return timestamp;
  }

  @Override
  public byte[] value() {
    return value;
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }

  private interface Reader<T> {
    T read(JsonParser parser) throws IOException;
  }
}
