package dev.sotto.serdes.event;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Vectors;
import dev.sotto.serdes.feature.AvroFlights;
import dev.sotto.serdes.feature.Events;
import dev.sotto.testing.Seed;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Broken copies of good records. */
class DecoderFuzzTest {
  private static final int RUNS = 4_000;

  private static byte[] broken(byte[] good, Random random) {
    byte[] bytes = good.clone();
    switch (random.nextInt(4)) {
      case 0:
        return Arrays.copyOf(bytes, random.nextInt(bytes.length));
      case 1:
        int from = random.nextInt(bytes.length);
        int to = random.nextInt(bytes.length);
        int length = random.nextInt(bytes.length - Math.max(from, to));
        System.arraycopy(good, from, bytes, to, length);
        return bytes;
      default:
        for (int flips = 1 + random.nextInt(4); flips > 0; flips--) {
          int at = random.nextInt(bytes.length);
          bytes[at] = random.nextBoolean()
              ? (byte) random.nextInt(256)
              : (byte) "0123456789eE+-.,:{}[]\"\\ntfu".charAt(random.nextInt(27));
        }
        return bytes;
    }
  }

  private static Map<RecordStatus, Integer> run(EventDecoder decoder, byte[] good, long seed) {
    var random = Seed.random(seed);
    var slot = new Slot(decoder.dimension());
    var counts = new EnumMap<RecordStatus, Integer>(RecordStatus.class);
    for (int i = 0; i < RUNS; i++) {
      byte[] bytes = broken(good, random);
      RecordStatus status = decoder.decode(null, bytes, slot);
      counts.merge(status, 1, Integer::sum);
      assertThat(slot.status()).isEqualTo(status);
      if (status == RecordStatus.USED) {
        assertThat(slot.example().isFinite()).isTrue();
        assertThat(slot.example().norm()).isBetween(1 - 1e-12, 1.0).isEqualTo(computedNorm(slot));
        assertThat(slot.unitLength()).isPositive();
      } else {
        assertThat(slot.example().size()).isZero();
        assertThat(slot.unitLength()).isEqualTo(-1);
      }
    }
    return counts;
  }

  /** What the clip would be computed from, had the decoder not measured its example. */
  private static double computedNorm(Slot slot) {
    double[] values = Arrays.copyOf(slot.example().values(), slot.example().size());
    return Vectors.norm(values, values.length);
  }

  @Test
  void survivesBrokenJson() {
    var decoder = new JsonEventDecoder(Events.flights().build());
    var counts = run(decoder, Events.utf8(Events.FLIGHT), 1);
    assertThat(counts)
        .containsKeys(
            RecordStatus.USED,
            RecordStatus.UNREADABLE,
            RecordStatus.MISSING_FIELD,
            RecordStatus.WRONG_TYPE);
  }

  @Test
  void survivesBrokenAvro() {
    var writers = List.of(AvroFlights.SCHEMA);
    var map = Events.flights().build();
    var raw = new AvroEventDecoder(map, AvroFraming.RAW, writers);
    assertThat(run(raw, AvroFlights.body(), 2))
        .containsKeys(RecordStatus.USED, RecordStatus.UNREADABLE);
    var framed = new AvroEventDecoder(map, AvroFraming.SINGLE_OBJECT, writers);
    assertThat(run(framed, AvroFlights.singleObject(), 3))
        .containsKeys(RecordStatus.USED, RecordStatus.UNREADABLE);
  }

  @Tag("long")
  @Test
  void survivesManyMoreBrokenCopies() {
    var map = Events.flights().build();
    var avro = new AvroEventDecoder(map, AvroFraming.SINGLE_OBJECT, List.of(AvroFlights.SCHEMA));
    for (long seed = 10; seed < 30; seed++) {
      run(new JsonEventDecoder(map), Events.utf8(Events.FLIGHT), seed);
      run(avro, AvroFlights.singleObject(), seed);
    }
  }

  @Test
  void survivesNoise() {
    var map = Events.flights().build();
    var decoders = List.of(
        new JsonEventDecoder(map),
        new AvroEventDecoder(map, AvroFraming.RAW, List.of(AvroFlights.SCHEMA)));
    var random = Seed.random(4);
    var slot = new Slot(map.dimension());
    for (int i = 0; i < RUNS; i++) {
      byte[] noise = new byte[random.nextInt(100)];
      random.nextBytes(noise);
      decoders.forEach(decoder -> decoder.decode(noise, noise, slot));
      assertThat(slot.example().norm()).isLessThanOrEqualTo(1);
    }
  }
}
