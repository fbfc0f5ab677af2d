package dev.sotto.serdes.event;

import static dev.sotto.serdes.event.ProtobufBytes.FIXED32;
import static dev.sotto.serdes.event.ProtobufBytes.FIXED64;
import static dev.sotto.serdes.event.ProtobufBytes.GROUP;
import static dev.sotto.serdes.event.ProtobufBytes.GROUP_END;
import static dev.sotto.serdes.event.ProtobufBytes.LENGTH;
import static dev.sotto.serdes.event.ProtobufBytes.VARINT;

import dev.sotto.serdes.event.ProtobufPart.Wanted;
import dev.sotto.serdes.feature.FieldPaths;
import dev.sotto.serdes.feature.FieldValues;
import dev.sotto.serdes.schema.ProtobufSchema.Entries;
import dev.sotto.serdes.schema.ProtobufSchema.Message;
import dev.sotto.serdes.schema.ProtobufSchema.Names;
import dev.sotto.serdes.schema.ProtobufSchema.Scalar;
import dev.sotto.serdes.schema.ProtobufSchema.Time;
import dev.sotto.serdes.schema.ProtobufSchema.Type;
import dev.sotto.serdes.schema.ProtobufSchema.Wrapper;
import java.nio.charset.StandardCharsets;

/**
 * Reads the wanted fields of one kind of Protobuf message, compiled once for its schema, and skips
 * the rest by its length. It holds no more than the wanted fields, and its depth is theirs.
 *
 * <table>
 *   <caption>What fields are</caption>
 *   <tr><td>not written</td><td>zero, empty, false or the first name where the schema knows no
 *       presence (proto3 without {@code optional}); else missing</td></tr>
 *   <tr><td>written twice</td><td>the last one; of messages both, field by field; of a oneof the
 *       member that came last alone</td></tr>
 *   <tr><td>of another wire type than its own, repeated, bytes</td><td>neither number nor
 *       text</td></tr>
 *   <tr><td>an enum</td><td>its name; the digits of a number that has none</td></tr>
 *   <tr><td>a wrapper</td><td>what is in it, or missing</td></tr>
 *   <tr><td>a timestamp</td><td>milliseconds since 1970, rounded down; outside of the years 1 to
 *       9999 neither number nor text</td></tr>
 *   <tr><td>a map</td><td>its keys are names below it</td></tr>
 * </table>
 */
final class ProtobufReader {
  private static final long FIRST = -62_135_596_800L; // seconds to the year 1, the format's first
  private static final long LAST = 253_402_300_799L; // and to the end of 9999

  /** The message with what is wanted of it. */
  private final ProtobufPart root;

  private final FieldValues values;
  private final Names[] enums; // by place; null for a timestamp
  private final long[] seconds; // of timestamps, or the numbers of enums
  private final int[] nanos;
  private ProtobufBytes in;

  /**
   * A reader.
   *
   * @param values it fills those; of the same paths
   */
  ProtobufReader(Message message, FieldPaths paths, FieldValues values) {
    this.values = values;
    this.enums = new Names[values.places()];
    this.seconds = new long[enums.length];
    this.nanos = new int[enums.length];
    this.root = new ProtobufPart(message, paths.root());
  }

  /**
   * Reads a message.
   *
   * @throws ProtobufBytes.Malformed where it is none
   * @throws AvroReadStep.TooDeep where groups lie too deep within each other
   */
  void read(ProtobufBytes bytes) throws AvroReadStep.TooDeep {
    in = bytes;
    message(root, bytes.end(), 0);
    for (int place = 0; place < enums.length; place++) {
      if (values.isLater(place)) {
        give(place);
      }
    }
  }

  /** The last one of what a record may repeat. */
  private void give(int place) {
    Names names = enums[place];
    if (names == null) {
      values.integer(place, 1000 * seconds[place] + nanos[place] / 1_000_000);
      return;
    }
    int number = (int) seconds[place];
    String name = names.byNumber().get(number);
    byte[] text = (name == null ? Integer.toString(number) : name).getBytes(StandardCharsets.UTF_8);
    values.text(place, text, 0, text.length);
  }

  private void message(ProtobufPart part, int end, int way) throws AvroReadStep.TooDeep {
    for (Wanted each : part.unwritten) {
      unwritten(each, way);
    }
    int outer = in.limit(end);
    while (in.hasMore()) {
      long tag = in.tag();
      int number = (int) (tag >>> 3);
      Wanted field = part.find(number);
      if (field == null) {
        skip((int) tag & 7, number, 1);
      } else {
        field(field, (int) tag & 7, way);
      }
    }
    in.limit(outer);
  }

