package dev.sotto.serdes.event;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumDescriptorProto;
import com.google.protobuf.DescriptorProtos.EnumValueDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.MessageOptions;
import com.google.protobuf.DescriptorProtos.OneofDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor.JavaType;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.Message;
import com.google.protobuf.TimestampProto;
import com.google.protobuf.WrappersProto;
import dev.sotto.serdes.feature.HeldValues;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/** Messages as Google's library writes and reads them, by a descriptor that no text gave. */
final class ProtobufEvents {
  /** The same as {@link #EVENT}, as registries have it. */
  static final String TEXT = """
      syntax = "proto3";
      package t;
      import "google/protobuf/wrappers.proto";
      import "google/protobuf/timestamp.proto";
      option java_package = "x.y";
      // The first message.
      message Event {
        double x = 1 [json_name = "ex"];
        int64 n = 2;
        string s = 3;
        bool b = 4;
        Kind kind = 5;
        optional double maybe = 6;
        oneof which {
          double left = 7;
          Place right = 8;
          string word = 2000;
        }
        google.protobuf.DoubleValue wrapped = 9;
        .google.protobuf.Timestamp at = 10;
        map<string, double> tags = 11;
        Place place = 12;
        repeated int32 many = 13;
        bytes raw = 14;
        uint64 big = 15;
        sint32 z = 16;
        fixed32 f = 17;
        float g = 18;
        map<sint32, Place> places = 19;
        sfixed64 sf = 20;
        sint64 zz = 21;
        uint32 u = 22;
        int32 i = 23;
        google.protobuf.StringValue text = 24;
        enum Kind { NONE = 0; A = 1; B = 5; }
        message Place {
          string city = 1;
          optional int32 no = 2;
          Place inner = 3;
        }
      }
      """;

  /** The paths that tests read. */
  static final List<String> PATHS = List.of(
      "x",
      "n",
      "s",
      "b",
      "kind",
      "maybe",
      "left",
      "right",
      "right.city",
      "right.no",
      "word",
      "wrapped",
      "at",
      "tags",
      "tags.a",
      "tags.b.c",
      "place",
      "place.city",
      "place.no",
      "place.inner.city",
      "place.inner.inner.no",
      "many",
      "raw",
      "big",
      "z",
      "f",
      "g",
      "places.-3.city",
      "places.4.no",
      "places.4",
      "sf",
      "zz",
      "u",
      "i",
      "text",
      "nowhere",
      "place.x");

  static final Descriptor EVENT = event();

  private ProtobufEvents() {}

  private static FieldDescriptorProto.Builder field(int number, String name, Type type) {
    return FieldDescriptorProto.newBuilder()
        .setNumber(number)
        .setName(name)
        .setType(type)
        .setLabel(Label.LABEL_OPTIONAL);
  }

  private static FieldDescriptorProto.Builder message(int number, String name, String type) {
    return field(number, name, Type.TYPE_MESSAGE).setTypeName(type);
  }

  private static DescriptorProto entry(String name, Type key, FieldDescriptorProto.Builder value) {
    return DescriptorProto.newBuilder()
        .setName(name)
        .setOptions(MessageOptions.newBuilder().setMapEntry(true))
        .addField(field(1, "key", key))
        .addField(value)
        .build();
  }

