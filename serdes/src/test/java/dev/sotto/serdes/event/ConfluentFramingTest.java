package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.AvroFlights;
import dev.sotto.serdes.feature.Events;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.registry.RecordPlace;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.registry.WriterSchemas;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.AvroSchema;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;

class ConfluentFramingTest {
  private static final FeatureMap MAP = Events.flights().build();
  private static final int ID = 0x01020304;
  private static final WriterSchema FLIGHTS = new AvroSchema(AvroFlights.SCHEMA);

  private static byte[] framed(int id) {
    byte[] body = AvroFlights.body();
    return ByteBuffer.allocate(5 + body.length)
        .put((byte) 0)
        .putInt(id)
        .put(body)
        .array();
  }

  private static WriterSchema schema(int id) {
    return switch (id) {
      case ID -> FLIGHTS;
      case 7 -> throw new IllegalStateException("outage");
      case 8 -> new AvroSchema(Schema.create(Schema.Type.INT));
      default -> null;
    };
  }

  @Test
  void readsWhatTheSingleObjectTwinReads() {
    var slot = new Slot(MAP.dimension());
    var twin = new Slot(MAP.dimension());
    var decoder = new RegisteredEventDecoder(MAP, Kind.AVRO, ConfluentFramingTest::schema, 1 << 20);
    assertThat(decoder.decode(null, framed(ID), slot)).isEqualTo(RecordStatus.USED);
    new AvroEventDecoder(MAP, AvroFraming.SINGLE_OBJECT, List.of(AvroFlights.SCHEMA))
        .decode(null, AvroFlights.singleObject(), twin);
    assertThat(Events.dense(slot.example())).isEqualTo(Events.dense(twin.example()));
    assertThat(slot.example().label()).isEqualTo(twin.example().label());
    assertThat(Events.unit(slot)).isEqualTo(Events.unit(twin));
  }

  @Test
  void readsTheSameByTheGuidOfASchema() {
    UUID guid = UUID.fromString("89791762-2336-4186-9674-299b90a802e2");
    WriterSchemas guids = new WriterSchemas() {
      @Override
      public WriterSchema schema(int id) {
        return null;
      }

      @Override
      public WriterSchema schema(SchemaId id) {
        return guid.equals(id.guid()) ? FLIGHTS : null;
      }
    };
    byte[] framed = framed(ID);
    byte[] id = ByteBuffer.allocate(17)
        .put((byte) 1)
        .putLong(guid.getMostSignificantBits())
        .putLong(guid.getLeastSignificantBits())
        .array();
    byte[] value = SchemaIds.CONFLUENT.framed(
        Map.of(SchemaHeaders.CONFLUENT, id)::get, Arrays.copyOfRange(framed, 5, framed.length));
    var slot = new Slot(MAP.dimension());
    var twin = new Slot(MAP.dimension());
    var decoder = new RegisteredEventDecoder(MAP, Kind.AVRO, guids, 1 << 20);
    assertThat(decoder.schemaIds()).isEqualTo(SchemaIds.CONFLUENT);
    assertThat(decoder.decode(null, value, slot)).isEqualTo(RecordStatus.USED);
    new RegisteredEventDecoder(MAP, Kind.AVRO, ConfluentFramingTest::schema, 1 << 20)
        .decode(null, framed, twin);
    assertThat(Events.dense(slot.example())).isEqualTo(Events.dense(twin.example()));
    assertThat(decoder.decode(null, Arrays.copyOf(value, 16), slot))
        .isEqualTo(RecordStatus.UNREADABLE);
    value[3]++;
    assertThat(decoder.decode(null, value, slot)).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    var numbersOnly =
        new RegisteredEventDecoder(MAP, Kind.AVRO, ConfluentFramingTest::schema, 1 << 20);
    assertThat(numbersOnly.decode(null, value, slot)).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
  }

  @Test
  void setsAsideWhatCannotBeReadAndDecidesNothingInAnOutage() {
    var slot = new Slot(MAP.dimension());
    var decoder = new RegisteredEventDecoder(MAP, Kind.AVRO, ConfluentFramingTest::schema, 1 << 20);
    assertThat(decoder.decode(null, framed(9), slot)).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    assertThat(decoder.decode(null, framed(8), slot)).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    byte[] good = framed(ID);
    assertThat(decoder.decode(null, Arrays.copyOf(good, 4), slot))
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.decode(null, Arrays.copyOf(good, good.length - 1), slot))
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.decode(null, AvroFlights.singleObject(), slot))
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.decode(null, null, slot)).isEqualTo(RecordStatus.EMPTY);
    assertThatThrownBy(() -> decoder.decode(null, framed(7), slot)).hasMessage("outage");
    assertThat(decoder.decode(null, good, slot)).isEqualTo(RecordStatus.USED);
  }

  @Test
  void needsARegistryInThePlaceOfAList() {
    assertThatThrownBy(
            () -> new AvroEventDecoder(MAP, AvroFraming.CONFLUENT, List.of(AvroFlights.SCHEMA)))
        .hasMessageContaining("events.avro.framing must be single-object or raw");
  }

  /** A record that had no schema keeps having none; what it named is free for all others. */
  @Test
  void anAbsentIdBindsTheRecordThatNamedItAlone() {
    boolean[] registered = {false};
    Set<Long> aside = new HashSet<>();
    long[] offset = {0};
    var decoder = new RegisteredEventDecoder(
        MAP,
        Kind.AVRO,
        new WriterSchemas() {
          @Override
          public WriterSchema schema(int id) {
            return registered[0] ? FLIGHTS : null;
          }

          @Override
          public WriterSchema schema(SchemaId id, RecordPlace place) {
            WriterSchema found = schema(id);
            if (found == null) {
              aside.add(place.offset());
            }
            return found;
          }

          @Override
          public boolean isSetAside(RecordPlace place) {
            return aside.contains(place.offset());
          }
        },
        1 << 20);
    decoder.placedBy(new RecordPlace() {
      @Override
      public String topic() {
        return "t";
      }

      @Override
      public int partition() {
        return 0;
      }

      @Override
      public long offset() {
        return offset[0];
      }
    });
    var slot = new Slot(MAP.dimension());
    assertThat(decoder.decode(null, framed(ID), slot)).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    registered[0] = true;
    offset[0] = 1;
    assertThat(decoder.decode(null, framed(ID), slot)).isEqualTo(RecordStatus.USED);
    offset[0] = 0; // read again, its schema known by now
    assertThat(decoder.decode(null, framed(ID), slot)).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    offset[0] = 2;
    assertThat(decoder.decode(null, framed(ID), slot)).isEqualTo(RecordStatus.USED);
  }
}
