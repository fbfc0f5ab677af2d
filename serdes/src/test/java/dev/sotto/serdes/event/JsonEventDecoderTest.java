package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.learner.example.NormRule;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.loss.Logistic;
import dev.sotto.learner.loss.Objective;
import dev.sotto.serdes.feature.Events;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.HashedFeature;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.ListedClass;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonEventDecoderTest {
  private static final FeatureMap MAP = FeatureMap.builder()
      .hashBits(4)
      .numeric("n", "x.n", 0, 1, Transform.IDENTITY, false)
      .categorical("c", "x.c", true)
      .label("y", new LabelRule.AsItIs())
      .weight("w")
      .unitField("u")
      .build();

  private static RecordStatus status(String json) {
    Slot slot = Events.decode(MAP, json);
    if (slot.status() != RecordStatus.USED) {
      assertThat(slot.example().size()).isZero();
      assertThat(slot.unitLength()).isEqualTo(-1);
    }
    return slot.status();
  }

  private static String record(String x, String rest) {
    return "{\"x\":{" + x + "}," + rest + "}";
  }

  private static double label(LabelRule rule, String value) {
    var map = FeatureMap.builder().label("y", rule).build();
    Slot slot = Events.decode(map, "{\"y\":" + value + "}");
    return slot.status() == RecordStatus.USED
        ? slot.example().label()
        : -100 - slot.status().code();
  }

  @Test
  void readsAFlight() {
    Slot slot = Events.decode(Events.flights().build(), Events.FLIGHT);
    assertThat(slot.status()).isEqualTo(RecordStatus.USED);
    assertThat(Events.unit(slot)).isEqualTo("N980DL");
    assertThat(slot.example().label()).isZero();
    assertThat(slot.example().size()).isEqualTo(9);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "USED          | 'n':0.5,'c':'a' | 'y':1,'w':2,'u':'me'",
        "USED          | 'n':0.5         | 'y':true,'w':0,'u':17",
        "USED          | 'n':1,'c':[1]   | 'y':1,'w':1,'u':'me','x':{'n':1}",
        "MISSING_FIELD | 'c':'a'         | 'y':1,'w':1,'u':'me'",
        "MISSING_FIELD | 'n':null        | 'y':1,'w':1,'u':'me'",
        "MISSING_FIELD | 'n':1           | 'w':1,'u':'me'",
        "MISSING_FIELD | 'n':1           | 'y':1,'u':'me'",
        "MISSING_FIELD | 'n':1           | 'y':1,'w':1",
        "MISSING_FIELD | 'n':1           | 'y':1,'w':1,'u':''",
        "MISSING_FIELD | 'n':1           | 'y':1,'w':1,'u':'me','x':null",
        "MISSING_FIELD | 'n':1           | 'y':1,'w':1,'u':'me','x':3",
        "USED          | 'n':'0.5'       | 'y':'1','w':' +2 ','u':'me'",
        "USED          | 'n':'5.'        | 'y':1,'w':1,'u':'me','z':[NaN,-Infinity]",
        "MISSING_FIELD | 'n':' '         | 'y':1,'w':1,'u':'me'",
        "MISSING_FIELD | 'n':1           | 'y':'','w':1,'u':'me'",
        "WRONG_TYPE    | 'n':'NA'        | 'y':1,'w':1,'u':'me'",
        "WRONG_TYPE    | 'n':'1,5'       | 'y':1,'w':1,'u':'me'",
        "NOT_FINITE    | 'n':'nan'       | 'y':1,'w':1,'u':'me'",
        "WRONG_TYPE    | 'n':true        | 'y':1,'w':1,'u':'me'",
        "WRONG_TYPE    | 'n':[1]         | 'y':1,'w':1,'u':'me'",
        "WRONG_TYPE    | 'n':1,'c':{}    | 'y':1,'w':1,'u':'me'",
        "WRONG_TYPE    | 'n':1           | 'y':'one','w':1,'u':'me'",
        "WRONG_TYPE    | 'n':1           | 'y':1,'w':-1,'u':'me'",
        "WRONG_TYPE    | 'n':1           | 'y':1,'w':1,'u':1.5",
        "WRONG_TYPE    | 'n':1           | 'y':1,'w':1,'u':true",
        "NOT_FINITE    | 'n':1e999       | 'y':1,'w':1,'u':'me'",
        "NOT_FINITE    | 'n':1,'c':-1e999| 'y':1,'w':1,'u':'me'",
        "NOT_FINITE    | 'n':1           | 'y':1e999,'w':1,'u':'me'",
        "NOT_FINITE    | 'n':1           | 'y':1,'w':1e999,'u':'me'",
        "NOT_FINITE    | 'n':NaN         | 'y':1,'w':1,'u':'me'",
        "NOT_FINITE    | 'n':-Infinity   | 'y':1,'w':1,'u':'me'",
        "UNREADABLE    | 'n':01          | 'y':1,'w':1,'u':'me'",
        "UNREADABLE    | 'n':1,          | 'y':1,'w':1,'u':'me'",
      },
      quoteCharacter = '`')
  void tellsWhatIsWrong(RecordStatus expected, String x, String rest) {
    assertThat(status(record(x, rest).replace('\'', '"'))).isEqualTo(expected);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "UNREADABLE | ``", "UNREADABLE | `  `", "UNREADABLE | {", "UNREADABLE | {} {}",
        "UNREADABLE | {} x", "UNREADABLE | {]", "UNREADABLE | {\"a\":[}", "UNREADABLE | nonsense",
        "WRONG_TYPE | []", "WRONG_TYPE | 3", "WRONG_TYPE | null", "WRONG_TYPE | \"text\"",
        "MISSING_FIELD | {}",
      },
      quoteCharacter = '`',
      ignoreLeadingAndTrailingWhitespace = true)
  void takesOneObjectAndNothingElse(RecordStatus expected, String json) {
    assertThat(status(json)).isEqualTo(expected);
  }

  /** What goes into the dead letter beside the status. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "[] | the value must be a JSON object, but is a list",
        "3 | but is a number",
        "null | but is true, false or null",
        "\"text\" | but is a text",
        "\"{\\\"n\\\":1}\" | encoded twice",
        "eyJuIjoxfQ== | Base64",
        "<n>1</n> | XML",
        "{\"x\":{\"n\":1},\"w\":1,\"u\":1,\"y\":7} | field \"y\", must be one that the loss admits",
      },
      quoteCharacter = '`')
  void saysWhatIsWrongWithTheWhole(String json, String said) {
    EventDecoder decoder = new JsonEventDecoder(MAP).admittedBy(Objective.of(new Logistic()));
    Slot slot = new Slot(MAP.dimension());
    decoder.decode(null, json.getBytes(StandardCharsets.UTF_8), slot);
    assertThat(decoder.fault(slot.status()).orElseThrow()).contains(said);
    decoder.decode(null, "{}".getBytes(StandardCharsets.UTF_8), slot);
    assertThat(decoder.fault(slot.status()).orElse("")).doesNotContain(said);
  }

  @Test
  void takesANullValueForAnEmptyRecord() {
    var slot = new Slot(MAP.dimension());
    assertThat(new JsonEventDecoder(MAP).decode(null, null, slot)).isEqualTo(RecordStatus.EMPTY);
    assertThat(slot.status()).isEqualTo(RecordStatus.EMPTY);
  }

  @Test
  void refusesWhatIsTooLarge() {
    String rest = "'y':1,'w':1,'u':'me'".replace('\'', '"');
    String deep = "\"z\":" + "[".repeat(70) + "]".repeat(70);
    assertThat(status(record("\"n\":1", rest + "," + deep))).isEqualTo(RecordStatus.TOO_LARGE);
    assertThat(status(record("\"n\":1", rest + "," + deep.replaceAll("\\[{20}|]{20}", ""))))
        .isEqualTo(RecordStatus.USED);
    String big = "\"z\":" + "1".repeat(401);
    assertThat(status(record("\"n\":1", rest + "," + big))).isEqualTo(RecordStatus.TOO_LARGE);
    String name = "\"" + "z".repeat(5000) + "\":1";
    assertThat(status(record("\"n\":1", rest + "," + name))).isEqualTo(RecordStatus.TOO_LARGE);
    assertThat(status(record("\"n\":1", rest.replace("me", "m".repeat(1025)))))
        .isEqualTo(RecordStatus.TOO_LARGE);
    String whole = record("\"n\":1", rest);
    var slot = new Slot(MAP.dimension());
    assertThat(new JsonEventDecoder(MAP, whole.length()).decode(null, Events.utf8(whole), slot))
        .isEqualTo(RecordStatus.USED);
    assertThat(new JsonEventDecoder(MAP, whole.length() - 1).decode(null, Events.utf8(whole), slot))
        .isEqualTo(RecordStatus.TOO_LARGE);
    assertThatThrownBy(() -> new JsonEventDecoder(MAP, 0))
        .hasMessage("maxBytes must be at least 1, but was 0");
  }

  @Test
  void readsIntegersThatNoLongHolds() {
    String rest = "\"y\":1,\"w\":1,\"u\":";
    Slot slot = Events.decode(MAP, record("\"n\":1", rest + "123456789012345678901234567890"));
    assertThat(Events.unit(slot)).isEqualTo("123456789012345678901234567890");
    slot = Events.decode(MAP, record("\"n\":1", rest + "-9223372036854775808"));
    assertThat(Events.unit(slot)).isEqualTo("-9223372036854775808");
    slot = Events.decode(MAP, record("\"n\":" + "9".repeat(350), rest + "1"));
    assertThat(slot.status()).isEqualTo(RecordStatus.NOT_FINITE);
    slot = Events.decode(MAP, record("\"n\":" + "9".repeat(30), rest + "-0"));
    assertThat(Events.unit(slot)).isEqualTo("0");
  }

  @Test
  void takesTheUnitFromTheKey() {
    var map = Events.labelled().unitFromKey().build();
    var decoder = new JsonEventDecoder(map);
    var slot = new Slot(1);
    byte[] value = Events.utf8("{\"y\":1}");
    assertThat(decoder.decode(Events.utf8("me"), value, slot)).isEqualTo(RecordStatus.USED);
    assertThat(Events.unit(slot)).isEqualTo("me");
    assertThat(decoder.decode(null, value, slot)).isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(decoder.decode(new byte[0], value, slot)).isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(decoder.decode(new byte[1025], value, slot)).isEqualTo(RecordStatus.TOO_LARGE);
    assertThat(slot.unitLength()).isEqualTo(-1);
  }

  @Test
  void labelsByEveryRule() {
    assertThat(label(new LabelRule.AsItIs(), "-2.5")).isEqualTo(-2.5);
    assertThat(label(new LabelRule.AsItIs(), "true")).isEqualTo(1);
    assertThat(label(new LabelRule.AsItIs(), "\"1\"")).isEqualTo(1);
    assertThat(label(new LabelRule.AsItIs(), "\"yes\"")).isEqualTo(-104);
    assertThat(label(new LabelRule.Threshold(15), "15")).isEqualTo(0);
    assertThat(label(new LabelRule.Threshold(15), "15.001")).isEqualTo(1);
    assertThat(label(new LabelRule.Threshold(0.5), "true")).isEqualTo(1);
    assertThat(label(new LabelRule.Range(-60, 180), "-60")).isEqualTo(0);
    assertThat(label(new LabelRule.Range(-60, 180), "0")).isEqualTo(0.25);
    assertThat(label(new LabelRule.Range(-60, 180), "1e308")).isEqualTo(1);
    assertThat(label(new LabelRule.Range(-60, 180), "true")).isEqualTo(-104);
    assertThat(label(new LabelRule.Range(-60, 180), "1e309")).isEqualTo(-105);
    var classes = new LabelRule.Classes(List.of("yes", "1", "true", "żółć"));
    for (String positive : List.of("\"yes\"", "1", "1.0", "\"1\"", "true", "\"żółć\"")) {
      assertThat(label(classes, positive)).as(positive).isEqualTo(1);
    }
    for (String negative : List.of("\"no\"", "0", "11", "false", "\"\"", "\"ye\"")) {
      assertThat(label(classes, negative)).as(negative).isEqualTo(0);
    }
    var names = new LabelRule.Names(List.of("red", "7", "true"));
    assertThat(label(names, "\"red\"")).isZero();
    assertThat(label(names, "7.0")).isEqualTo(1);
    assertThat(label(names, "true")).isEqualTo(2);
    assertThat(label(names, "\"Red\"")).isEqualTo(-104);
    assertThat(label(names, "null")).isEqualTo(-103);
    assertThat(label(classes, "[]")).isEqualTo(-104);
    assertThat(label(classes, "null")).isEqualTo(-103);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":{\"n\":1,\"m\":2},\"a\":{\"m\":3}}",
        "{\"a\":{\"n\":1},\"a\":null}",
        "{\"a\":{\"n\":1},\"a\":[{\"n\":2}],\"b\":4,\"b\":5}",
        "{\"a\":{\"n\":1,\"n\":null},\"b\":1,\"b\":null}",
        "{\"a\":{\"n\":1,\"n\":2,\"m\":1}}",
      })
  void letsTheLastOfARepeatedNameCountAsATreeWould(String json) throws IOException {
    var map = FeatureMap.builder()
        .bias(false)
        .norm(NormRule.CLIP)
        .numeric("n", "a.n", 0, 100, Transform.IDENTITY, true)
        .numeric("m", "a.m", 0, 100, Transform.IDENTITY, true)
        .numeric("b", "b", 0, 100, Transform.IDENTITY, true)
        .label("y", new LabelRule.AsItIs())
        .build();
    JsonNode tree = new ObjectMapper().readTree(json);
    String once = tree.toString();
    String labelled = json.substring(0, json.length() - 1) + ",\"y\":0}";
    assertThat(Events.dense(Events.decode(map, labelled).example()))
        .isEqualTo(Events.dense(Events.decode(
                map, once.substring(0, once.length() - 1) + ",\"y\":0}")
            .example()));
  }

  @Test
  void hashesRandomTextsAsTheirStringsWouldBe() {
    var map = Events.labelled().bias(false).categorical("c", "c", false).build();
    var decoder = new JsonEventDecoder(map);
    var slot = new Slot(map.dimension());
    var random = Seed.random(7);
    for (int i = 0; i < 2000; i++) {
      var text = new StringBuilder();
      int length = random.nextInt(40);
      for (int k = 0; k < length; k++) { // any char, lone surrogates too
        text.append((char) random.nextInt(1 << (7 + random.nextInt(10))));
      }
      var json = new StringBuilder("{\"y\":0,\"c\":\"");
      text.chars().forEach(c -> json.append(String.format("\\u%04x", c)));
      assertThat(decoder.decode(null, Events.utf8(json + "\"}"), slot))
          .isEqualTo(RecordStatus.USED);
      byte[] hashed = Events.utf8("c=" + text);
      int hash = org.apache.commons.codec.digest.MurmurHash3.hash32x86(
          hashed, 0, hashed.length, HashedFeature.SEED);
      assertThat(slot.example().size()).isEqualTo(1);
      assertThat(slot.example().index(0)).isEqualTo(hash & 0xFFFF);
      assertThat(slot.example().value(0)).isEqualTo(hash < 0 ? -1 : 1);
    }
  }

  @Test
  void staysTheSameWhateverNamesCameBefore() {
    var decoder = new JsonEventDecoder(Events.flights().build());
    var slot = new Slot(decoder.dimension());
    decoder.decode(null, Events.utf8(Events.FLIGHT), slot);
    double[] before = Events.dense(slot.example());
    for (int i = 0; i < 300; i++) {
      var many = new StringBuilder("{\"x\":{}");
      for (int k = 0; k < 50; k++) {
        many.append(",\"name").append(i).append('_').append(k).append("\":0");
      }
      assertThat(decoder.decode(null, Events.utf8(many + "}"), slot))
          .isEqualTo(RecordStatus.MISSING_FIELD);
    }
    assertThat(decoder.decode(null, Events.utf8(Events.FLIGHT), slot)).isEqualTo(RecordStatus.USED);
    assertThat(Events.dense(slot.example())).isEqualTo(before);
  }

  /** However a writer writes a class, and whichever tool's codes two classes have. */
  @ParameterizedTest
  @CsvSource({
    "4.5, '4.5,4.50,\"4.5\",\"4.50\",\" 4.5\",45e-1', '4,\"4.51\",true,\"x\"'",
    "5.0, '5,5.0,\"5\",\"5.0\",\"05\"', '0.5,\"50\",false'",
    "True, 'true,\"true\",\"TRUE\",\"True\"', 'false,\"tru\",1,\"1\",\"yes\"'",
    "churned, '\"churned\"', '\"Churned\",\" churned\",0'",
    "1, '1,1.0,\"1\",\"1.0\"', 'true,\"true\",2,\"\"'"
  })
  void comparesAClassAsWhatItIs(String given, String same, String others) {
    LabelRule classes = new LabelRule.Classes(List.of("other", given));
    LabelRule names = new LabelRule.Names(List.of("other", given));
    for (String each : same.split(",")) {
      assertThat(label(classes, each)).as(each).isEqualTo(1);
      assertThat(label(names, each)).as(each).isEqualTo(1);
    }
    for (String each : others.split(",")) {
      assertThat(label(classes, each)).as(each).isZero();
      assertThat(label(names, each)).as(each).isEqualTo(-104);
    }
  }

  /** In quotes a class is its text to the letter, whatever else that would be. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "3.1 | \"3.1\" | \"3.10\";3.1;\"3.2\"",
        "1e3 | \"1e3\" | \"1000\";1000;1e3",
        "True | \"True\" | true;\"true\";1",
        "\"3.1\" | \"\\\"3.1\\\"\" | \"3.1\";3.1"
      })
  void takesAClassInQuotesByItsText(String text, String same, String others) {
    String item = ListedClass.itemOf(text);
    LabelRule classes = new LabelRule.Classes(List.of("other", item));
    LabelRule names = new LabelRule.Names(List.of("other", item));
    assertThat(label(classes, same)).isEqualTo(1);
    assertThat(label(names, same)).isEqualTo(1);
    for (String each : others.split(";")) {
      assertThat(label(classes, each)).as(each).isZero();
      assertThat(label(names, each)).as(each).isEqualTo(-104);
    }
    assertThat(ListedClass.textOf(item)).isEqualTo(text);
  }

  @Test
  void quotesNoClassThatIsATextAnyway() {
    for (String each : List.of("yes", "", "\"", "\"\"", "\"yes\"", "3.1.0", "NaN", "-")) {
      assertThat(ListedClass.itemOf(each)).isEqualTo(each);
      assertThat(ListedClass.textOf(each)).isEqualTo(each);
    }
  }

  @Test
  void tellsApartClassesWhoseTextsAreListed() {
    LabelRule names = new LabelRule.Names(List.of("3.1", "3.10", "3.2"));
    assertThat(label(names, "\"3.1\"")).isZero();
    assertThat(label(names, "\"3.10\"")).isEqualTo(1);
    assertThat(label(names, "\"3.20\"")).isEqualTo(2);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 1",
    "-1, 1",
    "\"0\", \"1\"",
    "\"-1\", \"+1\"",
    "\"0.0\", \"1.0\"",
    "false, true",
    "\"FALSE\", \"True\"",
    "\"f\", \"t\"",
    "\"no\", \"yes\"",
    "\"N\", \"Y\"",
    "\"Off\", \"on\""
  })
  void understandsTheUsualCodesOfTwoClasses(String zero, String one) {
    assertThat(label(new LabelRule.AsItIs(true), zero)).isZero();
    assertThat(label(new LabelRule.AsItIs(true), one)).isEqualTo(1);
  }

  @Test
  void saysWhichLabelsItNeverSawAndWhichMeanNothing() {
    assertThat(faults(new LabelRule.AsItIs(true), "1", "true", "\"y\""))
        .containsExactly("no label was \"0\" (label.field): compare how the records write it");
    assertThat(faults(new LabelRule.AsItIs(true), "1", "0", "\"maybe\""))
        .singleElement()
        .asString()
        .startsWith("1 record could not be used since their label means nothing here, the first"
            + " \"maybe\": state label.classes");
    assertThat(faults(new LabelRule.Measured(), "1", "\"maybe\""))
        .singleElement()
        .asString()
        .contains("\"maybe\": the loss predicts a number; name a label.field that holds numbers")
        .doesNotContain("label.threshold");
    assertThat(faults(new LabelRule.Measured(), "1", "\"1,107\""))
        .singleElement()
        .asString()
        .contains("state events.comma");
    assertThat(faults(new LabelRule.Classes(List.of("Churned")), "\"churned\"", "\"kept\""))
        .containsExactly("no label was \"Churned\" (label.classes); the first of the others was"
            + " \"churned\": compare how the records write it");
    assertThat(faults(new LabelRule.Classes(List.of("\"9\"")), "9", "8"))
        .singleElement()
        .asString()
        .startsWith("no label was the text \"9\" (label.classes); the first of the others was \"9");
    assertThat(faults(new LabelRule.Classes(List.of("a", "b")), "\"a\"", "\"b\""))
        .singleElement()
        .asString()
        .contains("all of them are 1");
    assertThat(faults(new LabelRule.Names(List.of("a", "b")), "\"a\"", "\"A\"")).hasSize(2);
    assertThat(faults(new LabelRule.Threshold(2), "1", "3")).isEmpty();
    assertThat(faults(new LabelRule.AsItIs(), "1", "7")).isEmpty();
    assertThat(faults(new LabelRule.AsItIs(true))).isEmpty();
  }

  private static List<String> faults(LabelRule rule, String... values) {
    var map = FeatureMap.builder().label("y", rule).build();
    for (String each : values) {
      Events.decode(map, "{\"y\":" + each + "}");
    }
    return map.labels().orElseThrow().faults();
  }

  /** A name with dots comes before names within each other, in whichever order they come. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "a.b   | {'a.b':1}                          | 1",
        "a.b   | {'a':{'b':1}}                      | 1",
        "a.b   | {'a.b':1,'a':{'b':2}}              | 1",
        "a.b   | {'a':{'b':2},'a.b':1}              | 1",
        "a.b   | {'a':{'b':2},'a.b':1,'a':{'b':3}}  | 1",
        "a.b   | {'a.b':1,'a':7}                    | 1",
        "a.b   | {'a':{'b':2},'a.b':null}           | none",
        "a.b   | {'a':{'b':2},'a':{}}               | none",
        "a.b   | {'a':{'b':2},'a':{'b':3}}          | 3",
        "a.b.c | {'a':{'b.c':1},'a.b':{'c':2}}      | 2",
        "a.b.c | {'a.b':{'c':2},'a':{'b':{'c':3}}}  | 2",
        "a.b.c | {'a.b':5,'a':{'b':{'c':3}}}        | 3",
        "a.b.c | {'a':{'b.c':1,'b':{'c':3}}}        | 1",
        "No.   | {'No.':1}                          | 1",
        "..    | {'..':1,'.':{'':2}}                | 1"
      },
      quoteCharacter = '`')
  void findsANameWithDots(String path, String json, String expected) {
    var map = FeatureMap.builder()
        .categorical("c", path, true)
        .label(path, new LabelRule.AsItIs())
        .build();
    String text = json.replace('\'', '"');
    Slot slot = Events.decode(map, text);
    assertThat(
            slot.status() == RecordStatus.USED
                ? String.valueOf((int) slot.example().label())
                : "none")
        .isEqualTo(expected);
    assertThat(String.valueOf(new JsonFieldText(path).read(Events.utf8(text))))
        .isEqualTo(expected.replace("none", "null"));
  }
}
