package dev.sotto.serdes.event;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.serdes.feature.FieldPaths;
import java.io.IOException;

/**
 * One field of JSON objects, found as {@link JsonEventDecoder} finds those of features: of a name
 * given twice the last one counts, and a name with dots in it before names within each other. Not
 * safe for use by several threads.
 *
 * @param <T> what its values are read as
 */
public final class JsonField<T> {
  private final FieldPaths paths = new FieldPaths();
  private final JsonFactory factory;
  private final Reader<T> reader;
  private int foundOn;
  private T found;

  /**
   * Reads a value that is not null.
   *
   * @param <T> what it is read as
   */
  public interface Reader<T> {
    /** The value at the parser's current token, of which it reads no more. */
    T read(JsonParser at) throws IOException;
  }

  /**
   * A field.
   *
   * @param path its names, with dots between
   * @param maxBytes the longest text in a value
   */
  public JsonField(String path, int maxBytes, Reader<T> reader) {
    paths.place(path, true);
    this.factory = JsonEventDecoder.factory(maxBytes);
    this.reader = reader;
  }

  /**
   * What the reader makes of the field; null where there is none, or the value is no JSON object.
   *
   * @throws IOException that of the reader
   */
  public T read(byte[] value) throws IOException {
    foundOn = Integer.MAX_VALUE;
    found = null;
    try (JsonParser parser = factory.createParser(value)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) {
        return null;
      }
      object(parser, paths.root(), 0);
      return parser.nextToken() == null ? found : null;
    } catch (JsonProcessingException | RuntimeException noJson) {
      return null;
    }
  }

  private void object(JsonParser parser, FieldPaths.Node node, int way) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      FieldPaths.Node child = node.child(parser.currentName());
      JsonToken token = parser.nextToken();
      if (child == null) {
        parser.skipChildren();
        continue;
      }
      int inside = way | child.level();
      if (child.place() < 0 && (foundOn & -child.level()) == inside) { // given once more
        foundOn = Integer.MAX_VALUE;
        found = null;
      }
      if (child.place() >= 0 && way <= foundOn) {
        foundOn = way;
        found = token == JsonToken.VALUE_NULL ? null : reader.read(parser);
      }
      if (child.place() < 0 && token == JsonToken.START_OBJECT) {
        object(parser, child, inside);
      } else {
        parser.skipChildren();
      }
    }
  }
}
