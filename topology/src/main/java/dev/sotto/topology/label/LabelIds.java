package dev.sotto.topology.label;

import dev.sotto.serdes.event.JsonFieldText;
import dev.sotto.topology.settings.LateLabels;
import java.nio.charset.StandardCharsets;

/**
 * Reads the ids by which events find their labels. A record is of one id, whatever else it holds
 * and however large it is.
 */
@FunctionalInterface
public interface LabelIds {
  /** The longest id, in characters. */
  int LONGEST = 1024;

  /** The id of a record; null where none can be read. */
  String of(byte[] key, byte[] value);

  /** As the settings say: a field of JSON, or the key, whatever its bytes are. */
  static LabelIds of(LateLabels settings) {
    LabelIds any = settings
        .id()
        .map(JsonFieldText::new)
        .<LabelIds>map(field -> (key, value) -> field.read(value))
        .orElse((key, value) -> key == null ? null : new String(key, StandardCharsets.ISO_8859_1));
    return (key, value) -> {
      String id = any.of(key, value);
      return id == null || id.isEmpty() || id.length() > LONGEST ? null : id;
    };
  }
}
