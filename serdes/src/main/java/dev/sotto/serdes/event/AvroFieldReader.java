package dev.sotto.serdes.event;

import dev.sotto.serdes.feature.FieldPaths;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.avro.Schema;

/** Compiles one writer's schema into the steps that read the wanted fields and skip the rest. */
final class AvroFieldReader {
  private static final AvroReadStep NOTHING = (in, values, depth) -> {};

  private final Map<String, AvroReadStep.Fields> skipped = new HashMap<>();
  private final Map<String, Boolean> empty = new HashMap<>();

  private AvroFieldReader() {}

  /** The steps of a whole record; the schema has none of {@link #problems}. */
  static AvroReadStep of(Schema writer, FieldPaths.Node wanted) {
    return new AvroFieldReader().step(writer, wanted);
  }

  /**
   * Why a schema cannot be read, whatever the paths: the rest of sentences that begin with its key.
   */
  static List<String> problems(Schema writer) {
    if (writer.getType() != Schema.Type.RECORD) {
      return List.of("must be a record, but was " + writer.getType().getName());
    }
    var records = new LinkedHashMap<String, Schema>();
    collect(writer, records);
    return records.values().stream()
        .filter(schema -> alwaysHolds(schema, schema.getFullName(), new HashSet<>()))
        .map(schema ->
            "must let every record end, but " + schema.getFullName() + " always holds itself")
        .toList();
  }

  private static void collect(Schema schema, Map<String, Schema> records) {
    switch (schema.getType()) {
      case RECORD -> {
        if (records.putIfAbsent(schema.getFullName(), schema) == null) {
          schema.getFields().forEach(field -> collect(field.schema(), records));
        }
      }
      case UNION -> schema.getTypes().forEach(branch -> collect(branch, records));
      case ARRAY -> collect(schema.getElementType(), records);
      case MAP -> collect(schema.getValueType(), records);
      default -> {}
    }
  }

  /** Whether a record has this one as a part, not counting what may be absent. */
  private static boolean alwaysHolds(Schema schema, String name, Set<String> seen) {
    for (Schema.Field field : schema.getFields()) {
      Schema part = field.schema();
      if (part.getType() == Schema.Type.RECORD
          && (part.getFullName().equals(name)
              || (seen.add(part.getFullName()) && alwaysHolds(part, name, seen)))) {
        return true;
      }
    }
    return false;
  }

  private AvroReadStep step(Schema schema, FieldPaths.Node wanted) {
    if (schema.getType() == Schema.Type.UNION) {
      return new AvroReadStep.Union(
          schema.getTypes().stream().map(t -> step(t, wanted)).toArray(AvroReadStep[]::new));
    }
    if (wanted == null) {
      return skip(schema);
    }
    int place = wanted.place();
    AvroReadStep rest =
        schema.getType() == Schema.Type.RECORD ? record(schema, wanted) : skip(schema);
    return place < 0 ? rest : value(schema, place, rest);
  }

  private AvroReadStep value(Schema schema, int place, AvroReadStep rest) {
    return switch (schema.getType()) {
      case NULL -> (in, values, depth) -> values.claim(place, 0); // it is there, without a value
      case INT -> (in, values, depth) -> values.integer(place, in.readInt());
      case LONG -> (in, values, depth) -> values.integer(place, in.readLong());
      case FLOAT -> (in, values, depth) -> values.fraction(place, in.readFloat());
      case DOUBLE -> (in, values, depth) -> values.fraction(place, in.readDouble());
      case BOOLEAN -> (in, values, depth) -> values.bool(place, in.readBoolean());
      case STRING -> new AvroReadStep.Text(place);
      case ENUM ->
        new AvroReadStep.Symbol(
            place,
            schema.getEnumSymbols().stream()
                .map(symbol -> symbol.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new));
      default -> new AvroReadStep.Other(place, rest);
    };
  }

  private AvroReadStep record(Schema schema, FieldPaths.Node wanted) {
    var fields = new AvroReadStep.Fields();
    fields.fill(steps(schema, wanted));
    return fields;
  }

  private AvroReadStep[] steps(Schema schema, FieldPaths.Node wanted) {
    var steps = new ArrayList<AvroReadStep>();
    for (Schema.Field field : schema.getFields()) {
      FieldPaths.Node child = wanted == null ? null : wanted.child(field.name());
      if (child != null || !isEmpty(field.schema())) {
        steps.add(step(field.schema(), child));
      }
    }
    return steps.toArray(AvroReadStep[]::new);
  }

  private AvroReadStep skip(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> NOTHING;
      case BOOLEAN -> (in, values, depth) -> in.readBoolean();
      case INT, ENUM -> (in, values, depth) -> in.readInt();
      case LONG -> (in, values, depth) -> in.readLong();
      case FLOAT -> (in, values, depth) -> in.skipFixed(Float.BYTES);
      case DOUBLE -> (in, values, depth) -> in.skipFixed(Double.BYTES);
      case STRING, BYTES -> (in, values, depth) -> AvroReadStep.skipBytes(in);
      case FIXED -> {
        int size = schema.getFixedSize();
        yield (in, values, depth) -> in.skipFixed(size);
      }
      case ARRAY -> new AvroReadStep.Items(false, item(schema.getElementType()));
      case MAP -> new AvroReadStep.Items(true, item(schema.getValueType()));
      case UNION -> step(schema, null);
      case RECORD -> skippedRecord(schema);
    };
  }

  private AvroReadStep item(Schema schema) {
    return isEmpty(schema) ? null : skip(schema);
  }

  private AvroReadStep skippedRecord(Schema schema) {
    AvroReadStep.Fields known = skipped.get(schema.getFullName());
    if (known == null) {
      known = new AvroReadStep.Fields();
      skipped.put(schema.getFullName(), known);
      known.fill(steps(schema, null));
    }
    return known;
  }

  /** Whether every value of this type has no bytes. */
  private boolean isEmpty(Schema schema) {
    return switch (schema.getType()) {
      case NULL -> true;
      case FIXED -> schema.getFixedSize() == 0;
      case RECORD -> {
        Boolean known = empty.get(schema.getFullName());
        if (known == null) {
          known = schema.getFields().stream().allMatch(f -> isEmpty(f.schema()));
          empty.put(schema.getFullName(), known);
        }
        yield known;
      }
      default -> false;
    };
  }
}
