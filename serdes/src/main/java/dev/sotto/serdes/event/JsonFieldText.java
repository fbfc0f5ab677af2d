package dev.sotto.serdes.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;

/** Reads one field of JSON objects as text: a text that is not empty, or a whole number. */
public final class JsonFieldText {
  private final String[] path;
  private final int maxBytes;
  private final JsonFactory factory;

  /**
   * A reader.
   *
   * @param path its names, with dots between
   * @param maxBytes the longest value that is read
   */
  public JsonFieldText(String path, int maxBytes) {
    this.path = path.split("\\.");
    this.maxBytes = maxBytes;
    this.factory = JsonEventDecoder.factory(maxBytes);
  }

  /** The text; null where there is none, or the value is no such object. */
  public String read(byte[] value) {
    if (value == null || value.length > maxBytes) {
      return null;
    }
    try (JsonParser parser = factory.createParser(value)) {
      String text = parser.nextToken() == JsonToken.START_OBJECT ? find(parser, 0) : null;
      return parser.nextToken() == null ? text : null;
    } catch (IOException | RuntimeException broken) {
      return null;
    }
  }

  /** Reads to the end of an object; of a name given twice the last one counts. */
  private String find(JsonParser parser, int depth) throws IOException {
    String found = null;
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      boolean wanted = parser.currentName().equals(path[depth]);
      JsonToken token = parser.nextToken();
      if (!wanted) {
        parser.skipChildren();
      } else if (depth < path.length - 1) {
        found = token == JsonToken.START_OBJECT ? find(parser, depth + 1) : null;
        parser.skipChildren();
      } else {
        found = text(parser, token);
        parser.skipChildren();
      }
    }
    return found;
  }

  private static String text(JsonParser parser, JsonToken token) throws IOException {
    boolean names = token == JsonToken.VALUE_STRING || token == JsonToken.VALUE_NUMBER_INT;
    return names && !parser.getText().isEmpty() ? parser.getText() : null;
  }
}
