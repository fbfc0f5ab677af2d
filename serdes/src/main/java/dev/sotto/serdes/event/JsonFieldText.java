package dev.sotto.serdes.event;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads one field of JSON objects as text: a text that is not empty, or a whole number. */
public final class JsonFieldText {
  private final JsonField<String> field;
  private final int maxBytes;

  /**
   * A reader.
   *
   * @param path its names, with dots between
   * @param maxBytes the longest value that is read
   */
  public JsonFieldText(String path, int maxBytes) {
    this.field = new JsonField<>(path, maxBytes, JsonFieldText::text);
    this.maxBytes = maxBytes;
  }

  /** The text; null where there is none, or the value is no such object. */
  public String read(byte[] value) {
    if (value == null || value.length > maxBytes) {
      return null;
    }
    try {
      return field.read(value);
    } catch (IOException broken) {
      return null;
    }
  }

  private static String text(JsonParser parser) throws IOException {
    JsonToken token = parser.currentToken();
    boolean names = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
    return names && !parser.getText().isEmpty() ? parser.getText() : null;
  }
}
