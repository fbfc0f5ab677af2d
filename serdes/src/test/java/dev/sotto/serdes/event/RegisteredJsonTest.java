package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.serdes.feature.Events;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.registry.SchemaIds;
import dev.sotto.serdes.schema.WriterSchema;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.testing.Seed;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** JSON behind the id of its schema is read as JSON is, where the schema is there. */
class RegisteredJsonTest {
  private static final FeatureMap MAP = Events.flights().build();
  private static final WriterSchema SCHEMA = WriterSchema.parse(Kind.JSON, "{}", Map.of());

  private static byte[] framed(int id, byte[] json) {
    return ByteBuffer.allocate(5 + json.length)
        .put((byte) 0)
        .putInt(id)
        .put(json)
        .array();
  }

  @Test
  void readsWhatThePlainTwinReads() {
    var decoder =
        new RegisteredEventDecoder(MAP, Kind.JSON, id -> id == 7 ? SCHEMA : null, 1 << 20);
    var plain = new JsonEventDecoder(MAP);
    var slot = new Slot(MAP.dimension());
    var twin = new Slot(MAP.dimension());
    Random random = Seed.random(4);
    byte[] good = Events.utf8(Events.FLIGHT);
    for (int i = 0; i < 2_000; i++) {
      byte[] json = good.clone();
      for (int flips = random.nextInt(3); flips > 0; flips--) {
        json[random.nextInt(json.length)] =
            (byte) "0123456789eE+-.,:{}[]\"\\n ".charAt(random.nextInt(24));
      }
      RecordStatus status = decoder.decode(null, framed(7, json), slot);
      assertThat(status).isEqualTo(plain.decode(null, json, twin));
      assertThat(Events.dense(slot.example())).isEqualTo(Events.dense(twin.example()));
      assertThat(Events.unit(slot)).isEqualTo(Events.unit(twin));
    }
    assertThat(decoder.decode(null, framed(7, good), slot)).isEqualTo(RecordStatus.USED);
    assertThat(decoder.decode(null, framed(8, good), slot)).isEqualTo(RecordStatus.UNKNOWN_SCHEMA);
    assertThat(decoder.decode(null, good, slot)).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.fault(RecordStatus.UNREADABLE).orElse(""))
        .contains("does not begin with the id");
    byte[] cut = framed(7, Events.utf8("{\"a\":"));
    assertThat(decoder.decode(null, cut, slot)).isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.fault(RecordStatus.UNREADABLE).orElse("")).contains("does not fit");
    assertThat(decoder.schemaIds()).isEqualTo(SchemaIds.CONFLUENT);
  }
}
