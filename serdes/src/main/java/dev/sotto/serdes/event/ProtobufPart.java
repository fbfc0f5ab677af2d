package dev.sotto.serdes.event;

import dev.sotto.serdes.feature.FieldPaths;
import dev.sotto.serdes.schema.ProtobufSchema.Entries;
import dev.sotto.serdes.schema.ProtobufSchema.Field;
import dev.sotto.serdes.schema.ProtobufSchema.Message;
import dev.sotto.serdes.schema.ProtobufSchema.Names;
import dev.sotto.serdes.schema.ProtobufSchema.Scalar;
import dev.sotto.serdes.schema.ProtobufSchema.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A message at one way, with the fields that are wanted of it: compiled for its schema. */
final class ProtobufPart {
  private final Wanted[] fields; // by number
  final Wanted[] unwritten;

  ProtobufPart(Message message, FieldPaths.Node node) {
    List<Wanted> all = new ArrayList<>();
    List<Wanted> zero = new ArrayList<>();
    Map<Integer, List<Wanted>> oneOfs = new HashMap<>();
    for (Field field : message.fields()) {
      FieldPaths.Node below = node.child(field.name());
      Wanted wanted = new Wanted(field.number(), field.type(), field.repeated(), below);
      if (field.oneOf() >= 0) {
        oneOfs.computeIfAbsent(field.oneOf(), each -> new ArrayList<>()).add(wanted);
      } else if (below != null) {
        all.add(wanted);
      }
      boolean never = field.repeated() || field.type() instanceof Entries; // is it missing
      if (below != null && (field.implicit() || never)) {
        zero.add(wanted);
      }
    }
    for (List<Wanted> members : oneOfs.values()) {
      if (members.stream().anyMatch(each -> each.node != null)) {
        members.forEach(each -> each.rivals = members.stream()
            .filter(other -> other != each && other.node != null)
            .toArray(Wanted[]::new));
        all.addAll(members);
      }
    }
    all.sort((one, other) -> Integer.compare(one.number, other.number));
    fields = all.toArray(Wanted[]::new);
    unwritten = zero.toArray(Wanted[]::new);
  }

  Wanted find(int number) {
    int low = 0;
    int high = fields.length - 1;
    while (low <= high) {
      int middle = (low + high) >>> 1;
      int there = fields[middle].number;
      if (there == number) {
        return fields[middle];
      }
      if (there < number) {
        low = middle + 1;
      } else {
        high = middle - 1;
      }
    }
    return null;
  }

  /** A field that is wanted, or whose oneof has one that is: then it has no node. */
  static final class Wanted {
    private static final Wanted[] NONE = {};

    final int number;
    final Type type;
    final int wire;
    final boolean isList;
    final FieldPaths.Node node;
    final ProtobufPart part; // of a message
    final Map<String, Wanted> entries = new HashMap<>(); // of a map, by key
    Wanted[] rivals = NONE;

    Wanted(int number, Type type, boolean isList, FieldPaths.Node node) {
      this.number = number;
      this.type = type;
      this.isList = isList;
      this.node = node;
      this.wire = type instanceof Scalar scalar
          ? scalar.wire()
          : type instanceof Names ? ProtobufBytes.VARINT : ProtobufBytes.LENGTH;
      this.part = type instanceof Message message && node != null && !isList
          ? new ProtobufPart(message, node)
          : null;
      if (type instanceof Entries entry && node != null) {
        node.children()
            .forEach((key, below) -> entries.put(key, new Wanted(2, entry.value(), false, below)));
      }
    }
  }
}
