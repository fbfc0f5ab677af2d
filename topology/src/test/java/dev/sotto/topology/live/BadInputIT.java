package dev.sotto.topology.live;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.runtime.LearnerService;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.LongStream;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

class BadInputIT {
  private static final int CUT = 512 * 1024;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  /** One value, and what must become of it. */
  record Event(RecordStatus status, byte[] value) {}

  @Test
  void learnsFromJsonWhateverIsInBetween() throws Exception {
    FeatureMap map = features();
    Trial trial = Trial.of("json", folder, cluster.clients())
        .withModel(map.dimension(), 4, () -> new JsonEventDecoder(map));
    learns(trial, jsonEvents(Seed.random(1)));
  }

  @Test
  void learnsFromAvroWhateverIsInBetween() throws Exception {
    FeatureMap map = features();
    Trial trial = Trial.of("avro", folder, cluster.clients())
        .withModel(
            map.dimension(),
            4,
            () -> new AvroEventDecoder(map, AvroFraming.RAW, List.of(schema())));
    learns(trial, avroEvents(Seed.random(2)));
  }

  @Test
  void learnsFromExamplesWhateverIsInBetween() throws Exception {
    learns(Trial.of("examples", folder, cluster.clients()), exampleEvents(Seed.random(3)));
  }

  private void learns(Trial trial, List<Event> events) throws InterruptedException {
    cluster.createTopic(
        trial.topic(),
        1,
        Map.of(
            "max.message.bytes",
            "8388608",
            "message.timestamp.after.max.ms",
            Long.toString(Long.MAX_VALUE)));
    Collections.shuffle(events, Seed.random(4));
    int rounds = events.size() / 4;
    try (LearnerService service = trial.start();
        var producer = cluster.producer(Map.of("max.request.size", 8 << 20))) {
      long[] times = {0, System.currentTimeMillis(), 4_070_908_800_000L};
      for (int i = 0; i < events.size(); i++) {
        byte[] key = i % 2 == 0 ? null : new byte[] {(byte) i};
        producer.send(new ProducerRecord<>(
            trial.topic(), 0, times[i % 3], key, events.get(i).value()));
      }
      producer.flush();
      trial.awaitRounds(service, rounds);
      Awaitility.await().until(service::isRunning); // it may have been missed for a while
      assertThat(service.hasEnded()).isFalse();
    }
    check(trial, events, rounds);
  }

  private static void check(Trial trial, List<Event> events, int rounds) {
    Published published = trial.published();
    assertThat(published.ledger())
        .extracting(LedgerEntry::ranges)
        .containsExactlyElementsOf(LongStream.range(0, rounds)
            .mapToObj(round -> List.of(new OffsetRange(0, 4 * round, 4 * round + 4)))
            .toList());
    assertThat(published.ledger())
        .extracting(LedgerEntry::snapshotDigest)
        .containsExactlyElementsOf(
            trial.expectedDigests(events.stream().map(Event::value).toList()));
    assertThat(published.models()).hasSize(rounds);
    Map<Long, String> expected = new TreeMap<>();
    for (int i = 0; i < events.size(); i++) {
      if (events.get(i).status() != RecordStatus.USED) {
        expected.put((long) i, events.get(i).status().name());
      }
    }
    Map<Long, String> found = new TreeMap<>();
    for (var letter : published.letters()) {
      long offset = Long.parseLong(Published.header(letter, "sotto.offset"));
      assertThat(found.put(offset, Published.header(letter, "sotto.reason"))).isNull();
      byte[] value = events.get((int) offset).value();
      assertThat(Published.header(letter, "sotto.topic")).isEqualTo(trial.topic());
      assertThat(Published.header(letter, "sotto.length"))
          .isEqualTo(value == null ? "null" : Integer.toString(value.length));
      assertThat(letter.value())
          .isEqualTo(value == null ? null : Arrays.copyOf(value, Math.min(value.length, CUT)));
      assertThat(letter.key()).isEqualTo(offset % 2 == 0 ? null : new byte[] {(byte) offset});
    }
    assertThat(found).isEqualTo(expected);
  }

  private static FeatureMap features() {
    return FeatureMap.builder()
        .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
        .numeric("y", "deep.y", 0, 100, Transform.LOG1P, false)
        .label("label", new LabelRule.AsItIs())
        .build();
  }

