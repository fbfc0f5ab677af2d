package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedInputStream;
import com.google.protobuf.DynamicMessage;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapBuilder;
import dev.sotto.serdes.feature.HeldValues;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.testing.Seed;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Messages that another library wrote, and bytes by hand. */
class ProtobufReaderTest {
  private static final FeatureMap MAP = map(ProtobufEvents.PATHS);

  private static FeatureMap map(List<String> paths) {
    FeatureMapBuilder map = FeatureMap.builder().label("absent", new LabelRule.AsItIs());
    for (int i = 0; i < paths.size(); i++) {
      map.categorical("f" + i, paths.get(i), true);
    }
    return map.build();
  }

  private static RegisteredEventDecoder decoder(FeatureMap map, String text) {
    WriterSchema schema = WriterSchema.parse(Kind.PROTOBUF, text, Map.of());
    return new RegisteredEventDecoder(map, Kind.PROTOBUF, id -> schema, 1 << 16);
  }

  private static byte[] framed(byte[] prefix, byte[]... bodies) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(new byte[] {0, 0, 0, 0, 9});
    bytes.writeBytes(prefix);
    for (byte[] each : bodies) {
      bytes.writeBytes(each);
    }
    return bytes.toByteArray();
  }

  private static byte[] first(byte[]... bodies) {
    return framed(new byte[] {0}, bodies);
  }

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text.replace(" ", ""));
  }

  private static Map<String, String> held(RegisteredEventDecoder decoder, byte[] value) {
    assertThat(decoder.read(value)).isEqualTo(RecordStatus.USED);
    Map<String, String> held = new LinkedHashMap<>();
    MAP.uses().keySet().forEach(path -> held.put(path, HeldValues.of(MAP, decoder.values(), path)));
    return held;
  }

  private static Map<String, String> expected(DynamicMessage message) {
    Map<String, String> expected = new LinkedHashMap<>();
    MAP.uses()
        .keySet()
        .forEach(path ->
            expected.put(path, ProtobufEvents.expected(message, List.of(path.split("\\.")))));
    return expected;
  }

  @Test
  void readsWhatAnotherLibraryWrote() throws Exception {
    Random random = Seed.random(1);
    RegisteredEventDecoder decoder = decoder(MAP, ProtobufEvents.TEXT);
    Map<String, Integer> present = new LinkedHashMap<>();
    for (int i = 0; i < 2_000; i++) {
      DynamicMessage message = ProtobufEvents.random(ProtobufEvents.EVENT, random, 0);
      Map<String, String> held = held(decoder, first(message.toByteArray()));
      assertThat(held).isEqualTo(expected(message));
      held.forEach((path, value) -> present.merge(path, value == null ? 0 : 1, Integer::sum));
    }
    List.of("absent", "nowhere", "place.x").forEach(present::remove);
    assertThat(present.values()).as("each was there: %s", present).allMatch(each -> each > 0);
  }

  /** One message written behind another is both, field by field, as the format says. */
  @Test
  void readsTwoMessagesAsOne() throws Exception {
    Random random = Seed.random(2);
    RegisteredEventDecoder decoder = decoder(MAP, ProtobufEvents.TEXT);
    for (int i = 0; i < 1_000; i++) {
      byte[] one = ProtobufEvents.random(ProtobufEvents.EVENT, random, 0).toByteArray();
      byte[] two = ProtobufEvents.random(ProtobufEvents.EVENT, random, 0).toByteArray();
      byte[] both = Arrays.copyOf(one, one.length + two.length);
      System.arraycopy(two, 0, both, one.length, two.length);
      DynamicMessage message = DynamicMessage.parseFrom(ProtobufEvents.EVENT, both);
      assertThat(held(decoder, first(one, two))).isEqualTo(expected(message));
    }
  }

  @ParameterizedTest
  @CsvSource({
    "'', x, 0", // not written
    "'', kind, NONE",
    "'', s, ''",
    "'', maybe, ",
    "'', place.city, ",
    "6200, place.city, ''", // an empty place
    "28 05, kind, B",
    "28 07, kind, 7", // a name of a newer schema
    "28 ffffffffffffffffff01, kind, -1",
    "39 000000000000f03f 3900000000000000c0, left, -2",
    "39 000000000000f03f 4200, left, ", // the other member came later
    "39 000000000000f03f 4200, right.city, ''",
    "4a00, wrapped, 0",
    "5200, at, 0",
    "52 0b 08 ffffffffffffffffff01, at, -1000",
    "52 06 10 ff 93 eb dc 03, at, 999",
    "52 06 10 80 94 eb dc 03, at, other", // a second too many
    "52 0b 08 8092b8c398feffffff01, at, -62135596800000", // the first second of the year 1
    "52 0b 08 ff91b8c398feffffff01, at, other", // the one before it
    "52 07 08 ff82d1ffaf07, at, 253402300799000", // the last second of 9999
    "52 07 08 8083d1ffaf07, at, other",
    "52 02 08 05 52 05 10 80 9b ee 02, at, 5006", // both, as messages that are written twice
    "52 02 08 05 50 01 52 00, at, 5000",
    "50 01 52 00, at, 0",
    "28 05 28 01, kind, A",
    "28 05 2a 00, kind, other",
    "5a 0c 0a 01 61 11 000000000000f03f, tags.a, 1",
    "5a 03 0a 01 61, tags.a, 0", // no value
    "5a 00, tags.a, ",
    "80 01 03, z, -2",
    "09 000000000000f87f, x, NaN",
    "0d 0000803f, x, other", // of four bytes
    "a3 06 08 01 a4 06, x, 0", // a group of a newer schema
    "a3 06 ab 06 ac 06 a4 06, x, 0",
    "6a 03 01 02 03, many, other"
  })
  void readsBytesByHand(String body, String path, String value) {
    RegisteredEventDecoder decoder = decoder(MAP, ProtobufEvents.TEXT);
    assertThat(decoder.read(first(hex(body)))).isEqualTo(RecordStatus.USED);
    assertThat(HeldValues.of(MAP, decoder.values(), path)).isEqualTo(value);
  }

  @ParameterizedTest
  @CsvSource({
    "08", // a number without its bytes
    "09 0000",
    "1a 05 61",
    "1a ffffffff0f",
    "1a ffffffffffffffffff01", // a length below zero
    "62 02 0a 05",
    "62 01 49 0000000000000000", // of a message that is one byte long
    "52 0b 08 80 ca b5 ee 01", // of a timestamp
    "52 07 10 ff 93 eb dc 03 18",
    "5a 03 0a 05 61", // of an entry
    "00 00", // number 0
    "0e 00", // wire types that there are not
    "0f 00",
    "0c", // the end of no group
    "a3 06 08 01", // a group without its end
    "a3 06 ac 06",
    "88 ffffffff ff ff ff ff ff 01", // a field number of 64 bits
    "10 ffffffffffffffffffff 01" // eleven bytes of a number
  })
  void refusesWhatIsNoMessage(String body) {
    assertThat(decoder(MAP, ProtobufEvents.TEXT).read(first(hex(body))))
        .isEqualTo(RecordStatus.UNREADABLE);
  }

  /** Depth is counted, not taken from the stack, which differs from machine to machine. */
  @Test
  void boundsGroupsWithinEachOtherAndNoMessages() throws Exception {
    RegisteredEventDecoder decoder = decoder(MAP, ProtobufEvents.TEXT);
    for (int depth : new int[] {64, 65, 12_000}) {
      var body = new ByteArrayOutputStream();
      for (int i = 0; i < depth; i++) {
        body.writeBytes(hex("f301"));
      }
      for (int i = 0; i < depth; i++) {
        body.writeBytes(hex("f401"));
      }
      assertThat(decoder.read(first(body.toByteArray())))
          .isEqualTo(depth == 64 ? RecordStatus.USED : RecordStatus.TOO_LARGE);
    }
    byte[] place = {};
    for (int i = 0; i < 100; i++) {
      var outer = new ByteArrayOutputStream();
      outer.write(3 << 3 | 2);
      length(outer, place.length);
      outer.writeBytes(place);
      place = outer.toByteArray();
    }
    var event = new ByteArrayOutputStream();
    event.write(12 << 3 | 2);
    length(event, place.length);
    event.writeBytes(place);
    byte[] bytes = event.toByteArray();
    assertThat(held(decoder, first(bytes))).isEqualTo(expected(deep(bytes)));
  }

  private static DynamicMessage deep(byte[] bytes) throws Exception {
    CodedInputStream in = CodedInputStream.newInstance(bytes);
    in.setRecursionLimit(200);
    return DynamicMessage.parseFrom(ProtobufEvents.EVENT, in);
  }

  private static void length(ByteArrayOutputStream out, int length) {
    int left = length;
    for (; left > 0x7F; left >>>= 7) {
      out.write(left & 0x7F | 0x80);
    }
    out.write(left);
  }

  /** Whatever the bytes are, there is a status, and it does not depend on the record before. */
  @Test
  void readsBrokenBytesWithoutAFault() {
    Random random = Seed.random(3);
    RegisteredEventDecoder decoder = decoder(MAP, ProtobufEvents.TEXT);
    Map<RecordStatus, Integer> counts = new EnumMap<>(RecordStatus.class);
    for (int i = 0; i < 4_000; i++) {
      byte[] value =
          first(ProtobufEvents.random(ProtobufEvents.EVENT, random, 0).toByteArray());
      for (int flips = random.nextInt(4); flips >= 0; flips--) {
        value[5 + random.nextInt(value.length - 5)] = (byte) random.nextInt(256);
      }
      byte[] broken =
          random.nextBoolean() ? value : Arrays.copyOf(value, random.nextInt(value.length));
      RecordStatus status = decoder.read(broken);
      counts.merge(status, 1, Integer::sum);
      if (i % 20 == 0) {
        RegisteredEventDecoder fresh = decoder(MAP, ProtobufEvents.TEXT);
        assertThat(fresh.read(broken)).isEqualTo(status);
        if (status == RecordStatus.USED) {
          assertThat(held(fresh, broken)).isEqualTo(held(decoder, broken));
        }
      }
    }
    assertThat(counts).containsKeys(RecordStatus.USED, RecordStatus.UNREADABLE);
  }

  @Test
  void findsTheMessageByItsPlacesOrItsName() {
    String text = """
        syntax = "proto3";
        enum Color { RED = 0; }
        message A { enum E { X = 0; } message In { double n = 2; } message On { double n = 3; } }
        message B { double n = 1; }
        """;
    RegisteredEventDecoder decoder = decoder(MAP, text);
    byte[] one = hex("09 000000000000f03f");
    byte[] three = hex("19 000000000000f03f");
    assertThat(read(decoder, framed(hex("02 02"), one))).isEqualTo("1"); // B
    assertThat(read(decoder, framed(hex("04 00 02"), three))).isEqualTo("1"); // A.On
    assertThat(read(decoder, framed(hex("00"), one))).isNull(); // A
    assertThat(read(decoder, framed(hex("02 00"), one))).isNull(); // the same, not shortened
    for (String none : List.of("02 04", "04 02 00", "01", "7e", "", "02", "ffffffff0f")) {
      assertThat(decoder.read(framed(hex(none)))).as(none).isEqualTo(RecordStatus.UNREADABLE);
    }
    byte[] named = framed(hex("01 42"), one);
    named[0] = 4; // out of headers
    assertThat(read(decoder, named)).isEqualTo("1");
    named[6] = 'C';
    assertThat(decoder.read(named)).isEqualTo(RecordStatus.UNREADABLE);
    byte[] fromHeader = framed(hex("02 02"), one);
    fromHeader[0] = 2;
    assertThat(read(decoder, fromHeader)).isEqualTo("1");
    fromHeader[0] = 5;
    assertThat(decoder.read(fromHeader)).isEqualTo(RecordStatus.UNREADABLE);
  }

  private static String read(RegisteredEventDecoder decoder, byte[] value) {
    assertThat(decoder.read(value)).isEqualTo(RecordStatus.USED);
    return HeldValues.of(MAP, decoder.values(), "n");
  }

  /** A name out of a header means a message of the file itself, the outermost one. */
  @Test
  void findsNoMessageOfAnotherFileByItsName() {
    String text = """
        syntax = "proto3";
        import "b.proto";
        message A { message B { double n = 1; } message C { double n = 1; } double n = 2; }
        message E { message C { double n = 1; } message A {} }
        """;
    Map<String, String> others =
        Map.of("b.proto", "syntax = \"proto3\"; message B { double n = 3; } message D {}");
    WriterSchema schema = WriterSchema.parse(Kind.PROTOBUF, text, others);
    var decoder = new RegisteredEventDecoder(MAP, Kind.PROTOBUF, id -> schema, 1 << 16);
    byte[] one = hex("09 000000000000f03f");
    assertThat(read(decoder, fromHeader("B", one))).isEqualTo("1");
    assertThat(read(decoder, fromHeader("A", hex("11 000000000000f03f")))).isEqualTo("1");
    for (String none : List.of("C", "D", "", "proto3")) {
      assertThat(decoder.read(fromHeader(none, one))).as(none).isEqualTo(RecordStatus.UNREADABLE);
    }
  }

  /** Of 128 bytes and more the length takes two, up to the longest name that is read. */
  @Test
  void findsAMessageByALongName() {
    for (int length : new int[] {127, 128, 255}) {
      String name = "M".repeat(length);
      RegisteredEventDecoder decoder =
          decoder(MAP, "syntax = \"proto3\"; message " + name + " { double n = 1; }");
      assertThat(read(decoder, fromHeader(name, hex("09 000000000000f03f")))).isEqualTo("1");
    }
  }

  private static byte[] fromHeader(String message, byte[] body) {
    Map<String, byte[]> headers = Map.of(
        SchemaHeaders.CONTENT_ID,
        new byte[] {0, 0, 0, 0, 0, 0, 0, 9},
        SchemaHeaders.MESSAGE,
        message.getBytes(StandardCharsets.UTF_8));
    return SchemaIds.CONFLUENT.framed(headers::get, body);
  }

  /** A field that is repeated although it is none takes no room for each of its long names. */
  @Test
  void keepsOneNameOfAnEnumHoweverOftenItIsWritten() {
    String longName = "A".repeat(500);
    String text = "syntax = \"proto3\"; enum K { Z = 0; " + longName + " = 1; B = 2; }"
        + " message E { K n = 1; K s = 2; }";
    WriterSchema schema = WriterSchema.parse(Kind.PROTOBUF, text, Map.of());
    var decoder = new RegisteredEventDecoder(MAP, Kind.PROTOBUF, id -> schema, 1 << 20);
    byte[] body = new byte[400_000];
    for (int i = 0; i < body.length; i += 4) {
      body[i] = 8;
      body[i + 1] = 1;
      body[i + 2] = 16;
      body[i + 3] = (byte) (i % 8 == 0 ? 1 : 2);
    }
    byte[] value = first(body);
    assertThat(decoder.read(first(hex("0801")))).isEqualTo(RecordStatus.USED); // compiled
    var threads = (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    assertThat(decoder.read(value)).isEqualTo(RecordStatus.USED);
    assertThat(threads.getCurrentThreadAllocatedBytes() - before).isLessThan(value.length);
    assertThat(HeldValues.of(MAP, decoder.values(), "n")).isEqualTo(longName);
    assertThat(HeldValues.of(MAP, decoder.values(), "s")).isEqualTo("B");
  }

  /** Apicurio's serializers write the name of the message in a message of its own. */
  @Test
  void readsTheReferenceBeforeABodyOfApicurio() {
    String text = "syntax = \"proto3\"; message A { double n = 2; } message B { double n = 1; }";
    WriterSchema schema = WriterSchema.parse(Kind.PROTOBUF, text, Map.of());
    WriterSchemas all = new WriterSchemas() {
      @Override
      public WriterSchema schema(int id) {
        return null;
      }

      @Override
      public WriterSchema schema(SchemaId id) {
        return id.equals(SchemaId.of(SchemaId.By.GLOBAL_ID, 9))
                || id.equals(SchemaId.of(SchemaId.By.CONTENT_ID, 8))
            ? schema
            : null;
      }
    };
    var decoder =
        new RegisteredEventDecoder(MAP, Kind.PROTOBUF, SchemaIds.APICURIO_GLOBAL, all, 1 << 16);
    byte[] body = hex("09 000000000000f03f");
    String eight = "00 0000000000000009";
    assertThat(read(decoder, of(eight + "03 0a 01 42", body))).isEqualTo("1");
    assertThat(read(decoder, of("00 00000009 03 0a 01 42", body))).isEqualTo("1");
    assertThat(read(decoder, of(eight + "03 0a 01 41", body))).isEqualTo("0");
    for (String none : List.of("", "00", "03 0a 01 43", "04 0a 01 42 00", "03 12 01 42", "7f 0a")) {
      assertThat(decoder.read(of(eight + none, body))).as(none).isEqualTo(RecordStatus.UNREADABLE);
    }
    assertThat(decoder.read(of("00 0000000000000008 03 0a 01 42", body)))
        .isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    Map<String, byte[]> headers = new HashMap<>(Map.of(
        SchemaHeaders.GLOBAL_ID, hex("0000000000000009"), SchemaHeaders.MESSAGE, new byte[] {'B'}));
    byte[] bare = decoder.schemaIds().framed(headers::get, body);
    byte[] again = decoder.schemaIds().framed(headers::get, of("03 0a 01 42", body));
    assertThat(read(decoder, bare)).isEqualTo("1");
    assertThat(read(decoder, again)).as("of version 3, also before the body").isEqualTo("1");
    headers.put(SchemaHeaders.CONTENT_ID, headers.remove(SchemaHeaders.GLOBAL_ID));
    assertThat(decoder.read(decoder.schemaIds().framed(headers::get, body)))
        .isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    headers.put(SchemaHeaders.CONTENT_ID, hex("0000000000000008"));
    assertThat(read(decoder, decoder.schemaIds().framed(headers::get, body))).isEqualTo("1");
  }

  private static byte[] of(String prefix, byte[] body) {
    var bytes = new ByteArrayOutputStream();
    bytes.writeBytes(hex(prefix));
    bytes.writeBytes(body);
    return bytes.toByteArray();
  }

  /** proto2 knows of every field whether it was written, and has groups. */
  @Test
  void readsTheOlderSyntax() {
    String text = """
        message Old {
          required double x = 1;
          optional int32 n = 2 [default = 7];
          repeated group Part = 3 { optional string s = 4; }
          extensions 100 to 199;
        }
        extend Old { optional string more = 100; }
        """;
    RegisteredEventDecoder decoder = decoder(MAP, text);
    assertThat(read(decoder, first(hex("1b 22 01 61 1c 10 05")))).isEqualTo("5");
    assertThat(read(decoder, first())).isNull();
  }

  /** Of a schema that is not whole the rest is read. */
  @Test
  void readsAroundATypeThatIsNotThere() {
    String text = "syntax = \"proto3\"; import \"gone.proto\";"
        + " message E { far.Away x = 1; int32 n = 2; }";
    RegisteredEventDecoder decoder = decoder(MAP, text);
    assertThat(read(decoder, first(hex("0a 01 00 10 05")))).isEqualTo("5");
    assertThat(HeldValues.of(MAP, decoder.values(), "x")).isEqualTo(HeldValues.OTHER);
  }

  /** An id of another kind of schema is to a record what an id without a schema is. */
  @Test
  void takesNoSchemaOfAnotherKind() {
    WriterSchema json = WriterSchema.parse(Kind.JSON, "{}", Map.of());
    var decoder = new RegisteredEventDecoder(MAP, Kind.PROTOBUF, id -> json, 1 << 16);
    assertThat(decoder.read(first())).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    assertThat(decoder.read(first())).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    assertThat(decoder.read(new byte[] {0, 0, 0, 0})).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.read(new byte[(1 << 16) + 1])).isEqualTo(RecordStatus.TOO_LARGE);
    assertThat(decoder.read(null)).isEqualTo(RecordStatus.EMPTY);
  }

  @Test
  void keepsNoMoreSchemasThanItMay() {
    WriterSchema schema = WriterSchema.parse(Kind.PROTOBUF, ProtobufEvents.TEXT, Map.of());
    int[] asked = {0};
    var decoder = new RegisteredEventDecoder(
        MAP,
        Kind.PROTOBUF,
        id -> {
          asked[0]++;
          return schema;
        },
        1 << 16);
    byte[] value = first(hex("10 05"));
    for (int round = 0; round < 2; round++) {
      for (int id = 0; id < RegisteredEventDecoder.MOST + 1; id++) {
        value[3] = (byte) (id >> 8);
        value[4] = (byte) id;
        assertThat(read(decoder, value)).isEqualTo("5");
        assertThat(read(decoder, value)).isEqualTo("5");
      }
    }
    assertThat(asked[0]).isEqualTo(2 * (RegisteredEventDecoder.MOST + 1));
  }
}