  private static Descriptor event() {
    DescriptorProto place = DescriptorProto.newBuilder()
        .setName("Place")
        .addField(field(1, "city", Type.TYPE_STRING))
        .addField(field(2, "no", Type.TYPE_INT32).setProto3Optional(true).setOneofIndex(0))
        .addField(message(3, "inner", ".t.Event.Place"))
        .addOneofDecl(OneofDescriptorProto.newBuilder().setName("_no"))
        .build();
    EnumDescriptorProto kind = EnumDescriptorProto.newBuilder()
        .setName("Kind")
        .addValue(EnumValueDescriptorProto.newBuilder().setName("NONE").setNumber(0))
        .addValue(EnumValueDescriptorProto.newBuilder().setName("A").setNumber(1))
        .addValue(EnumValueDescriptorProto.newBuilder().setName("B").setNumber(5))
        .build();
    DescriptorProto event = DescriptorProto.newBuilder()
        .setName("Event")
        .addNestedType(place)
        .addNestedType(entry("TagsEntry", Type.TYPE_STRING, field(2, "value", Type.TYPE_DOUBLE)))
        .addNestedType(
            entry("PlacesEntry", Type.TYPE_SINT32, message(2, "value", ".t.Event.Place")))
        .addEnumType(kind)
        .addField(field(1, "x", Type.TYPE_DOUBLE))
        .addField(field(2, "n", Type.TYPE_INT64))
        .addField(field(3, "s", Type.TYPE_STRING))
        .addField(field(4, "b", Type.TYPE_BOOL))
        .addField(field(5, "kind", Type.TYPE_ENUM).setTypeName(".t.Event.Kind"))
        .addField(field(6, "maybe", Type.TYPE_DOUBLE).setProto3Optional(true).setOneofIndex(1))
        .addField(field(7, "left", Type.TYPE_DOUBLE).setOneofIndex(0))
        .addField(message(8, "right", ".t.Event.Place").setOneofIndex(0))
        .addField(field(2000, "word", Type.TYPE_STRING).setOneofIndex(0))
        .addField(message(9, "wrapped", ".google.protobuf.DoubleValue"))
        .addField(message(10, "at", ".google.protobuf.Timestamp"))
        .addField(message(11, "tags", ".t.Event.TagsEntry").setLabel(Label.LABEL_REPEATED))
        .addField(message(12, "place", ".t.Event.Place"))
        .addField(field(13, "many", Type.TYPE_INT32).setLabel(Label.LABEL_REPEATED))
        .addField(field(14, "raw", Type.TYPE_BYTES))
        .addField(field(15, "big", Type.TYPE_UINT64))
        .addField(field(16, "z", Type.TYPE_SINT32))
        .addField(field(17, "f", Type.TYPE_FIXED32))
        .addField(field(18, "g", Type.TYPE_FLOAT))
        .addField(message(19, "places", ".t.Event.PlacesEntry").setLabel(Label.LABEL_REPEATED))
        .addField(field(20, "sf", Type.TYPE_SFIXED64))
        .addField(field(21, "zz", Type.TYPE_SINT64))
        .addField(field(22, "u", Type.TYPE_UINT32))
        .addField(field(23, "i", Type.TYPE_INT32))
        .addField(message(24, "text", ".google.protobuf.StringValue"))
        .addField(field(99, "newer", Type.TYPE_STRING)) // which the text does not know
        .addField(message(98, "news", ".t.Event.Place"))
        .addOneofDecl(OneofDescriptorProto.newBuilder().setName("which"))
        .addOneofDecl(OneofDescriptorProto.newBuilder().setName("_maybe"))
        .build();
    FileDescriptorProto file = FileDescriptorProto.newBuilder()
        .setName("t.proto")
        .setPackage("t")
        .setSyntax("proto3")
        .addDependency("google/protobuf/wrappers.proto")
        .addDependency("google/protobuf/timestamp.proto")
        .addMessageType(event)
        .build();
    try {
      FileDescriptor[] known = {WrappersProto.getDescriptor(), TimestampProto.getDescriptor()};
      return FileDescriptor.buildFrom(file, known).getMessageTypes().get(0);
    } catch (DescriptorValidationException wrong) {
      throw new IllegalStateException(wrong);
    }
  }

