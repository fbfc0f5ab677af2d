package dev.sotto.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.event.LabelledEvent.Join;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicRequirement.Party;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericRecord;
import org.apache.avro.message.BinaryMessageEncoder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LateLabelsConfigTest {
  @TempDir
  Path folder;

  private LearnerSettings learner(String... flags) throws IOException {
    return config(flags).learner();
  }

  private SottoConfig config(String... flags) throws IOException {
    Path key = folder.resolve("noise.key");
    if (!Files.exists(key)) {
      NoiseKey.create(key);
    }
    Path file = Files.writeString(folder.resolve("sotto.yaml"), """
        app.id: clicks
        bootstrap.servers: localhost:9092
        events.topic: shown
        events.labels.topic: clicked
        features.numeric.a.field: a
        features.numeric.a.min: 0
        features.numeric.a.max: 1
        label.field: y
        loss: logistic
        clip.norm: 1
        batch.size: 60
        privacy.epsilon: 2
        privacy.delta: 1e-6
        noise.key.file: %s
        """.formatted(key));
    return SottoConfig.load(
        ConfigSource.of(file).withEnvironment(Map.of()).withFlags(List.of(flags)));
  }

  @Test
  void aTopicIsAllThatHasToBeSaid() throws IOException {
    LearnerSettings learner = learner();
    assertThat(learner.labels())
        .contains(new LateLabels(
            "shown",
            "clicked",
            Optional.empty(),
            Duration.ofDays(1),
            LateLabels.GRACE,
            OptionalLong.empty()));
    assertThat(learner("events.labels.bytes=5000000").labels().orElseThrow().most())
        .hasValue(5_000_000);
    assertThat(learner.eventTopic()).isEqualTo("clicks.labelled");
    assertThat(learner.topicsRead()).isEqualTo("shown, clicked, clicks.labelled");
    assertThat(learner.sourceTopic()).isEqualTo("shown");
    assertThat(FeatureMapText.parse(learner.plan().features()).further("joined"))
        .contains("by key within 86400000 missing empty");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "events.labels.topic=shown | events.labels.topic must be another topic than events.topic",
        "events.labels.topic=clicks.ledger | must be none of the learner's own topics",
        "events.labels.wait.ms=0 | events.labels.wait.ms must be",
        "layout=rounds | must be absent with layout rounds: take layout ordered",
        "events.labels.missing=guess | events.labels.missing must be",
        "loss=squared events.labels.missing=negative | which has no negatives",
        "events.format=example features.dimension=3 | needs events.format json, avro, protobuf or json-schema",
      })
  void whatDoesNotGoTogetherIsRefused(String flags, String why) {
    assertThatThrownBy(() -> learner(flags.split(" ")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(why);
  }

  @Test
  void aWaitWithoutATopicMeansNothing() throws IOException {
    learner();
    Path file = folder.resolve("sotto.yaml");
    Files.writeString(
        file,
        Files.readString(file)
            .replace("events.labels.topic: clicked", "events.labels.wait.ms: 5000"));
    assertThatThrownBy(() -> SottoConfig.load(ConfigSource.of(file).withEnvironment(Map.of())))
        .hasMessageContaining("events.labels.wait.ms means nothing without events.labels.topic");
  }

  @Test
  void theLabelIsThatOfTheLabelsRecord() throws IOException {
    EventDecoder decoder = learner().newDecoder();
    Slot slot = new Slot(decoder.dimension());
    byte[] event = bytes("{\"a\":0.5,\"y\":0}");
    assertThat(decoder.decode(null, made(Join.LABELLED, event, "{\"y\":1,\"a\":9}"), slot))
        .isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isEqualTo(1);
    double feature = slot.example().value(1);
    decoder.decode(null, made(Join.LABELLED, event, "{\"y\":0}"), slot);
    assertThat(slot.example().label()).isZero();
    assertThat(slot.example().value(1)).isEqualTo(feature);
    assertThat(decoder.decode(null, made(Join.LABELLED, event, "{}"), slot))
        .isEqualTo(RecordStatus.MISSING_FIELD);
    assertThat(decoder.decode(null, made(Join.LABELLED, event, "{"), slot))
        .isEqualTo(RecordStatus.UNREADABLE);
    assertThat(decoder.decode(null, made(Join.MISSING, event, null), slot))
        .isEqualTo(RecordStatus.NO_LABEL);
    assertThat(decoder.decode(null, made(Join.REPEATED, event, null), slot))
        .isEqualTo(RecordStatus.NOT_JOINED);
    assertThat(decoder.decode(null, event, slot)).isEqualTo(RecordStatus.UNREADABLE);
    EventDecoder negative = learner("events.labels.missing=negative").newDecoder();
    assertThat(negative.decode(null, made(Join.MISSING, event, null), slot))
        .isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isZero();
  }

  /** Events and labels of Avro have a schema each. */
  @Test
  void avroJoinsByKey() throws IOException {
    Schema event = schema("Shown", "a");
    Schema label = schema("Clicked", "y");
    String files = Files.writeString(folder.resolve("event.avsc"), event.toString()) + ","
        + Files.writeString(folder.resolve("label.avsc"), label.toString());
    String[] avro = {"events.format=avro", "events.avro.schemas=" + files};
    EventDecoder decoder = learner(avro).newDecoder();
    Slot slot = new Slot(decoder.dimension());
    byte[] both = new LabelledEvent(
            Join.LABELLED,
            new LabelledEvent.Source(0, 1, 2),
            written(event, "a", 0.5),
            written(label, "y", 1))
        .encode();
    assertThat(decoder.decode(null, both, slot)).isEqualTo(RecordStatus.USED);
    assertThat(slot.example().label()).isEqualTo(1);
    assertThatThrownBy(() -> learner(avro[0], avro[1], "events.labels.id=id"))
        .hasMessageContaining("events.labels.id needs events.format json");
  }

  private static Schema schema(String name, String field) {
    return SchemaBuilder.record(name).fields().requiredDouble(field).endRecord();
  }

  private static byte[] written(Schema schema, String field, double value) throws IOException {
    GenericRecord record = new GenericData.Record(schema);
    record.put(field, value);
    ByteBuffer bytes =
        new BinaryMessageEncoder<GenericRecord>(GenericData.get(), schema).encode(record);
    byte[] all = new byte[bytes.remaining()];
    bytes.get(all);
    return all;
  }

  /** What is described, checked and permitted on a cluster follows from these lines. */
  @Test
  void theTopicsOfAJoinAreKnown() throws IOException {
    SottoConfig config = config();
    Deployment deployment = Deployment.of(config.learner(), config.service());
    Map<String, TopicRequirement> topics = deployment.everyTopic().stream()
        .collect(Collectors.toMap(TopicRequirement::topic, each -> each));
    assertThat(topics.get("shown").readers())
        .containsExactlyInAnyOrder(Party.JOINER, Party.ANNOUNCER);
    assertThat(topics.get("clicked").readers()).containsExactly(Party.JOINER);
    assertThat(topics.get("clicked").settings())
        .containsEntry("message.timestamp.type", "LogAppendTime");
    assertThat(topics.get("clicks.labelled").writers()).containsExactly(Party.JOINER);
    assertThat(topics.get("clicks.labelled").readers())
        .containsExactlyInAnyOrder(Party.ANNOUNCER, Party.TRAINER);
    assertThat(topics.get("clicks-joins-changelog").writers()).containsExactly(Party.JOINER);
    assertThat(topics.values())
        .filteredOn(TopicRequirement::outside)
        .extracting(TopicRequirement::topic)
        .containsExactlyInAnyOrder("clicks.ledger", "clicks.snapshots");
    assertThat(deployment.derivable())
        .extracting(TopicRequirement::topic)
        .doesNotContain("clicks-joins-changelog");
  }

  private static byte[] made(Join join, byte[] event, String label) {
    return new LabelledEvent(
            join, new LabelledEvent.Source(0, 1, 2), event, label == null ? null : bytes(label))
        .encode();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
