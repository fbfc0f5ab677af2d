package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.training.Plan;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.avro.SingleObject;
import dev.sotto.serdes.event.AvroEventDecoder;
import dev.sotto.serdes.event.AvroFraming;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.FieldDecoder;
import dev.sotto.serdes.event.LabelledDecoder;
import dev.sotto.serdes.event.MissingLabel;
import dev.sotto.serdes.event.RegisteredEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.registry.RegisteredSchema;
import dev.sotto.serdes.registry.SchemaHeaders;
import dev.sotto.serdes.registry.SchemaId;
import dev.sotto.serdes.registry.SchemaIdFile;
import dev.sotto.serdes.schema.WriterSchema.Kind;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.registry.RegistryClient;
import dev.sotto.topology.registry.SchemaRegistry;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Recorded events of two evolved schemas, whose ids are in a file or in a registry. */
class RegisteredSchemasReplayTest {
  private static final Schema OLD = SchemaBuilder.record("E")
      .fields()
      .requiredDouble("x")
      .requiredInt("label")
      .optionalDouble("z")
      .endRecord();
  private static final Schema NEW = SchemaBuilder.record("E")
      .fields()
      .requiredDouble("y")
      .requiredDouble("x")
      .requiredInt("label")
      .endRecord();
  private static final FeatureMap MAP = FeatureMap.builder()
      .bias(true)
      .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
      .numeric("y", "y", -1, 1, Transform.IDENTITY, true)
      .numeric("z", "z", -1, 1, Transform.IDENTITY, true)
      .label("label", new LabelRule.AsItIs())
      .build();

  @TempDir
  private Path folder;

  private static final UUID GUID = UUID.fromString("89791762-2336-4186-9674-299b90a802e2");

  /** Where the id of a schema stands. */
  private enum Ids {
    NONE,
    BEFORE_THE_BODY,
    IN_HEADERS
  }

  private static LearnerSettings settings(Layout layout, Supplier<EventDecoder> decoder) {
    Plan plan = Streams.plan(Streams.FTRL, 5);
    return Streams.settings(layout, plan).with(decoder);
  }

  private static Supplier<EventDecoder> decoder(SchemaRegistry registry) {
    return () -> new RegisteredEventDecoder(MAP, Kind.AVRO, registry, 1 << 20);
  }

  private static InMemoryRecording recording(Ids ids) throws IOException {
    return recording(Streams.EVENTS, ids);
  }

  private static InMemoryRecording recording(String topic, Ids ids) throws IOException {
    Random random = Seed.random(3);
    InMemoryRecording.Builder made =
        InMemoryRecording.of(topic).topicId("topic-id").partition(0, 0);
    for (int offset = 0; offset < 40; offset++) {
      Schema schema = random.nextBoolean() ? OLD : NEW;
      var bytes = new ByteArrayOutputStream();
      byte[] number =
          ByteBuffer.allocate(5).put((byte) 0).putInt(schema == OLD ? 7 : 300).array();
      var headers = new RecordHeaders();
      switch (ids) {
        case NONE -> bytes.writeBytes(SingleObject.header(schema));
        case BEFORE_THE_BODY -> bytes.writeBytes(number);
        default -> header(headers, schema == OLD, offset % 3, number);
      }
      BinaryEncoder out = EncoderFactory.get().binaryEncoder(bytes, null);
      if (schema == NEW) {
        out.writeDouble(random.nextDouble());
      }
      out.writeDouble(random.nextDouble());
      out.writeInt(random.nextInt(2));
      if (schema == OLD) {
        out.writeIndex(1);
        out.writeDouble(random.nextDouble());
      }
      out.flush();
      byte[] key = {(byte) offset};
      made.add(0, offset, 1 + offset, key, bytes.toByteArray(), headers);
    }
    return made.build();
  }

  /** By turns the number, the GUID of the old schema, and Apicurio's number. */
  private static void header(RecordHeaders headers, boolean old, int turn, byte[] number) {
    if (turn == 0) {
      headers.add(SchemaHeaders.CONFLUENT, number);
    } else if (turn == 1 && old) {
      byte[] guid = ByteBuffer.allocate(17)
          .put((byte) 1)
          .putLong(GUID.getMostSignificantBits())
          .putLong(GUID.getLeastSignificantBits())
          .array();
      headers.add(SchemaHeaders.CONFLUENT, guid);
    } else {
      byte[] eight = ByteBuffer.allocate(8).putInt(0).put(number, 1, 4).array();
      headers.add(SchemaHeaders.CONTENT_ID, eight);
    }
  }

