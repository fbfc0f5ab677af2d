package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.settings.ConfigError;
import dev.sotto.serdes.feature.AvroFlights;
import dev.sotto.serdes.feature.Events;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AvroEventDecoderTest {
  private static final FeatureMap FLIGHTS = Events.flights().build();

  private static Schema schema(String json) {
    return new Schema.Parser().parse(json.replace('\'', '"'));
  }

  private static Schema event(String fields) {
    return schema("{'type':'record','name':'Event','fields':[" + fields + "]}");
  }

  /** What writes a body. */
  private interface Body {
    void write(BinaryEncoder out) throws IOException;
  }

  private static byte[] bytes(Body body) {
    var bytes = new ByteArrayOutputStream();
    BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
    try {
      body.write(out);
      out.flush();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
    return bytes.toByteArray();
  }

  private static Slot raw(FeatureMap map, Schema writer, byte[] value) {
    var slot = new Slot(map.dimension());
    new AvroEventDecoder(map, AvroFraming.RAW, List.of(writer)).decode(null, value, slot);
    return slot;
  }

  @Test
  void readsAFlightAsJsonDoes() {
    Slot json = Events.decode(FLIGHTS, Events.FLIGHT);
    var decoder =
        new AvroEventDecoder(FLIGHTS, AvroFraming.SINGLE_OBJECT, List.of(AvroFlights.SCHEMA));
    var slot = new Slot(decoder.dimension());
    assertThat(decoder.decode(null, AvroFlights.singleObject(), slot)).isEqualTo(RecordStatus.USED);
    assertThat(Events.dense(slot.example())).isEqualTo(Events.dense(json.example()));
    assertThat(slot.example().label()).isEqualTo(json.example().label());
    assertThat(Events.unit(slot)).isEqualTo("N980DL");
  }

  /** Null is a value that is not there, of a field that is. */
  @Test
  void tellsWhichFieldsARecordDoesNotHaveAtAll() {
    var map = Events.labelled()
        .bias(true)
        .numeric("v", "v", 0, 1, Transform.IDENTITY, true)
        .numeric("w", "w", 0, 1, Transform.IDENTITY, true)
        .build();
    Schema writer = event("{'name':'v','type':['null','double']},{'name':'y','type':'int'}");
    Schema other = event("{'name':'w','type':'double'}");
    var decoder = new AvroEventDecoder(map, AvroFraming.SINGLE_OBJECT, List.of(writer, other));
    for (byte[] body : new byte[][] {{2, 0, 0, 0, 0, 0, 0, 0, 0, 2}, {0, 2}}) {
      assertThat(decoder.read(AvroFlights.frame(writer, body))).isEqualTo(RecordStatus.USED);
      assertThat(map.absent(decoder.values())).containsExactly("w");
    }
  }

  @Test
  void tellsWritersApartByTheirFingerprints() {
    var map = Events.labelled()
        .bias(true)
        .numeric("v", "v", 0, 1, Transform.IDENTITY, true)
        .build();
    Schema old = event("{'name':'y','type':'int'}");
    Schema now = event("{'name':'v','type':'double'},{'name':'y','type':'int'}");
    var decoder = new AvroEventDecoder(map, AvroFraming.SINGLE_OBJECT, List.of(old, now));
    var slot = new Slot(2);
    byte[] one = AvroFlights.frame(old, bytes(out -> out.writeInt(5)));
    assertThat(decoder.decode(null, one, slot)).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isEqualTo(5);
    byte[] two = AvroFlights.frame(now, bytes(out -> {
      out.writeDouble(1);
      out.writeInt(6);
    }));
    assertThat(decoder.decode(null, two, slot)).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isEqualTo(6);
    assertThat(Events.dense(slot.example())[1]).isGreaterThan(0);
    two[5] ^= 1;
    assertThat(decoder.decode(null, two, slot)).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.decode(null, Arrays.copyOf(one, 9), slot))
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.decode(null, new byte[0], slot)).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.decode(null, null, slot)).isEqualTo(RecordStatus.EMPTY);
  }

  @Test
  void tellsWhatIsWrong() {
    var map =
        Events.labelled().numeric("v", "v", 0, 1, Transform.IDENTITY, false).build();
    Schema writer =
        event("{'name':'v','type':['null','double','string',{'type':'array','items':'int'}]},"
            + "{'name':'y','type':'float'}");
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(1);
              out.writeDouble(0.5);
              out.writeFloat(1);
            }))
            .status())
        .isEqualTo(RecordStatus.USED);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(1);
              out.writeDouble(Double.NaN);
              out.writeFloat(1);
            }))
            .status())
        .isEqualTo(RecordStatus.NOT_FINITE);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(1);
              out.writeDouble(0.5);
              out.writeFloat(Float.POSITIVE_INFINITY);
            }))
            .status())
        .isEqualTo(RecordStatus.NOT_FINITE);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(0);
              out.writeFloat(1);
            }))
            .status())
        .isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(2);
              out.writeString("0.5");
              out.writeFloat(1);
            }))
            .status())
        .isEqualTo(RecordStatus.USED);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(2);
              out.writeString("half");
              out.writeFloat(1);
            }))
            .status())
        .isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(3);
              out.writeInt(0);
              out.writeFloat(1);
            }))
            .status())
        .isEqualTo(RecordStatus.WRONG_TYPE);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(4);
              out.writeFloat(1);
            }))
            .status())
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(raw(map, writer, bytes(out -> {
              out.writeIndex(1);
              out.writeDouble(0.5);
              out.writeFloat(1);
              out.writeInt(0);
            }))
            .status())
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(raw(map, writer, bytes(out -> out.writeIndex(1))).status())
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(raw(map, writer, new byte[(1 << 20) + 1]).status())
        .isEqualTo(RecordStatus.TOO_LARGE);
  }

  @Test
  void readsEveryTypeThatIsNumberOrText() {
    String types =
        "{'name':'i','type':'int'},{'name':'b','type':'boolean'},{'name':'s','type':'string'},"
            + "{'name':'e','type':{'type':'enum','name':'E','symbols':['P','Q']}},"
            + "{'name':'d','type':'double'},{'name':'y','type':'long'}";
    var features = Events.labelled().hashBits(20);
    for (String name : List.of("i", "b", "s", "e", "d")) {
      features.categorical(name, name, false);
    }
    FeatureMap map = features.build();
    Slot avro = raw(map, event(types), bytes(out -> {
      out.writeInt(-7);
      out.writeBoolean(true);
      out.writeString("żółć");
      out.writeEnum(1);
      out.writeDouble(0.1);
      out.writeLong(-3);
    }));
    Slot json =
        Events.decode(map, "{\"i\":-7,\"b\":true,\"s\":\"żółć\",\"e\":\"Q\",\"d\":0.1,\"y\":-3}");
    assertThat(avro.status()).isEqualTo(RecordStatus.USED);
    assertThat(avro.example().label()).isEqualTo(-3);
    assertThat(Events.dense(avro.example())).isEqualTo(Events.dense(json.example()));
  }

  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void skipsWhatIsNotWanted() {
    Schema writer = event("{'name':'list','type':{'type':'array','items':['null','string']}},"
        + "{'name':'map','type':{'type':'map','values':{'type':'record','name':'Pair',"
        + "'fields':[{'name':'a','type':'bytes'},{'name':'b','type':'float'}]}}},"
        + "{'name':'hash','type':{'type':'fixed','name':'Hash','size':3}},"
        + "{'name':'nothing','type':{'type':'array','items':'null'}},"
        + "{'name':'y','type':'int'}");
    Slot slot = raw(Events.labelled().build(), writer, bytes(out -> {
      out.writeLong(-2); // a block with its size in bytes
      out.writeLong(4);
      out.writeIndex(1);
      out.writeString("x");
      out.writeIndex(0);
      out.writeLong(0);
      out.writeLong(1);
      out.writeString("key");
      out.writeBytes(new byte[] {1, 2});
      out.writeFloat(3);
      out.writeLong(0);
      out.writeFixed(new byte[3]);
      out.writeLong(1L << 60); // so many nulls have no bytes: allowed, and free
      out.writeLong(0);
      out.writeInt(9);
    }));
    assertThat(slot.status()).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isEqualTo(9);
  }

  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void neitherSpinsNorAllocatesForAbsurdCounts() {
    for (String item : List.of(
        "'null'",
        "'int'",
        "'string'",
        "['null','int']",
        "{'type':'array','items':'null'}",
        "{'type':'fixed','name':'F','size':0}",
        "{'type':'record','name':'R','fields':[]}")) {
      for (String kind : List.of("{'type':'array','items':", "{'type':'map','values':")) {
        Schema writer = event("{'name':'l','type':" + kind + item + "}},{'name':'y','type':'int'}");
        for (long count :
            new long[] {1L << 60, Long.MAX_VALUE, -(1L << 60), Long.MIN_VALUE, 1 << 30}) {
          byte[] value = bytes(out -> {
            out.writeLong(count);
            out.writeLong(count < 0 ? Long.MAX_VALUE : 2);
          });
          assertThat(raw(Events.labelled().build(), writer, value).status())
              .isEqualTo(RecordStatus.UNREADABLE);
        }
      }
    }
    Schema text = event("{'name':'y','type':'string'}");
    var map =
        FeatureMap.builder().label("y", new LabelRule.Classes(List.of("a"))).build();
    for (long length : new long[] {Long.MAX_VALUE, Integer.MAX_VALUE, -1, Long.MIN_VALUE, 2}) {
      assertThat(raw(map, text, bytes(out -> {
                out.writeLong(length);
                out.writeFixed(new byte[1]);
              }))
              .status())
          .isEqualTo(RecordStatus.UNREADABLE);
    }
  }

  @Test
  void countsTheDepthOfRecursiveRecords() {
    Schema writer = event("{'name':'next','type':['null','Event']},{'name':'y','type':'int'}");
    for (int levels : new int[] {1, 31, 40, 100_000}) {
      byte[] value = bytes(out -> {
        for (int i = 0; i < levels; i++) {
          out.writeIndex(1);
        }
        out.writeIndex(0);
        for (int i = 0; i <= levels; i++) {
          out.writeInt(i);
        }
      });
      Slot slot = raw(Events.labelled().build(), writer, value);
      assertThat(slot.status()).isEqualTo(levels < 32 ? RecordStatus.USED : RecordStatus.TOO_LARGE);
      assertThat(slot.example().label()).isEqualTo(levels < 32 ? levels : 0);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "'boolean' | Churned | true and false",
        "'boolean' | 1 | true and false",
        "'int' | 4.5 | the whole numbers",
        "['null','double'] | yes | the numbers",
        "['null','double'] | the text 3.1 | the numbers",
        "'boolean' | the text True | true and false",
        "{'type':'enum','name':'E','symbols':['a','b']} | A | the symbols a, b"
      })
  void refusesAClassThatTheFieldCannotHave(String type, String listed, String words) {
    Schema writer = event("{'name':'y','type':" + type + "}");
    String text = listed.replace("the text ", "");
    String item = text.equals(listed) ? text : '"' + text + '"';
    FeatureMap map =
        FeatureMap.builder().label("y", new LabelRule.Classes(List.of(item))).build();
    assertThat(AvroEventDecoder.problems(map, AvroFraming.RAW, List.of(writer)))
        .extracting(ConfigError::message)
        .containsExactly("label.classes must name what field \"y\" can be, but "
            + (text.equals(listed) ? "" : "the text ") + '"' + text + "\" is none of " + words);
  }

  @Test
  void takesClassesThatTheFieldCanHave() {
    Schema writer = event("{'name':'y','type':['boolean','float','string']}");
    FeatureMap map = FeatureMap.builder()
        .label("y", new LabelRule.Names(List.of("True", "4.5", "any", "\"7\"")))
        .build();
    assertThat(AvroEventDecoder.problems(map, AvroFraming.RAW, List.of(writer))).isEmpty();
  }

  @Test
  void refusesSchemasThatCannotBeRead() {
    FeatureMap map =
        Events.labelled().numeric("v", "a.v", 0, 1, Transform.IDENTITY, true).build();
    Schema endless = event("{'name':'u','type':['null',{'type':'record','name':'A','fields':["
        + "{'name':'x','type':{'type':'record','name':'X','fields':["
        + "{'name':'a','type':'A'}]}}]}]},{'name':'y','type':'int'}");
    assertThat(AvroEventDecoder.problems(map, AvroFraming.SINGLE_OBJECT, List.of(endless)))
        .extracting(ConfigError::message)
        .containsExactly(
            "events.avro.schemas must let every record end, but A always holds itself",
            "events.avro.schemas must let every record end, but X always holds itself");
    Schema listed =
        event("{'name':'a','type':{'type':'array','items':{'type':'record','name':'A','fields':["
            + "{'name':'v','type':'int'}]}}}");
    assertThat(AvroEventDecoder.problems(map, AvroFraming.RAW, List.of(listed)))
        .extracting(ConfigError::message)
        .containsExactly(
            "events.avro.schemas must have every field that is read, but \"a.v\" lies inside an"
                + " array or"
                + " a map",
            "events.avro.schemas must have every field that is read, but \"y\" is in none of 1");
    assertThat(AvroEventDecoder.problems(map, AvroFraming.RAW, List.of(schema("'int'"), listed)))
        .extracting(ConfigError::message)
        .containsExactly(
            "events.avro.schemas must hold exactly one schema, but held 2",
            "events.avro.schemas must be a record, but was int");
    assertThatThrownBy(() -> new AvroEventDecoder(map, AvroFraming.SINGLE_OBJECT, List.of()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("events.avro.schemas must hold at least one schema, but held 0");
  }
}
