package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which field a status is about, told inside; and types of schemas that no field can be read from. */
class FieldFaultTest {
  private static final FeatureMap MAP = FeatureMap.builder()
      .numeric("x", "x", -1, 1, Transform.IDENTITY, true)
      .numeric("z", "z", -1, 1, Transform.IDENTITY, false)
      .categorical("c", "c", true)
      .label("y", new LabelRule.AsItIs())
      .unitField("u")
      .build();

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'u':1,'y':'maybe','z':1} | WRONG_TYPE | field \"y\" must be a number, or true or false, but"
            + " is a text",
        "{'u':1,'y':1,'z':1,'x':'secret'} | WRONG_TYPE | field \"x\" must be a number, but is a text",
        "{'u':1,'y':'True','z':'much'} | WRONG_TYPE | field \"z\" must be a number, but is a text",
        "{'u':1,'y':1,'z':' '} | MISSING_FIELD | field \"z\" must be a number, but is a blank text",
        "{'u':1,'y':1,'z':'NaN'} | NOT_FINITE | field \"z\" must be a number, but is no finite",
        "{'u':1,'y':1,'z':[1]} | WRONG_TYPE | field \"z\" must be a number, but is an object, a list",
        "{'u':1,'y':1,'z':1,'c':{'d':1}} | WRONG_TYPE | field \"c\" must be a text, a number, or true",
        "{'u':1.5,'y':1,'z':1} | WRONG_TYPE | field \"u\" must be a text or a whole number, but is a"
            + " number",
        "{'u':1,'y':1} | MISSING_FIELD | field \"z\" must be a number, but is missing",
        "{'y':1,'z':1} | MISSING_FIELD | field \"u\" must be a text or a whole number, but is missing"
      })
  void namesTheFieldButNoValue(String event, RecordStatus status, String fault) {
    JsonEventDecoder decoder = new JsonEventDecoder(MAP, 1000);
    byte[] json = event.replace('\'', '"').getBytes(StandardCharsets.UTF_8);
    assertThat(decoder.decode(null, json, new Slot(decoder.dimension()))).isEqualTo(status);
    assertThat(decoder.fault(status).orElseThrow()).contains(fault).doesNotContain("secret");
  }

  /** A recording of the events alone, under a configuration whose labels come later. */
  @Test
  void saysThatAnEventHasNotBeenJoinedWithItsLabel() {
    LabelledDecoder decoder = new LabelledDecoder(
        MAP,
        new JsonEventDecoder(MAP, 1000),
        new JsonEventDecoder(MAP, 1000),
        MissingLabel.NEGATIVE);
    byte[] json = "{\"u\":1,\"z\":1}".getBytes(StandardCharsets.UTF_8);
    RecordStatus status = decoder.decode(null, json, new Slot(decoder.dimension()));
    assertThat(status).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.fault(json, status).orElseThrow())
        .contains("no event with its label", "with --labels");
    assertThat(decoder.fault(json, RecordStatus.NO_LABEL)).isEmpty();
  }

  @Test
  void countsNoLabelOfAValueThatIsReadAgain() {
    JsonEventDecoder decoder = new JsonEventDecoder(MAP, 1000);
    byte[] json = "{\"u\":1,\"y\":\"maybe\",\"z\":1}".getBytes(StandardCharsets.UTF_8);
    RecordStatus status = decoder.decode(null, json, new Slot(decoder.dimension()));
    List<String> faults = decoder.labels().orElseThrow().faults();
    assertThat(decoder.fault(json, status)).isPresent().isEqualTo(decoder.fault(status));
    assertThat(decoder.labels().orElseThrow().faults()).hasSize(1).isEqualTo(faults);
  }

  @Test
  void namesNoneWhereNoFieldAloneTells() {
    JsonEventDecoder decoder = new JsonEventDecoder(MAP, 1000);
    Slot slot = new Slot(decoder.dimension());
    for (String each : List.of("{broken", "{\"u\":1,\"y\":1,\"z\":1}")) {
      RecordStatus status = decoder.decode(null, each.getBytes(StandardCharsets.UTF_8), slot);
      assertThat(decoder.fault(status)).isEmpty();
    }
    assertThat(decoder.fault(decoder.decode(null, new byte[0], slot))).contains("it is empty");
  }

  private static Schema schema(String typeOfX, String typeOfY, String typeOfUnit) {
    return new Schema.Parser()
        .parse("{'type':'record','name':'E','fields':[{'name':'x','type':"
            .concat(typeOfX)
            .concat(
                "},{'name':'z','type':'double'},{'name':'c','type':'string'},{'name':'y','type':")
            .concat(typeOfY)
            .concat("},{'name':'u','type':")
            .concat(typeOfUnit)
            .concat("}]}")
            .replace('\'', '"'));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "{'type':'bytes','logicalType':'decimal','precision':10,'scale':2} | \"x\" is to be a number"
            + " and is decimal (bytes)",
        "'boolean' | \"x\" is to be a number and is boolean",
        "{'type':'map','values':'double'} | \"x\" is to be a number and is map",
        "{'type':'array','items':'double'} | \"x\" is to be a number and is array",
        "{'type':'fixed','name':'F','size':4} | \"x\" is to be a number and is fixed",
        "{'type':'enum','name':'N','symbols':['A']} | \"x\" is to be a number and is enum",
        "['null','bytes'] | \"x\" is to be a number and is bytes",
        "['null','double'] | ",
        "['string','double'] | ",
        "'string' | ",
        "{'type':'long','logicalType':'timestamp-millis'} | ",
        "'int' | "
      })
  void refusesASchemaWhoseFieldCannotBeRead(String type, String fault) {
    List<Schema> schemas = List.of(schema(type, "'boolean'", "'long'"));
    assertThat(AvroEventDecoder.problems(MAP, AvroFraming.RAW, schemas))
        .extracting(Object::toString)
        .satisfies(each -> assertThat(each).hasSize(fault == null ? 0 : 1))
        .allSatisfy(each -> assertThat(each).contains(fault));
  }

  /** No of two classes, where the label is as it is, and yes where words of it are known. */
  @Test
  void knowsWordsOfLabels() {
    FeatureMap two = FeatureMap.builder()
        .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
        .label("y", new LabelRule.AsItIs(true))
        .build();
    JsonEventDecoder decoder = new JsonEventDecoder(two, 1000);
    byte[] json = "{\"y\":\"yes\",\"x\":\"much\"}".getBytes(StandardCharsets.UTF_8);
    RecordStatus status = decoder.decode(null, json, new Slot(decoder.dimension()));
    assertThat(decoder.fault(status).orElseThrow()).startsWith("field \"x\" must be a number");
    Schema yes = schema("'double'", "{'type':'enum','name':'L','symbols':['YES','NO']}", "'long'");
    assertThat(AvroEventDecoder.problems(two, AvroFraming.RAW, List.of(yes))).isEmpty();
  }

  @Test
  void refusesLabelsAndUnitsThatCannotBeRead() {
    List<Schema> odd = List.of(schema(
        "'double'",
        "{'type':'enum','name':'L','symbols':['A']}",
        "{'type':'fixed','name':'F','size':4}"));
    assertThat(AvroEventDecoder.problems(MAP, AvroFraming.RAW, odd))
        .extracting(Object::toString)
        .anySatisfy(each ->
            assertThat(each).contains("\"y\" is to be a number, or true or false and is enum"))
        .anySatisfy(each ->
            assertThat(each).contains("\"u\" is to be a text or a whole number and is fixed"))
        .hasSize(2);
    Schema sound = schema("'double'", "'int'", "'string'");
    assertThat(
            AvroEventDecoder.problems(MAP, AvroFraming.SINGLE_OBJECT, List.of(odd.get(0), sound)))
        .as("records of the other one can be read")
        .isEmpty();
  }
}