  private static List<Event> jsonEvents(Random random) {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 40; i++) {
      json(
          events,
          RecordStatus.USED,
          json(random.nextDouble(), random.nextDouble() * 100, random.nextInt(2)));
    }
    json(events, RecordStatus.UNREADABLE, "");
    json(events, RecordStatus.UNREADABLE, "{");
    json(events, RecordStatus.NOT_FINITE, "{\"x\": NaN, \"deep\": {\"y\": 1}, \"label\": 1}");
    json(events, RecordStatus.UNREADABLE, json("1", "2", "1") + "x");
    json(events, RecordStatus.WRONG_TYPE, "[1, 2]");
    json(events, RecordStatus.WRONG_TYPE, json("\"one\"", "2", "1"));
    json(events, RecordStatus.WRONG_TYPE, json("1", "2", "5"));
    json(events, RecordStatus.MISSING_FIELD, "{}");
    json(events, RecordStatus.MISSING_FIELD, json("null", "2", "1"));
    json(events, RecordStatus.NOT_FINITE, json("1e999", "2", "1"));
    json(events, RecordStatus.NOT_FINITE, json("1", "2", "-1e999"));
    json(events, RecordStatus.TOO_LARGE, json("1", "[".repeat(100) + "]".repeat(100), "1"));
    json(events, RecordStatus.TOO_LARGE, json("1", "2", "1") + " ".repeat(5 << 20));
    events.add(new Event(RecordStatus.EMPTY, null));
    events.add(new Event(RecordStatus.EMPTY, null));
    events.add(new Event(RecordStatus.UNREADABLE, new byte[] {(byte) 0xC3, 0x28, 0, (byte) 0xFF}));
    return events;
  }

  private static String json(Object x, Object y, Object label) {
    return "{\"x\": " + x + ", \"deep\": {\"y\": " + y + "}, \"label\": " + label + "}";
  }

  private static void json(List<Event> events, RecordStatus status, String text) {
    events.add(new Event(status, text.getBytes(UTF_8)));
  }

  private static Schema schema() {
    return SchemaBuilder.record("Event")
        .fields()
        .name("tags")
        .type()
        .array()
        .items()
        .stringType()
        .noDefault()
        .requiredDouble("x")
        .name("deep")
        .type()
        .record("Deep")
        .fields()
        .requiredDouble("y")
        .endRecord()
        .noDefault()
        .requiredInt("label")
        .endRecord();
  }

  private static List<Event> avroEvents(Random random) throws IOException {
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      byte[] good = avro(random.nextInt(3), "tag", random.nextDouble(), random.nextInt(2));
      events.add(new Event(RecordStatus.USED, good));
    }
    byte[] good = avro(1, "tag", 0.5, 1);
    events.add(new Event(RecordStatus.UNREADABLE, Arrays.copyOf(good, good.length - 1)));
    events.add(new Event(RecordStatus.UNREADABLE, Arrays.copyOf(good, good.length + 1)));
    events.add(new Event(RecordStatus.UNREADABLE, avro(Long.MAX_VALUE, "tag", 0.5, 1)));
    events.add(new Event(RecordStatus.UNREADABLE, avro(Long.MIN_VALUE, "tag", 0.5, 1)));
    events.add(new Event(RecordStatus.UNREADABLE, avro(1 << 30, "tag", 0.5, 1)));
    events.add(new Event(RecordStatus.NOT_FINITE, avro(1, "tag", Double.POSITIVE_INFINITY, 1)));
    events.add(new Event(RecordStatus.NOT_FINITE, avro(0, "tag", Double.NaN, 1)));
    events.add(new Event(RecordStatus.WRONG_TYPE, avro(0, "tag", 0.5, 3)));
    events.add(new Event(RecordStatus.TOO_LARGE, avro(1, "t".repeat(5 << 20), 0.5, 1)));
    events.add(new Event(RecordStatus.EMPTY, null));
    events.add(new Event(RecordStatus.UNREADABLE, new byte[0]));
    events.add(new Event(RecordStatus.USED, good));
    return events;
  }

  /**
   * An event whose array says that it has so many tags, but has one at most for a count that is
   * absurd.
   */
  private static byte[] avro(long tags, String tag, double x, int label) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    BinaryEncoder out = EncoderFactory.get().directBinaryEncoder(bytes, null);
    if (tags != 0) {
      out.writeLong(tags);
      for (long i = 0; i < Math.min(Math.max(tags, 1), 3); i++) {
        out.writeString(tag);
      }
    }
    out.writeLong(0);
    out.writeDouble(x);
    out.writeDouble(7);
    out.writeInt(label);
    out.flush();
    return bytes.toByteArray();
  }

  private static List<Event> exampleEvents(Random random) {
    List<Event> events = new ArrayList<>();
    Trial.events(20, 5).forEach(good -> events.add(new Event(RecordStatus.USED, good)));
    double[] fine = {1, 0, 0, 0};
    byte[] good = ExampleCodec.encodeDense(null, null, fine, 1, 1);
    byte[] endless = good.clone();
    Arrays.fill(endless, 11, 20, (byte) 0xFF);
    byte[] vast = Arrays.copyOf(good, 5 << 20);
    events.add(new Event(RecordStatus.UNREADABLE, Arrays.copyOf(good, 5)));
    events.add(new Event(RecordStatus.UNREADABLE, endless));
    events.add(new Event(RecordStatus.TOO_LARGE, vast));
    events.add(new Event(RecordStatus.EMPTY, null));
    events.add(example(RecordStatus.WRONG_TYPE, new double[3], 1));
    events.add(example(RecordStatus.WRONG_TYPE, fine, -2));
    events.add(
        example(RecordStatus.NOT_FINITE, new double[] {0, Double.NEGATIVE_INFINITY, 0, 0}, 1));
    events.add(example(RecordStatus.NOT_FINITE, fine, Double.NaN));
    return events;
  }

  private static Event example(RecordStatus status, double[] values, double label) {
    return new Event(status, ExampleCodec.encodeDense(null, null, values, label, 1));
  }
}
