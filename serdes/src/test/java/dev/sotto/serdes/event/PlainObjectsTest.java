package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.Example;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.Events;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FieldValues;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.Allocation;
import dev.sotto.testing.Seed;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is read from bytes, beside what the parser makes of the same bytes. */
class PlainObjectsTest {
  /** Each field as a number and as a text; some within each other, some with dots in their names. */
  private static final FeatureMap MAP = FeatureMap.builder()
      .hashBits(20)
      .numeric("n", "n", -10, 10, Transform.IDENTITY, true)
      .numeric("deep", "x.n", -10, 10, Transform.IDENTITY, true)
      .numeric("m", "m", -10, 10, Transform.IDENTITY, true)
      .categorical("n-text", "n", true)
      .categorical("c", "a longer name", true)
      .categorical("deep-text", "x.n", true)
      .categorical("deeper", "x.y.z", true)
      .categorical("umlaut", "größe", true)
      .label("y", new LabelRule.Threshold(0))
      .unitField("u")
      .build();

  private static final String[] NAMES = {
    "n",
    "m",
    "m",
    "a longer name",
    "x.n",
    "x.y.z",
    "x.y",
    "y.z",
    "größe",
    "y",
    "u",
    "x",
    "other",
    "n2",
    ""
  };

  private final JsonEventDecoder parser = new JsonEventDecoder(MAP);
  private final FieldValues values = new FieldValues(MAP.paths());
  private final PlainObjects plain = new PlainObjects(MAP.paths(), values);
  private final Slot expected = new Slot(MAP.dimension());
  private final Slot slot = new Slot(MAP.dimension());

  /** Whether the bytes are read; if so they must give what the parser makes of them. */
  private boolean isRead(byte[] json) {
    values.clear();
    if (!plain.read(json, 0)) {
      return false;
    }
    String text = new String(json, StandardCharsets.UTF_8);
    assertThat(parser.parse(json)).as(text).isEqualTo(RecordStatus.USED);
    MAP.fill(null, parser.values(), expected);
    MAP.fill(null, values, slot);
    if (!describe(slot).equals(describe(expected))) {
      assertThat(describe(slot)).as(text).isEqualTo(describe(expected));
    }
    return true;
  }

  private static String describe(Slot of) {
    Example example = of.example();
    StringBuilder text = new StringBuilder(of.status() + " " + example.label());
    for (int i = 0; i < example.size(); i++) {
      text.append(' ').append(example.index(i)).append(':');
      text.append(Double.doubleToRawLongBits(example.value(i)));
    }
    return text + " " + Arrays.toString(Arrays.copyOf(of.unit(), Math.max(0, of.unitLength())));
  }

  private static String value(Random random, int depth) {
    return switch (random.nextInt(depth > 4 ? 12 : 16)) {
      case 0 -> "true";
      case 1 -> "false";
      case 2 -> "null";
      case 3 -> text(random);
      case 4 -> Integer.toString(random.nextInt(20) - 10);
      case 5 -> new BigInteger(random.nextInt(90), random).toString();
      case 6 -> "-" + random.nextLong(1L << 62);
      case 7 -> Double.toString(random.nextGaussian());
      case 8 -> BigDecimal.valueOf(random.nextLong(), random.nextInt(40) - 10).toString();
      case 9 -> Double.toString(Double.longBitsToDouble(random.nextLong())); // NaN at times
      case 10 -> random.nextInt(100) + "." + random.nextInt(1000) + "E" + random.nextInt(9);
      case 11 ->
        BigDecimal.valueOf(random.nextInt(2000) - 1000, random.nextInt(4)).toString();
      case 12 -> "[" + blanks(random) + "]";
      case 13 -> "[" + value(random, depth + 1) + "," + value(random, depth + 1) + "]";
      default -> object(random, depth + 1);
    };
  }

  private static String text(Random random) {
    StringBuilder text = new StringBuilder("\"");
    for (int length = random.nextInt(20); length > 0; length--) {
      switch (random.nextInt(40)) {
        case 0 -> text.append("\\n");
        case 1 -> text.append('ß');
        case 2 -> text.append('中');
        case 3 -> text.appendCodePoint(0x1F600 + random.nextInt(50));
        case 4 -> text.append("-.,+e ".charAt(random.nextInt(6)));
        default -> text.append((char) ('0' + random.nextInt(10)));
      }
    }
    return text.append('"').toString();
  }

  private static String blanks(Random random) {
    return random.nextInt(4) > 0 ? "" : " \n\t\r".substring(random.nextInt(4));
  }

  private static String object(Random random, int depth) {
    StringBuilder object = new StringBuilder("{").append(blanks(random));
    object.append(depth == 0 ? "\"y\":1,\"u\":\"me\"," : "");
    for (int i = random.nextInt(8); i >= 0; i--) {
      object
          .append('"')
          .append(NAMES[random.nextInt(NAMES.length)])
          .append('"')
          .append(blanks(random))
          .append(':')
          .append(blanks(random))
          .append(value(random, depth))
          .append(blanks(random))
          .append(i > 0 ? "," : "")
          .append(blanks(random));
    }
    return object.append('}').toString();
  }