  /** A message of which each field is there half of the time. */
  static DynamicMessage random(Descriptor type, Random random, int depth) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(type);
    for (FieldDescriptor field : type.getFields()) {
      if (random.nextBoolean() || depth > 3 && field.getJavaType() == JavaType.MESSAGE) {
        continue;
      }
      for (int i = field.isRepeated() ? random.nextInt(3) : 1; i > 0; i--) {
        Object value = value(field, random, depth);
        if (field.isRepeated()) {
          message.addRepeatedField(field, value);
        } else {
          message.setField(field, value);
        }
      }
    }
    return message.build();
  }

  private static Object value(FieldDescriptor field, Random random, int depth) {
    boolean small = random.nextBoolean();
    return switch (field.getJavaType()) {
      case INT -> small ? random.nextInt(9) - 4 : random.nextInt();
      case LONG ->
        field.getContainingType().getName().equals("Timestamp")
            ? random.nextInt()
            : small ? random.nextInt(9) - 4L : random.nextLong();
      case FLOAT -> (float) random.nextGaussian();
      case DOUBLE -> random.nextGaussian();
      case BOOLEAN -> random.nextBoolean();
      case STRING -> List.of("a", "b.c", "", "Zürich", "d").get(random.nextInt(5));
      case BYTE_STRING -> ByteString.copyFromUtf8("bytes");
      case ENUM ->
        field
            .getEnumType()
            .findValueByNumberCreatingIfUnknown(List.of(0, 1, 5, 7, -1).get(random.nextInt(5)));
      case MESSAGE ->
        field.getMessageType().getName().equals("Timestamp")
            ? timestamp(field.getMessageType(), random)
            : random(field.getMessageType(), random, depth + 1);
    };
  }

  private static DynamicMessage timestamp(Descriptor type, Random random) {
    DynamicMessage.Builder time = DynamicMessage.newBuilder(type);
    if (random.nextInt(3) > 0) {
      time.setField(type.findFieldByName("seconds"), (long) random.nextInt());
    }
    if (random.nextInt(3) > 0) {
      time.setField(type.findFieldByName("nanos"), random.nextInt(1_000_000_000));
    }
    return time.build();
  }

  /** What {@link HeldValues} says of a path, from what Google's library has read. */
  static String expected(Message message, List<String> names) {
    FieldDescriptor field = message.getDescriptorForType().findFieldByName(names.get(0));
    if (field == null || field.getNumber() > 90 && field.getNumber() < 100) {
      return null;
    }
    List<String> rest = names.subList(1, names.size());
    if (field.isMapField()) {
      return rest.isEmpty() ? HeldValues.OTHER : entry(message, field, rest);
    }
    if (field.isRepeated()) {
      return rest.isEmpty() ? HeldValues.OTHER : null;
    }
    return field.hasPresence() && !message.hasField(field)
        ? null
        : text(field, message.getField(field), rest);
  }

  private static String entry(Message message, FieldDescriptor field, List<String> names) {
    String found = null;
    for (int to = names.size(); to > 0 && found == null; to--) { // of the longest name first
      String name = String.join(".", names.subList(0, to));
      for (Object each : (List<?>) message.getField(field)) {
        Message entry = (Message) each;
        Descriptor type = entry.getDescriptorForType();
        if (entry.getField(type.findFieldByNumber(1)).toString().equals(name)) {
          FieldDescriptor value = type.findFieldByNumber(2);
          found = text(value, entry.getField(value), names.subList(to, names.size()));
        }
      }
    }
    return found;
  }

  private static String text(FieldDescriptor field, Object value, List<String> rest) {
    if (value instanceof Message below) {
      Descriptor type = below.getDescriptorForType();
      if (!rest.isEmpty()) {
        return type.getFullName().startsWith("google") ? null : expected(below, rest);
      }
      if (type.getName().endsWith("Value")) {
        FieldDescriptor own = type.findFieldByName("value");
        return text(own, below.getField(own), rest);
      }
      if (type.getName().equals("Timestamp")) {
        long seconds = (Long) below.getField(type.findFieldByName("seconds"));
        int nanos = (Integer) below.getField(type.findFieldByName("nanos"));
        return HeldValues.number(Math.floorDiv(seconds * 1_000_000_000 + nanos, 1_000_000));
      }
      return HeldValues.OTHER;
    }
    if (!rest.isEmpty()) {
      return null;
    }
    if (value instanceof EnumValueDescriptor word) {
      return word.getIndex() < 0 ? Integer.toString(word.getNumber()) : word.getName();
    }
    if (value instanceof ByteString) {
      return HeldValues.OTHER;
    }
    if (value instanceof Number number) {
      String unsigned = field.getType().name().toUpperCase(Locale.ROOT);
      boolean isUnsigned =
          unsigned.equals("UINT64") || unsigned.equals("UINT32") || unsigned.equals("FIXED32");
      double shown = !isUnsigned
          ? number.doubleValue()
          : value instanceof Integer
              ? Integer.toUnsignedLong((Integer) value)
              : Double.parseDouble(Long.toUnsignedString((Long) value));
      return HeldValues.number(shown);
    }
    return value.toString();
  }
}
