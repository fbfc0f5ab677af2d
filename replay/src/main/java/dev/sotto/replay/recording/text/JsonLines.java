package dev.sotto.replay.recording.text;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.serdes.event.JsonField;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;

/**
 * One value a line, byte for byte; blank lines are skipped. A line that is not JSON is still an
 * event, which the learner's decoder sets aside; it has no key and the timestamp 0.
 */
final class JsonLines implements TextSource {
  private static final int LONGEST_TEXT = 1 << 26;

  private final TextLines lines;
  private final String timestampField;
  private final JsonField<byte[]> keys; // null for none
  private final JsonField<Long> timestamps; // null for none
  private boolean begun;

  /**
   * Lines of a stream.
   *
   * @param keyField empty for none
   * @param timestampField empty for none
   */
  JsonLines(InputStream in, String keyField, String timestampField) {
    this.lines = new TextLines(in);
    this.timestampField = timestampField;
    this.keys = keyField.isEmpty() ? null : new JsonField<>(keyField, LONGEST_TEXT, JsonLines::key);
    this.timestamps =
        timestampField.isEmpty() ? null : new JsonField<>(timestampField, LONGEST_TEXT, this::time);
  }

  @Override
  public TextRecord next() throws IOException {
    byte[] value = lines.next();
    if (value == null) {
      return null;
    }
    if (!begun && opensArray(value)) {
      throw new MalformedTextException(
          lines.number(),
          "a value must be whole on its line, but here an array begins that goes on; write one"
              + " object a line, as with: jq -c '.[]' FILE");
    }
    begun = true;
    byte[] key = keys == null ? null : keys.read(value);
    Long timestamp = timestamps == null ? null : timestamps.read(value);
    return new TextRecord(key, timestamp == null ? 0 : timestamp, value);
  }

  /** Whether a file that begins so is one array of all events: it would be one record a comma. */
  private static boolean opensArray(byte[] first) {
    String line = new String(first, StandardCharsets.UTF_8).strip();
    return line.equals("[") || line.startsWith("[") && line.endsWith(",");
  }

  private static byte[] key(JsonParser at) throws IOException {
    return at.currentToken().isScalarValue() ? at.getText().getBytes(StandardCharsets.UTF_8) : null;
  }

  private Long time(JsonParser at) throws IOException {
    try {
      if (at.currentToken().isNumeric()) {
        return timestamp(timestampField, new BigDecimal(at.getText()));
      }
    } catch (NumberFormatException notFinite) {
      // It is refused below.
    }
    throw at.currentToken() == JsonToken.VALUE_STRING
        ? textTimestamp(timestampField, at.getText())
        : noTimestamp(timestampField, at.getText());
  }

  @Override
  public long line() {
    return lines.number();
  }

  @Override
  public void close() throws IOException {
    lines.close();
  }
}