  private void skip(int wire, int number, int depth) throws AvroReadStep.TooDeep {
    switch (wire) {
      case VARINT -> in.varint();
      case FIXED64 -> in.skip(Long.BYTES);
      case LENGTH -> in.skip(in.length());
      case FIXED32 -> in.skip(Integer.BYTES);
      case GROUP -> {
        AvroReadStep.checkDepth(depth);
        long closing = (long) number << 3 | GROUP_END;
        for (long tag = in.tag(); tag != closing; tag = in.tag()) {
          skip((int) tag & 7, (int) (tag >>> 3), depth + 1);
        }
      }
      default -> throw ProtobufBytes.Malformed.INSTANCE;
    }
  }

  private void field(Wanted field, int wire, int way) throws AvroReadStep.TooDeep {
    for (Wanted rival : field.rivals) {
      values.meets(rival.node, way);
    }
    if (field.node == null) {
      skip(wire, field.number, 1);
    } else if (field.isList || wire != field.wire) {
      other(field, way);
      skip(wire, field.number, 1);
    } else {
      value(field, field.type, way);
    }
  }

  /** Where the part ends whose length comes next. */
  private int ends() {
    int length = in.length();
    return in.at() + length;
  }

  private void other(Wanted field, int way) {
    int place = field.node.place();
    boolean again = place >= 0 && values.holds(place, way);
    if (place >= 0 && values.claim(place, way)) {
      values.other(place);
      seconds[place] = again ? seconds[place] : 0;
      nanos[place] = again ? nanos[place] : 0;
    }
  }

  private void value(Wanted field, Type type, int way) throws AvroReadStep.TooDeep {
    int place = field.node.place();
    if (type instanceof Scalar scalar) {
      if (place >= 0 && values.claim(place, way)) {
        scalar(scalar, place);
      } else {
        skip(field.wire, field.number, 1);
      }
    } else if (type instanceof Names names) {
      int number = (int) in.varint();
      if (place >= 0 && values.claim(place, way)) {
        name(names, number, place);
      }
    } else if (type instanceof Message) {
      other(field, way);
      message(field.part, ends(), way | field.node.level());
    } else if (type instanceof Entries) {
      other(field, way);
      entry(field, way);
    } else if (type instanceof Wrapper wrapper) {
      wrapped(field, wrapper.value(), way);
    } else if (type == Time.TIMESTAMP) {
      time(place, way);
    } else {
      other(field, way);
      in.skip(in.length());
    }
  }

  private void scalar(Scalar type, int place) {
    switch (type) {
      case DOUBLE -> values.fraction(place, Double.longBitsToDouble(in.fixed64()));
      case FLOAT -> values.fraction(place, Float.intBitsToFloat(in.fixed32()));
      case INT32 -> values.integer(place, (int) in.varint());
      case INT64 -> values.integer(place, in.varint());
      case UINT32 -> values.integer(place, in.varint() & 0xFFFF_FFFFL);
      case UINT64 -> unsigned(place, in.varint());
      case SINT32 -> values.integer(place, (int) ProtobufBytes.zigzag(in.varint() & 0xFFFF_FFFFL));
      case SINT64 -> values.integer(place, ProtobufBytes.zigzag(in.varint()));
      case FIXED32 -> values.integer(place, in.fixed32() & 0xFFFF_FFFFL);
      case FIXED64 -> unsigned(place, in.fixed64());
      case SFIXED32 -> values.integer(place, in.fixed32());
      case SFIXED64 -> values.integer(place, in.fixed64());
      case BOOL -> values.bool(place, in.varint() != 0);
      case STRING -> {
        int length = in.length();
        values.text(place, in.bytes(), in.at(), length);
        in.skip(length);
      }
      case BYTES -> {
        values.other(place);
        in.skip(in.length());
      }
    }
  }

  private void unsigned(int place, long value) {
    if (value >= 0) {
      values.integer(place, value);
    } else {
      char[] digits = Long.toUnsignedString(value).toCharArray();
      double nearest = Double.parseDouble(new String(digits));
      values.integer(place, digits, 0, digits.length, nearest);
    }
  }

  private void name(Names names, int number, int place) {
    enums[place] = names;
    seconds[place] = number;
    values.later(place);
  }

  /** What a field is that its message does not write, where it is not missing then. */
  private void unwritten(Wanted field, int way) {
    int place = field.node.place();
    if (place < 0 || !values.claimUnwritten(place, way)) {
      return;
    }
    if (field.isList || field.type instanceof Entries) {
      values.other(place);
    } else if (field.type instanceof Names names) {
      name(names, 0, place);
    } else {
      zero((Scalar) field.type, place);
    }
  }

