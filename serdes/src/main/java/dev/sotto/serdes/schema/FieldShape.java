package dev.sotto.serdes.schema;

import dev.sotto.serdes.feature.FieldUse;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/** What a value can be by its writer's schema. A shape may hold itself. */
public sealed interface FieldShape {
  /** Its type, as its kind of schema names it. */
  String type();

  /** Follows the names of a path from one of them on. */
  void follow(String[] names, int from, Found found);

  /** Whether its values can be read as this. */
  default boolean reads(FieldUse use) {
    return false;
  }

  /** The names of the fields that it states at once. */
  default List<String> names() {
    return List.of();
  }

  /** What a path leads to. */
  final class Found {
    private final List<FieldShape> types = new ArrayList<>();
    private final Map<FieldShape, Set<Integer>> entered = new IdentityHashMap<>();
    private boolean there;
    private boolean blocked;
    private boolean open;

    /** Follows a path, its names with dots between. */
    public static Found of(FieldShape shape, String path) {
      Found found = new Found();
      shape.follow(path.split("\\.", -1), 0, found);
      return found;
    }

    /** The types that the field can have, null left out; none where there is no such field. */
    public List<FieldShape> types() {
      return types;
    }

    /** Whether there is such a field. */
    public boolean isThere() {
      return there;
    }

    /** Whether the way goes through a list or a map. */
    public boolean isBlocked() {
      return blocked;
    }

    /** Whether there may be such a field although it is not stated. */
    public boolean isOpen() {
      return open;
    }

    private void add(FieldShape type) {
      there = true;
      if (!(type instanceof Plain plain) || plain.kind() != Kind.NULL) {
        types.add(type);
      }
    }

    /** Whether one was not here before: a shape of alternatives may be one of them itself. */
    private boolean enters(FieldShape shape, int from) {
      return entered.computeIfAbsent(shape, each -> new HashSet<>()).add(from);
    }
  }

  /** What one value is. */
  enum Kind {
    NULL,
    WHOLE,
    FLOAT,
    DOUBLE,
    BOOLEAN,
    TEXT,
    /** Whatever a writer likes. */
    ANY
  }

  /** One value. */
  record Plain(Kind kind, String type) implements FieldShape {
    @Override
    public void follow(String[] names, int from, Found found) {
      if (from == names.length || kind == Kind.ANY) {
        found.add(this);
      }
    }

    @Override
    public boolean reads(FieldUse use) {
      return kind != Kind.BOOLEAN || use != FieldUse.NUMBER && use != FieldUse.NAME;
    }
  }

  /** One of some words. */
  record Words(List<String> words, String type) implements FieldShape {
    public Words {
      words = List.copyOf(words);
    }

    @Override
    public void follow(String[] names, int from, Found found) {
      if (from == names.length) {
        found.add(this);
      }
    }

    @Override
    public boolean reads(FieldUse use) {
      return words.stream().anyMatch(use::takesWord);
    }
  }

  /**
   * What no feature can read.
   *
   * @param holds whether there is something inside
   * @param words what it is, and what it could be instead
   */
  record Unreadable(String type, boolean holds, String words) implements FieldShape {
    @Override
    public void follow(String[] names, int from, Found found) {
      if (from == names.length) {
        found.add(this);
      } else if (holds) {
        found.blocked = true;
      }
    }
  }

  /** Values by keys that the schema does not name. */
  record Keyed(FieldShape values, String type) implements FieldShape {
    @Override
    public void follow(String[] names, int from, Found found) {
      if (from == names.length) {
        found.add(this);
      }
      int before = found.types.size();
      for (int to = from + 1; to <= names.length && found.types.size() == before; to++) {
        values.follow(names, to, found); // a key with dots in it where none without will do
      }
    }
  }

  /** One of several, which may be filled after it is made. */
  record OneOf(List<FieldShape> branches) implements FieldShape {
    @Override
    public String type() {
      return "one of several";
    }

    @Override
    public List<String> names() {
      return branches.stream()
          .filter(Fields.class::isInstance)
          .flatMap(each -> each.names().stream())
          .toList();
    }

    @Override
    public void follow(String[] names, int from, Found found) {
      if (found.enters(this, from)) {
        branches.forEach(each -> each.follow(names, from, found));
      }
    }
  }

  /** Fields by their names, filled after it is made. */
  final class Fields implements FieldShape {
    private final String type;
    private final Map<String, Field> fields = new LinkedHashMap<>();

    /**
     * One field.
     *
     * @param always whether it is in all of them
     */
    public record Field(FieldShape shape, boolean always) {}

    private final boolean open;

    /**
     * Without fields yet.
     *
     * @param open whether there may be others that are not stated
     */
    Fields(String type, boolean open) {
      this.type = type;
      this.open = open;
    }

    void put(String name, FieldShape shape, boolean always) {
      fields.put(name, new Field(shape, always));
    }

    /** In the order of the schema. */
    public Map<String, Field> fields() {
      return fields;
    }

    @Override
    public String type() {
      return type;
    }

    @Override
    public List<String> names() {
      return List.copyOf(fields.keySet());
    }

    @Override
    public void follow(String[] names, int from, Found found) {
      if (from == names.length) {
        found.add(this);
      }
      found.open |= open && from < names.length;
      for (int to = from + 1; to <= names.length; to++) {
        Field field = fields.get(String.join(".", Arrays.asList(names).subList(from, to)));
        if (field != null) {
          field.shape().follow(names, to, found);
        }
      }
    }
  }

  /** That of an Avro schema. */
  static FieldShape of(Schema schema) {
    return of(schema, new HashMap<>());
  }

  private static FieldShape of(Schema schema, Map<String, Fields> records) {
    String name = schema.getType().getName();
    String logical = schema.getProp("logicalType");
    String type = logical == null ? name : logical + " (" + name + ")";
    return switch (schema.getType()) {
      case NULL -> new Plain(Kind.NULL, type);
      case INT, LONG -> new Plain(Kind.WHOLE, type);
      case FLOAT -> new Plain(Kind.FLOAT, type);
      case DOUBLE -> new Plain(Kind.DOUBLE, type);
      case BOOLEAN -> new Plain(Kind.BOOLEAN, type);
      case STRING -> new Plain(Kind.TEXT, type);
      case ENUM -> new Words(schema.getEnumSymbols(), type);
      case ARRAY -> new Unreadable(type, true, "a list");
      case MAP -> new Unreadable(type, true, "a map; write a record with a field for each name");
      case BYTES, FIXED ->
        new Unreadable(
            type,
            false,
            logical != null && logical.contains("decimal")
                ? "a decimal, whose bytes no feature can read; write a double"
                : "bytes, which no feature can read; write a text or a number");
      case UNION ->
        new OneOf(schema.getTypes().stream().map(each -> of(each, records)).toList());
      case RECORD -> {
        Fields known = records.get(schema.getFullName());
        if (known == null) {
          known = new Fields(type, false);
          records.put(schema.getFullName(), known);
          for (Schema.Field each : schema.getFields()) {
            known.put(each.name(), of(each.schema(), records), true);
          }
        }
        yield known;
      }
    };
  }
}
