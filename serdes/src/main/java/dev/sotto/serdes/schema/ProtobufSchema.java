package dev.sotto.serdes.schema;

import com.squareup.wire.Syntax;
import com.squareup.wire.schema.Field.Label;
import com.squareup.wire.schema.Location;
import com.squareup.wire.schema.internal.parser.EnumConstantElement;
import com.squareup.wire.schema.internal.parser.EnumElement;
import com.squareup.wire.schema.internal.parser.FieldElement;
import com.squareup.wire.schema.internal.parser.MessageElement;
import com.squareup.wire.schema.internal.parser.OneOfElement;
import com.squareup.wire.schema.internal.parser.ProtoFileElement;
import com.squareup.wire.schema.internal.parser.ProtoParser;
import com.squareup.wire.schema.internal.parser.TypeElement;
import dev.sotto.serdes.schema.FieldShape.Plain;
import dev.sotto.serdes.schema.FieldShape.Unreadable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A file of Protobuf messages, and those that it imports. Names of types are looked up from the
 * innermost scope outwards. A type that is in none of the files, nor well known, makes its field
 * one that no feature can read, and leaves all others as they are.
 */
public final class ProtobufSchema extends SchemaText {
  private static final Pattern MAP = Pattern.compile("map\\s*<\\s*(\\w+)\\s*,\\s*([.\\w]+)\\s*>");
  private static final String KNOWN = "google.protobuf.";

  /** What a field is. */
  public sealed interface Type permits Scalar, Names, Wrapper, Time, Entries, Message, Unknown {}

  /** A number, a text or bytes; how they are written is said by the constants. */
  public enum Scalar implements Type {
    DOUBLE(1),
    FLOAT(5),
    INT32(0),
    INT64(0),
    UINT32(0),
    UINT64(0),
    SINT32(0),
    SINT64(0),
    FIXED32(5),
    FIXED64(1),
    SFIXED32(5),
    SFIXED64(1),
    BOOL(0),
    STRING(2),
    BYTES(2);

    private final int wire;

    Scalar(int wire) {
      this.wire = wire;
    }

    /** The wire type of one value. */
    public int wire() {
      return wire;
    }

    private String word() {
      return name().toLowerCase(Locale.ROOT);
    }

    private static Scalar of(String word) {
      for (Scalar each : values()) {
        if (each.word().equals(word)) {
          return each;
        }
      }
      return null;
    }
  }

  /**
   * An enum.
   *
   * @param byNumber of several names for a number the first one
   */
  public record Names(Map<Integer, String> byNumber) implements Type {}

  /** A message of a number, text or truth value, which stands for that value. */
  public record Wrapper(Scalar value) implements Type {}

  /** {@code google.protobuf.Timestamp}. */
  public enum Time implements Type {
    TIMESTAMP
  }

  /** A map. */
  public record Entries(Scalar key, Type value) implements Type {}

  /** One whose definition is not there. */
  public record Unknown(String name) implements Type {}

  /**
   * A field.
   *
   * @param implicit whether it is its type's zero where it is not written
   * @param oneOf the number of the oneof in its message, from 0; -1 in none
   */
  public record Field(
      int number, String name, Type type, boolean repeated, boolean implicit, int oneOf) {}

  /** A message, which may hold itself. */
  public static final class Message implements Type {
    private final String name;
    private final List<Field> fields = new ArrayList<>();
    private final List<Message> nested = new ArrayList<>();

    private Message(String name) {
      this.name = name;
    }

    public List<Field> fields() {
      return fields;
    }

    private boolean isNamed(String simpleName) {
      return name.substring(name.lastIndexOf('.') + 1).equals(simpleName);
    }

    private Stream<Message> within() {
      return nested.stream().flatMap(each -> Stream.concat(Stream.of(each), each.within()));
    }
  }

  private record Declared(TypeElement element, boolean proto3) {}