  private void zero(Scalar type, int place) {
    switch (type) {
      case DOUBLE, FLOAT -> values.fraction(place, 0);
      case BOOL -> values.bool(place, false);
      case STRING -> values.text(place, new byte[0], 0, 0);
      case BYTES -> values.other(place);
      default -> values.integer(place, 0);
    }
  }

  /** A message whose one field counts. */
  private void wrapped(Wanted field, Scalar type, int way) throws AvroReadStep.TooDeep {
    int place = field.node.place();
    int outer = in.limit(ends());
    if (place >= 0 && values.claimUnwritten(place, way)) {
      zero(type, place);
    }
    while (in.hasMore()) {
      long tag = in.tag();
      if (tag == (1L << 3 | type.wire()) && place >= 0 && values.claim(place, way)) {
        scalar(type, place);
      } else {
        further(tag);
      }
    }
    in.limit(outer);
  }

  private void further(long tag) throws AvroReadStep.TooDeep {
    skip((int) tag & 7, (int) (tag >>> 3), 1);
  }

  /** Of a time that is written again, what it does not write stays. */
  private void time(int place, int way) throws AvroReadStep.TooDeep {
    int outer = in.limit(ends());
    boolean again = place >= 0 && values.holds(place, way);
    long second = again ? seconds[place] : 0;
    int nano = again ? nanos[place] : 0;
    while (in.hasMore()) {
      long tag = in.tag();
      if (tag == (1 << 3 | VARINT)) {
        second = in.varint();
      } else if (tag == (2 << 3 | VARINT)) {
        nano = (int) in.varint();
      } else {
        further(tag);
      }
    }
    in.limit(outer);
    if (place >= 0 && values.claim(place, way)) {
      enums[place] = null;
      seconds[place] = second;
      nanos[place] = nano;
      if (second < FIRST || second > LAST || nano < 0 || nano >= 1_000_000_000) {
        values.other(place);
      } else {
        values.later(place);
      }
    }
  }

  /** One entry of a map: its key says whether it is wanted. */
  private void entry(Wanted field, int way) throws AvroReadStep.TooDeep {
    Entries type = (Entries) field.type;
    int outer = in.limit(ends());
    String key = type.key() == Scalar.STRING ? "" : type.key() == Scalar.BOOL ? "false" : "0";
    int value = -1;
    int wire = -1;
    while (in.hasMore()) {
      long tag = in.tag();
      if (tag == (1L << 3 | type.key().wire())) {
        key = key(type.key());
        continue;
      }
      if (tag >>> 3 == 2) {
        value = in.at();
        wire = (int) tag & 7;
      }
      further(tag);
    }
    Wanted wanted = field.entries.get(key);
    if (wanted != null) {
      int inside = way | field.node.level();
      values.meets(wanted.node, inside); // what an entry before it had for the key
      if (value < 0) {
        absent(wanted, inside);
      } else {
        int end = in.at();
        in.seek(value);
        field(wanted, wire, inside);
        in.seek(end);
      }
    }
    in.limit(outer);
  }

  /** An entry without a value has its type's zero. */
  private void absent(Wanted wanted, int way) throws AvroReadStep.TooDeep {
    if (wanted.type instanceof Message) {
      other(wanted, way);
      message(wanted.part, in.at(), way | wanted.node.level());
    } else if (wanted.type instanceof Scalar || wanted.type instanceof Names) {
      unwritten(wanted, way);
    } else {
      other(wanted, way);
    }
  }

  private String key(Scalar type) {
    return switch (type) {
      case STRING -> {
        int length = in.length();
        String text = new String(in.bytes(), in.at(), length, StandardCharsets.UTF_8);
        in.skip(length);
        yield text;
      }
      case BOOL -> Boolean.toString(in.varint() != 0);
      case INT32 -> Integer.toString((int) in.varint());
      case INT64 -> Long.toString(in.varint());
      case UINT32 -> Long.toString(in.varint() & 0xFFFF_FFFFL);
      case UINT64 -> Long.toUnsignedString(in.varint());
      case SINT32 -> Integer.toString((int) ProtobufBytes.zigzag(in.varint() & 0xFFFF_FFFFL));
      case SINT64 -> Long.toString(ProtobufBytes.zigzag(in.varint()));
      case FIXED32 -> Long.toString(in.fixed32() & 0xFFFF_FFFFL);
      case FIXED64 -> Long.toUnsignedString(in.fixed64());
      case SFIXED32 -> Integer.toString(in.fixed32());
      default -> Long.toString(in.fixed64());
    };
  }
}
