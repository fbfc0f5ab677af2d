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
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LateLabelsConfigTest {
  @TempDir
  Path folder;

  private LearnerSettings learner(String... flags) throws IOException {
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
            ConfigSource.of(file).withEnvironment(Map.of()).withFlags(List.of(flags)))
        .learner();
  }

  @Test
  void aTopicIsAllThatHasToBeSaid() throws IOException {
    LearnerSettings learner = learner();
    assertThat(learner.labels())
        .contains(new LateLabels(
            "shown", "clicked", Optional.empty(), Duration.ofDays(1), LateLabels.GRACE));
    assertThat(learner.eventTopic()).isEqualTo("clicks.labelled");
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
        "events.format=example features.dimension=3 | needs events.format json or avro",
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

  private static byte[] made(Join join, byte[] event, String label) {
    return new LabelledEvent(
            join,
            new LabelledEvent.Source(0, 1, 2),
            event,
            label == null ? null : bytes(label))
        .encode();
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