  private final List<Message> messages = new ArrayList<>();
  private final Map<String, Declared> declared = new HashMap<>();
  private final Map<String, Message> made = new HashMap<>();

  private ProtobufSchema(String text, Map<String, String> references) {
    super(text, references);
  }

  /**
   * Reads a file.
   *
   * @param references texts by the names under which files import them
   * @throws RuntimeException where it is none, or has no message
   */
  public static ProtobufSchema parse(String text, Map<String, String> references) {
    ProtobufSchema schema = new ProtobufSchema(text, references);
    references.forEach((name, each) -> schema.declare(file(name, each)));
    ProtoFileElement file = file("schema", text);
    String scope = schema.declare(file);
    messages(file.getTypes())
        .forEach(each -> schema.messages.add(schema.message(scope + each.getName())));
    if (schema.messages.isEmpty()) {
      throw new IllegalArgumentException("it has no message");
    }
    return schema;
  }

  private static ProtoFileElement file(String name, String text) {
    return ProtoParser.Companion.parse(Location.get(name), text);
  }

  /** Knows the types of a file; what stands before their names. */
  private String declare(ProtoFileElement file) {
    String scope = file.getPackageName() == null ? "" : file.getPackageName() + ".";
    declare(file.getTypes(), scope, file.getSyntax() == Syntax.PROTO_3);
    return scope;
  }

  private void declare(List<TypeElement> types, String scope, boolean proto3) {
    for (TypeElement each : types) {
      String name = scope + each.getName();
      declared.put(name, new Declared(each, proto3));
      declare(each.getNestedTypes(), name + ".", proto3);
    }
  }

  private static List<MessageElement> messages(List<TypeElement> types) {
    return types.stream()
        .filter(MessageElement.class::isInstance)
        .map(MessageElement.class::cast)
        .toList();
  }

  private Message message(String name) {
    Message known = made.get(name);
    if (known != null) {
      return known;
    }
    Message message = new Message(name);
    made.put(name, message);
    Declared own = declared.get(name);
    MessageElement element = (MessageElement) own.element();
    for (FieldElement each : element.getFields()) {
      message.fields.add(field(each, name, own.proto3() && each.getLabel() == null, -1));
    }
    for (int i = 0; i < element.getOneOfs().size(); i++) {
      OneOfElement oneOf = element.getOneOfs().get(i);
      for (FieldElement each : oneOf.getFields()) {
        message.fields.add(field(each, name, false, i));
      }
    }
    messages(element.getNestedTypes())
        .forEach(each -> message.nested.add(message(name + "." + each.getName())));
    return message;
  }

  private Field field(FieldElement element, String scope, boolean unlabelled, int oneOf) {
    Type type = type(element.getType(), scope);
    return new Field(
        element.getTag(),
        element.getName(),
        type,
        element.getLabel() == Label.REPEATED,
        unlabelled && (type instanceof Scalar || type instanceof Names),
        oneOf);
  }

  private Type type(String word, String scope) {
    Matcher map = MAP.matcher(word);
    if (map.matches()) {
      Scalar key = Scalar.of(map.group(1));
      return key == null ? new Unknown(word) : new Entries(key, type(map.group(2), scope));
    }
    Scalar scalar = Scalar.of(word);
    if (scalar != null) {
      return scalar;
    }
    String name = word.startsWith(".") ? word.substring(1) : found(word, scope);
    if (name.startsWith(KNOWN)) {
      String known = name.substring(KNOWN.length());
      if (known.equals("Timestamp")) {
        return Time.TIMESTAMP;
      }
      Scalar value = known.endsWith("Value")
          ? Scalar.of(known.replace("Value", "").toLowerCase(Locale.ROOT))
          : null;
      if (value != null) {
        return new Wrapper(value);
      }
    }
    Declared there = declared.get(name);
    if (there == null) {
      return new Unknown(name);
    }
    return there.element() instanceof EnumElement names ? names(names) : message(name);
  }

