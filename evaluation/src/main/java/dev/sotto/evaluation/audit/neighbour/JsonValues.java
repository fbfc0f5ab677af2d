package dev.sotto.evaluation.audit.neighbour;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** JSON objects, whose coordinates stand first. */
record JsonValues(FieldTexts fields) implements RecordValues {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final List<String> WRONG =
      List.of("null", "{}", "[1]", "1e999", "NaN", "\"1,5\"", "\"\"", "-1", "true");

  @Override
  public byte[] readable(Map<String, String> coordinates, Random random) {
    return json(fields.draw(coordinates, random));
  }

  @Override
  public byte[] padded(Map<String, String> coordinates, int bytes, Random random) {
    Map<String, Object> all = fields.draw(coordinates, random);
    char[] letters = new char[bytes];
    Arrays.fill(letters, 'x');
    all.put("of no use", new String(letters));
    return json(all);
  }

  @Override
  public byte[] wrong(Map<String, String> coordinates, Random random) {
    Map<String, Object> all = fields.draw(coordinates, random);
    List<String> members = new ArrayList<>();
    all.forEach((path, value) -> {
      boolean sound = coordinates.containsKey(path) || random.nextBoolean();
      String shown = sound ? text(value) : WRONG.get(random.nextInt(WRONG.size()));
      if (sound || random.nextInt(3) > 0) {
        members.add(text(path) + ":" + shown);
      }
    });
    return ("{" + String.join(",", members) + "}").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] emptied(Map<String, String> coordinates) {
    return coordinates.isEmpty() ? null : json(new LinkedHashMap<>(coordinates));
  }

  @Override
  public byte[] head(Map<String, String> coordinates) {
    if (coordinates.isEmpty()) {
      return new byte[0];
    }
    byte[] whole = emptied(coordinates);
    byte[] head = Arrays.copyOf(whole, whole.length);
    head[head.length - 1] = ',';
    return head;
  }

  private static String text(Object value) {
    return new String(write(value), StandardCharsets.UTF_8);
  }

  private static byte[] json(Map<String, Object> all) {
    return write(all);
  }

  private static byte[] write(Object value) {
    try {
      return JSON.writeValueAsBytes(value);
    } catch (JsonProcessingException impossible) {
      throw new IllegalStateException(impossible);
    }
  }
}
