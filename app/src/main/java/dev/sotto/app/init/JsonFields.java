package dev.sotto.app.init;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.UnreadableValue;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** Reads the fields of JSON objects into a sample. */
final class JsonFields {
  private static final JsonFactory JSON =
      JsonEventDecoder.factory(JsonEventDecoder.DEFAULT_MAX_BYTES);

  /** Where a message begins to tell programmers which switch of the parser there is. */
  private static final Pattern FOR_PROGRAMMERS =
      Pattern.compile("[,:;(]?[^,:;(]*(?:Feature|`|Constraints|start marker|starting at).*");

  private final Sample sample;
  private final List<String> path = new ArrayList<>();

  JsonFields(Sample sample) {
    this.sample = sample;
  }

  /** Adds one record; one that is no JSON object is counted as unreadable, and no more. */
  void add(byte[] value) {
    String fault = value == null ? "it has no value" : fault(value);
    if (!fault.isEmpty()) {
      sample.unreadable(UnreadableValue.guess(value).orElse(fault));
      return;
    }
    sample.read();
    path.clear();
    try (JsonParser parser = JSON.createParser(value)) {
      parser.nextToken();
      object(parser);
    } catch (IOException impossible) {
      throw new IllegalStateException("a record could be read once, but not again", impossible);
    }
  }

  /** What is wrong with a value; empty where it is one JSON object. */
  private static String fault(byte[] value) {
    try (JsonParser parser = JSON.createParser(value)) {
      JsonToken first = parser.nextToken();
      if (first != JsonToken.START_OBJECT) {
        return first == JsonToken.START_ARRAY
            ? "it must be a JSON object, but is an array; write one object a line, as with: jq -c"
                + " '.[]' FILE"
            : "it must be a JSON object, but is something else";
      }
      int depth = 1;
      while (depth > 0) {
        JsonToken token = parser.nextToken();
        depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
        if (token.isNumeric()) {
          parser.getDoubleValue(); // checks its length
        } else if (token == JsonToken.VALUE_STRING) {
          parser.getText();
        }
      }
      return parser.nextToken() == null ? "" : "it must be one JSON object, but more follows";
    } catch (JsonProcessingException noJson) {
      return "it must be a whole JSON object (on one line, in a file), but: "
          + forPeople(noJson.getOriginalMessage());
    } catch (IOException noText) {
      return "it must be a JSON object in UTF-8, but: " + noText.getMessage();
    }
  }

  /** A message of the parser without its own names, and without a bracket that is left open. */
  private static String forPeople(String message) {
    String text = FOR_PROGRAMMERS
        .matcher(message)
        .replaceFirst("")
        .replace("VALUE_STRING", "a text")
        .strip();
    return text.lastIndexOf('(') > text.lastIndexOf(')') ? text + ")" : text;
  }

  private void object(JsonParser parser) throws IOException {
    while (parser.nextToken() == JsonToken.FIELD_NAME) {
      path.add(parser.currentName());
      value(parser, parser.nextToken());
      path.remove(path.size() - 1);
    }
  }

  private void value(JsonParser parser, JsonToken token) throws IOException {
    switch (token) {
      case START_OBJECT -> object(parser);
      case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
        sample.field(path).number(parser.getDoubleValue());
      case VALUE_STRING -> sample.field(path).text(parser.getText());
      case VALUE_TRUE, VALUE_FALSE -> sample.field(path).bool(token == JsonToken.VALUE_TRUE);
      case VALUE_NULL -> sample.field(path);
      default -> {
        sample.field(path).list();
        parser.skipChildren();
      }
    }
  }
}
