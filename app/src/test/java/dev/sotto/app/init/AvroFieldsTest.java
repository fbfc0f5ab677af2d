package dev.sotto.app.init;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.serdes.avro.SingleObject;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData.EnumSymbol;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.generic.GenericRecordBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.junit.jupiter.api.Test;

/** What a schema says of fields, and what records say of a public sample. */
class AvroFieldsTest {
  private static final Schema SCHEMA = new Schema.Parser().parse("""
      {"type": "record", "name": "Visit", "fields": [
        {"name": "user", "type": "string"},
        {"name": "amount", "type": ["null", "double"]},
        {"name": "place", "type": {"type": "record", "name": "Place", "fields": [
          {"name": "city", "type": "string"},
          {"name": "within", "type": ["null", "Place"]}]}},
        {"name": "kind", "type": {"type": "enum", "name": "Kind", "symbols": ["A", "B"]}},
        {"name": "either", "type": ["int", "string"]},
        {"name": "tags", "type": {"type": "array", "items": "string"}}]}
      """);

  private static byte[] record(String user, Double amount, boolean framed) throws IOException {
    Schema place = SCHEMA.getField("place").schema();
    GenericRecord inner =
        new GenericRecordBuilder(place).set("city", "in").set("within", null).build();
    GenericRecord outer =
        new GenericRecordBuilder(place).set("city", "out").set("within", inner).build();
    GenericRecord record = new GenericRecordBuilder(SCHEMA)
        .set("user", user)
        .set("amount", amount)
        .set("place", outer)
        .set("kind", new EnumSymbol(SCHEMA.getField("kind").schema(), "B"))
        .set("either", 3)
        .set("tags", List.of("t"))
        .build();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    if (framed) {
      bytes.write(SingleObject.header(SCHEMA));
    }
    BinaryEncoder encoder = EncoderFactory.get().binaryEncoder(bytes, null);
    new GenericDatumWriter<GenericRecord>(SCHEMA).write(record, encoder);
    encoder.flush();
    return bytes.toByteArray();
  }

  @Test
  void readsTypesFromTheSchemaAlone() {
    Sample sample = new Sample(false);
    AvroFields avro = new AvroFields(sample, SCHEMA);
    assertThat(sample.fields().stream()
            .map(each -> each.path() + " " + each.type() + " " + each.isOptional()))
        .containsExactly(
            "user TEXT false",
            "amount NUMBER true",
            "place.city TEXT false",
            "place.within UNREADABLE true",
            "kind TEXT false",
            "either MIXED true",
            "tags UNREADABLE false");
    assertThat(sample.at("kind").orElseThrow().symbols()).containsExactly("A", "B");
    assertThat(avro.isRaw()).isFalse();
  }

  /** As the first bytes of a schema registry's id may read: a text of nearly 2^31 bytes. */
  @Test
  void tellsBytesOfOthersWhoseLengthIsBeyondTheHeap() {
    Sample sample = new Sample(false);
    new AvroFields(sample, SCHEMA).add(new byte[] {(byte) 0xee, -1, -1, -1, 15, 0});
    assertThat(sample.firstFault()).contains("record 1: it must be of the schema, but: ");
  }

  /** A text of 2^62 characters. */
  @Test
  void tellsBytesOfOthersFromItsOwn() {
    Sample sample = new Sample(false);
    byte[] bytes = {-2, -1, -1, -1, -1, -1, -1, -1, 127, 0, 0};
    new AvroFields(sample, SCHEMA).add(bytes);
    assertThat(sample.firstFault()).contains("record 1: it must be of the schema, but: ");
  }

  @Test
  void readsValuesOfAPublicSampleInEitherFraming() throws IOException {
    Sample sample = new Sample(true);
    AvroFields avro = new AvroFields(sample, SCHEMA);
    avro.add(record("ann", 2.5, true));
    assertThat(avro.isRaw()).isFalse();
    avro.add(record("bob", null, false));
    assertThat(avro.isRaw()).isTrue();
    avro.add(null);
    avro.add(new byte[] {0, 0, 0, 0, 7, 1});
    assertThat(sample.records()).isEqualTo(4);
    assertThat(sample.unreadableRecords()).isEqualTo(2);
    assertThat(sample.firstFault()).isEqualTo("record 3: it has no value");
    assertThat(
            sample.at("user").orElseThrow().statistics().orElseThrow().listed().orElseThrow())
        .containsOnlyKeys("ann", "bob");
    assertThat(sample.at("amount").orElseThrow().statistics().orElseThrow().max())
        .isEqualTo(2.5);
    assertThat(sample
            .at("place.city")
            .orElseThrow()
            .statistics()
            .orElseThrow()
            .listed()
            .orElseThrow())
        .containsOnlyKeys("out");
    assertThat(sample.paths()).hasSize(7);
  }

  @Test
  void keepsNoValueOfAPrivateSample() throws IOException {
    Sample sample = new Sample(false);
    AvroFields avro = new AvroFields(sample, SCHEMA);
    avro.add(record("ann", 2.5, true));
    assertThat(sample.fields()).allMatch(each -> each.statistics().isEmpty());
  }
}