  private static List<String> learned(Layout layout, Supplier<EventDecoder> decoder, Ids ids)
      throws IOException {
    List<String> outputs = new ArrayList<>();
    new Replay(settings(layout, decoder), recording(ids)).seed(1).run(new OutputListener() {
      @Override
      public void ledger(int partition, String modelId, byte[] entry) {
        outputs.add(HexFormat.of().formatHex(Codecs.LEDGER.decode(entry).snapshotDigest()));
      }

      @Override
      public void deadLetter(Record<byte[], byte[]> letter) {
        outputs.add("dead letter");
      }
    });
    return outputs;
  }

  private SchemaRegistry registry() throws IOException {
    var file = new SchemaIdFile(folder.resolve("ids.jsonl"));
    file.add(new RegisteredSchema(SchemaId.of(7), OLD));
    file.add(new RegisteredSchema(SchemaId.of(300), NEW));
    file.add(new RegisteredSchema(SchemaId.of(GUID), OLD));
    return new SchemaRegistry(Optional.empty(), Optional.of(file), Duration.ZERO);
  }

  @Test
  void twoSchemaIdsLearnWhatTheirSingleObjectTwinLearns() throws IOException {
    SchemaRegistry registry = registry();
    for (Layout layout : Layout.values()) {
      List<String> twin = learned(
          layout,
          () -> new AvroEventDecoder(MAP, AvroFraming.SINGLE_OBJECT, List.of(OLD, NEW)),
          Ids.NONE);
      assertThat(twin).hasSize(8).doesNotContain("dead letter").doesNotHaveDuplicates();
      assertThat(learned(layout, decoder(registry), Ids.BEFORE_THE_BODY)).isEqualTo(twin);
      assertThat(learned(layout, decoder(registry), Ids.IN_HEADERS)).isEqualTo(twin);
    }
  }

  /** The events' labels are those of the records of another topic, here of the same content. */
  private static List<String> joined(Supplier<FieldDecoder> decoder, Ids ids) throws IOException {
    LateLabels labels = new LateLabels(
        Streams.EVENTS,
        "labels",
        Optional.empty(),
        Duration.ofMillis(5),
        Duration.ZERO,
        OptionalLong.empty());
    List<String> digests = new ArrayList<>();
    new Replay(
            settings(
                    Layout.DIRECT,
                    () ->
                        new LabelledDecoder(MAP, decoder.get(), decoder.get(), MissingLabel.EMPTY))
                .with(Optional.of(labels)),
            recording(ids))
        .labels(recording("labels", ids))
        .run(new OutputListener() {
          @Override
          public void ledger(int partition, String modelId, byte[] entry) {
            digests.add(HexFormat.of().formatHex(Codecs.LEDGER.decode(entry).snapshotDigest()));
          }

          @Override
          public void deadLetter(Record<byte[], byte[]> letter) {
            digests.add("dead letter");
          }
        });
    return digests;
  }

  @Test
  void joinsEventsAndLabelsWhoseIdsStandInHeaders() throws IOException {
    SchemaRegistry registry = registry();
    List<String> twin = joined(
        () -> new AvroEventDecoder(MAP, AvroFraming.SINGLE_OBJECT, List.of(OLD, NEW)), Ids.NONE);
    assertThat(twin).hasSize(8).doesNotContain("dead letter").doesNotHaveDuplicates();
    assertThat(joined(
            () -> new RegisteredEventDecoder(MAP, Kind.AVRO, registry, 1 << 20), Ids.IN_HEADERS))
        .isEqualTo(twin);
  }

  @Test
  void endsWhereNoRegistryAnswers() throws IOException {
    var client = new RegistryClient(URI.create("http://127.0.0.1:1"), () -> "", Optional.empty());
    var registry = new SchemaRegistry(Optional.of(client), Optional.empty(), Duration.ZERO);
    assertThatThrownBy(() -> learned(Layout.DIRECT, decoder(registry), Ids.BEFORE_THE_BODY))
        .isInstanceOfSatisfying(
            SottoException.class,
            outage -> assertThat(outage.kind()).isEqualTo(FailureKind.UNREACHABLE))
        .hasMessageContaining("http://127.0.0.1:1 does not say what the schema of a record is");
  }
}