  /** The same, with a few bytes of it changed. */
  private static byte[] broken(byte[] good, Random random) {
    byte[] bytes = random.nextInt(4) > 0
        ? good.clone()
        : Arrays.copyOf(good, Math.max(1, good.length - random.nextInt(9)));
    for (int flips = random.nextInt(3); flips >= 0; flips--) {
      String signs = "0123456789eE+-.,:{}[]\"\\ntfu \n";
      bytes[random.nextInt(bytes.length)] = random.nextInt(8) > 0
          ? (byte) signs.charAt(random.nextInt(signs.length()))
          : (byte) random.nextInt(256);
    }
    return bytes;
  }

  private void compare(int objects) {
    Random random = Seed.random(1);
    int whole = 0;
    int changed = 0;
    for (int i = 0; i < objects; i++) {
      byte[] json = Events.utf8(object(random, 0));
      whole += isRead(json) ? 1 : 0;
      changed += isRead(broken(json, random)) ? 1 : 0;
    }
    assertThat(whole).isGreaterThan(objects / 2);
    assertThat(changed).isBetween(objects / 20, objects / 2);
  }

  @Test
  void readsAsAParserDoes() {
    compare(10_000);
  }

  @Tag("long")
  @Test
  void readsMillionsAsAParserDoes() {
    compare(5_000_000);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        " { } \r\n",
        "{\"n\":1,\"y\":1,\"u\":\"me\"}",
        "{ \"u\" : 12345678901234567890 , \"y\" : true , \"n\" : -0.0 }",
        "{\"y\":1,\"u\":\"Zürich 中 😀\",\"größe\":\"5\",\"n\":1e-3}",
        "{\"y\":\" 1\",\"u\":\"x\",\"m\":\"-0\",\"m\":\"\",\"m\":\"1,5\",\"m\":\"-1.5\"}",
        "{\"y\":1,\"u\":\"x\",\"n\":1,\"n\":null,\"n\":\" 2 \"}",
        "{\"u\":\"x\",\"x\":{\"n\":1,\"y\":{\"z\":\"a\"}},\"x\":{\"n\":2},\"y\":0}",
        "{\"u\":\"x\",\"y\":0,\"x.n\":5,\"x\":{\"n\":2,\"k\":[1,{\"z\":[]},\"]\"]}}",
        "{\"u\":\"x\",\"y\":0,\"n\":0.30000000000000004,\"x.n\":123456789.123456789}",
      })
  void readsWhatIsUsual(String json) {
    assertThat(isRead(Events.utf8(json))).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "[]",
        "{",
        "{\"n\"",
        "{\"n\":",
        "{\"n\":1",
        "{\"n\":1,}",
        "{\"n\":1}}",
        "{\"n\":01}",
        "{\"n\":1.}",
        "{\"n\":.5}",
        "{\"n\":+1}",
        "{\"n\":1e}",
        "{\"n\":-}",
        "{\"n\":NaN}",
        "{\"n\":tru}",
        "{\"n\":truest}",
        "{\"n\":1 2}",
        "{\"z\":1 2}",
        "{\"n\":\"\\u0041\"}",
        "{\"\\u006e\":1}",
        "{\"n\":\"\u0001\"}",
        "{n:1}",
        "{\"n\" 1}",
        "{\"n\":[1,]}",
        "{\"n\":[1}",
        "{\"n\":{]}",
      })
  void leavesAllElseToTheParser(String json) {
    assertThat(isRead(Events.utf8(json))).isFalse();
  }

  @Test
  void leavesWhatIsLargeToTheParser() {
    assertThat(isRead(Events.utf8("{\"z\":" + "1".repeat(101) + "}"))).isFalse();
    assertThat(isRead(Events.utf8("{\"" + "z".repeat(300) + "\":1}"))).isFalse();
    assertThat(isRead(Events.utf8("{\"z\":" + "[".repeat(40) + "]".repeat(40) + "}")))
        .isFalse();
    assertThat(
            isRead(new byte[] {'{', '"', 'n', '"', ':', '"', (byte) 0xC0, (byte) 0x80, '"', '}'}))
        .isFalse();
  }

  /** A parser takes some 600 bytes for each. */
  @Test
  void allocatesNothingForAnEvent() {
    byte[] json = Events.utf8(
        "{\"y\":1,\"u\":\"me\",\"n\":-2.25,\"m\":\"3.5\",\"x\":{\"n\":7},\"größe\":\"ü\"}");
    JsonEventDecoder decoder = new JsonEventDecoder(MAP);
    long before = 0;
    for (int i = 0; i < 3000; i++) {
      before = i == 2000 ? Allocation.ofThisThread() : before;
      decoder.decode(null, json, slot);
    }
    assertThat(Allocation.ofThisThread() - before).isLessThan(100 * 1000);
    assertThat(slot.status()).isEqualTo(RecordStatus.USED);
  }

  /** More names than are kept, in an order that changes. */
  @Test
  void findsFieldsAmongManyNames() {
    Random random = Seed.random(2);
    for (int i = 0; i < 100; i++) {
      StringBuilder object = new StringBuilder("{\"u\":\"me\",\"y\":" + i % 2);
      for (int j = 0; j < 30; j++) {
        object.append(",\"name ").append(random.nextInt(100_000)).append("\":").append(j);
      }
      object.append(",\"n\":").append(i % 10).append(",\"x\":{\"n\":1}}");
      assertThat(isRead(Events.utf8(object.toString()))).isTrue();
      assertThat(slot.status()).isEqualTo(RecordStatus.USED);
    }
  }
}