  /** The name with the scope in which it is declared; as it stands where it is in none. */
  private String found(String word, String scope) {
    for (String at = scope; !at.isEmpty(); at = at.substring(0, Math.max(0, at.lastIndexOf('.')))) {
      if (declared.containsKey(at + "." + word)) {
        return at + "." + word;
      }
    }
    return word;
  }

  private static Names names(EnumElement element) {
    Map<Integer, String> names = new TreeMap<>();
    for (EnumConstantElement each : element.getConstants()) {
      names.putIfAbsent(each.getTag(), each.getName());
    }
    return new Names(names);
  }

  /** The message at a place of the file, by its place among those beside it at each level. */
  public Optional<Message> message(List<Integer> indexes) {
    List<Message> here = messages;
    Message found = null;
    for (int index : indexes) {
      if (index < 0 || index >= here.size()) {
        return Optional.empty();
      }
      found = here.get(index);
      here = found.nested;
    }
    return Optional.ofNullable(found);
  }

  /**
   * The message of the file itself with this name, without what stands before it: one in no other
   * message, or else the only one within others.
   */
  public Optional<Message> named(String simpleName) {
    List<Message> found =
        messages.stream().filter(each -> each.isNamed(simpleName)).toList();
    if (found.isEmpty()) {
      found = messages.stream()
          .flatMap(Message::within)
          .filter(each -> each.isNamed(simpleName))
          .toList();
    }
    return found.size() == 1 ? Optional.of(found.get(0)) : Optional.empty();
  }

  @Override
  public WriterSchema.Kind kind() {
    return WriterSchema.Kind.PROTOBUF;
  }

  @Override
  public List<FieldShape> shapes() {
    Map<Message, FieldShape.Fields> shapes = new HashMap<>();
    return messages.stream().<FieldShape>map(each -> shape(each, shapes)).toList();
  }

  private static FieldShape.Fields shape(Message message, Map<Message, FieldShape.Fields> shapes) {
    FieldShape.Fields known = shapes.get(message);
    if (known != null) {
      return known;
    }
    FieldShape.Fields shape = new FieldShape.Fields("message", false);
    shapes.put(message, shape);
    for (Field each : message.fields) {
      FieldShape type =
          each.repeated() ? new Unreadable("repeated", true, "a list") : shape(each.type(), shapes);
      shape.put(each.name(), type, each.implicit());
    }
    return shape;
  }

  private static FieldShape shape(Type type, Map<Message, FieldShape.Fields> shapes) {
    if (type instanceof Message message) {
      return shape(message, shapes);
    }
    if (type instanceof Scalar scalar) {
      return shape(scalar, scalar.word());
    }
    if (type instanceof Wrapper wrapper) {
      return shape(wrapper.value(), "wrapped " + wrapper.value().word());
    }
    if (type instanceof Names names) {
      return new FieldShape.Words(List.copyOf(names.byNumber().values()), "enum");
    }
    if (type instanceof Entries entries) {
      return new FieldShape.Keyed(shape(entries.value(), shapes), "map");
    }
    return type == Time.TIMESTAMP
        ? new Plain(FieldShape.Kind.WHOLE, "timestamp")
        : new Unreadable(
            ((Unknown) type).name(), true, "of a type that is neither here nor well known");
  }

  private static FieldShape shape(Scalar scalar, String word) {
    return switch (scalar) {
      case DOUBLE -> new Plain(FieldShape.Kind.DOUBLE, word);
      case FLOAT -> new Plain(FieldShape.Kind.FLOAT, word);
      case BOOL -> new Plain(FieldShape.Kind.BOOLEAN, word);
      case STRING -> new Plain(FieldShape.Kind.TEXT, word);
      case BYTES ->
        new Unreadable(word, false, "bytes, which no feature can read; write a text or a number");
      default -> new Plain(FieldShape.Kind.WHOLE, word);
    };
  }
}
