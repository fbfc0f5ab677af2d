package dev.sotto.serdes.event;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldPaths;
import dev.sotto.serdes.feature.FieldValues;
import java.math.BigInteger;
import java.util.Map;

/**
 * Events that are maps from field names to values, as applications hold them: the slot is that of
 * the JSON object with the same fields. Holds buffers: one per thread.
 *
 * <p>Values: numbers of any type, booleans, text ({@link CharSequence}, {@link Character}, enum
 * constants by name), nested maps, null (missing). Anything else is neither number nor text.
 */
public final class EventMapReader {
  private final FeatureMap map;
  private final FieldValues values;

  public EventMapReader(FeatureMap map) {
    this.map = map;
    this.values = new FieldValues(map.paths());
  }

  /** Reads one event into a slot of {@link FeatureMap#dimension()} coordinates. */
  public RecordStatus read(byte[] key, Map<String, ?> event, Slot into) {
    if (event == null) {
      into.clear();
      return into.status(RecordStatus.EMPTY);
    }
    values.clear();
    fields(event, map.paths().root(), 0);
    return map.fill(key, values, into);
  }

  private void fields(Map<?, ?> event, FieldPaths.Node node, int way) {
    node.children().forEach((name, child) -> {
      Object value = event.get(name);
      if (value == null && !event.containsKey(name)) {
        return;
      }
      if (child.place() >= 0 && values.claim(child.place(), way)) {
        value(value, child.place());
      }
      if (value instanceof Map<?, ?> below && child.hasChildren()) {
        fields(below, child, way | child.level());
      }
    });
  }

  private void value(Object value, int place) {
    if (value == null) {
      return;
    }
    if (value instanceof Number number) {
      number(number, place);
    } else if (value instanceof Boolean bool) {
      values.bool(place, bool);
    } else if (value instanceof CharSequence || value instanceof Character) {
      text(value.toString(), place);
    } else if (value instanceof Enum<?> constant) {
      text(constant.name(), place);
    } else {
      values.other(place);
    }
  }

  private void number(Number value, int place) {
    if (value instanceof Long
        || value instanceof Integer
        || value instanceof Short
        || value instanceof Byte) {
      values.integer(place, value.longValue());
    } else if (value instanceof BigInteger big) {
      char[] digits = big.toString().toCharArray();
      values.integer(place, digits, 0, digits.length, big.doubleValue());
    } else {
      values.fraction(place, value.doubleValue());
    }
  }

  private void text(String text, int place) {
    char[] chars = text.toCharArray();
    values.text(place, chars, 0, chars.length);
  }
}
