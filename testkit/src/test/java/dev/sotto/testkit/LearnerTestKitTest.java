package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.config.ConfigException;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.Recording;
import dev.sotto.testing.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.opentest4j.AssertionFailedError;

class LearnerTestKitTest {
  /**
   * Names a key file and brokers that are not there: the kit needs neither. Without hats there are
   * two weights, which are easily computed by hand.
   */
  static final String YAML = """
      app.id: points
      bootstrap.servers: nowhere.invalid:9092
      events.topic: points
      layout: direct
      features.hats: 0
      features.numeric.x: {field: x, min: -1, max: 1}
      label.field: y
      loss: logistic
      batch.size: 4
      release.every.slots: 1
      privacy:
        epsilon: 2
        delta: 1e-6
        horizon.rounds: 1000
      noise.key.file: is/not/there
      encryption.key.file: is/not/there/either
      """;

  static final LearnerTestKit KIT = LearnerTestKit.ofText(YAML);

  @TempDir
  Path folder;

  /** A 1 where x is positive. */
  static TestInput events(int count, int partitions) {
    Random random = Seed.random(7);
    List<TestEvent> events = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      double x = 2 * random.nextDouble() - 1;
      events.add(
          TestEvent.of(String.format(Locale.ROOT, "{\"x\": %.4f, \"y\": %d}", x, x > 0 ? 1 : 0))
              .partition(i % partitions)
              .key("user-" + i % 5)
              .timestamp(Instant.ofEpochMilli(1000L + i)));
    }
    return TestInput.of(events);
  }

  @Test
  void learnsInAFewLines() {
    KIT.with("batch.size", 2)
        .learn(TestInput.of("{\"x\": 0.3, \"y\": 1}").repeated(8))
        .assertRounds(4)
        .assertNoDeadLetters()
        .assertEpsilonAtMost(2);
  }

  @Test
  void tellsAllThatWasPublished() {
    LearningResult learned = KIT.with("metrics.share", 0.1)
        .learn(events(41, 1).followedBy(TestInput.of("{\"x\": 1}", "no json")));
    assertThat(learned.models()).containsExactly("model");
    assertThat(learned.rounds()).isEqualTo(10);
    assertThat(learned.ledger()).extracting(LedgerEntry::round).contains(1L, 10L);
    assertThat(learned.versions()).hasSize(10);
    assertThat(learned.newestVersion().round()).isEqualTo(10);
    assertThat(learned.newestVersion().weights()).hasSize(2);
    assertThat(learned.newestVersion().epsilon()).isEqualTo(learned.epsilon());
    assertThat(learned.metrics()).isNotEmpty();
    assertThat(learned.deadLetters()).extracting(DeadLetterEvent::offset).containsExactly(41L, 42L);
    assertThat(learned.deadLetters())
        .extracting(DeadLetterEvent::reason)
        .containsExactly(RecordStatus.MISSING_FIELD, RecordStatus.UNREADABLE);
    assertThat(learned.deadLetters().get(1).event()).hasToString("no json");
    assertThat(learned.loss()).isPositive();
    assertThat(learned.predict("{\"x\": 0.5}".replace("}", ", \"y\": 0}"))).isBetween(0.0, 1.0);
    learned
        .assertDeadLetters(2)
        .assertDeadLetters(RecordStatus.UNREADABLE, 1)
        .assertWeights(1e-12, learned.newestVersion().weights())
        .assertLossAtMost(learned.loss())
        .assertAccuracyAtLeast(learned.accuracy());
  }

  /** Without noise to speak of it learns what is there to be learned. */
  @Test
  void learnsWhatThereIs() {
    KIT.with("privacy.epsilon", 1e6)
        .learn(events(400, 1))
        .assertAccuracyAtLeast(0.9)
        .assertLossAtMost(0.5);
  }

  @Test
  void saysTheSameTwice() {
    LearningResult first = KIT.learn(events(40, 1));
    assertThat(KIT.learn(events(40, 1)).digest()).isEqualTo(first.digest());
    assertThat(KIT.learn(events(41, 1)).digest()).isEqualTo(first.digest());
    assertThat(KIT.learn(events(44, 1)).digest()).isNotEqualTo(first.digest());
    assertThat(KIT.withNoiseKey(NoiseKey.of(new byte[32])).learn(events(40, 1)).digest())
        .isNotEqualTo(first.digest());
    TestInput bad = events(40, 1).followedBy(TestInput.of("{}"));
    assertThat(KIT.learn(bad).digest()).isNotEqualTo(first.digest());
  }

  @Test
  void takesFilesOfEvents() throws IOException {
    Path yaml = Files.writeString(folder.resolve("sotto.yaml"), YAML);
    StringBuilder lines = new StringBuilder();
    events(40, 1).list("points").forEach(each -> lines.append(each).append('\n'));
    Path recorded = Files.writeString(folder.resolve("points.jsonl"), lines);
    LearningResult learned = LearnerTestKit.of(yaml).learn(TestInput.recorded(recorded));
    assertThat(learned.newestVersion().weights())
        .containsExactly(KIT.learn(events(40, 1)).newestVersion().weights());
  }

  @Test
  void tellsTheFaultsOfAConfiguration() {
    assertThatThrownBy(() -> KIT.with("batch.size", 0).config())
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("batch.size must be a whole number of at least 1, or auto");
    assertThatThrownBy(() -> LearnerTestKit.of(folder.resolve("none.yaml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("does not exist");
  }

  @ParameterizedTest
  @CsvSource({
    "direct, 1",
    "ordered, 1",
    "direct, privacy.unit=key",
    "ordered, metrics.share=0.2",
    "direct, model.id.source=header",
    "direct, algorithm=accelerated-dp-srgd",
    "direct, block.slots=5",
    "ordered, block.slots=5"
  })
  void agreesWithKafkasOwnDriver(String layout, String more) {
    LearnerTestKit kit = KIT.with("layout", layout);
    kit = switch (more) {
      case "privacy.unit=key" ->
        LearnerTestKit.ofText(YAML.replace("horizon.rounds: 1000", "contribution.rounds: 5"))
            .with("layout", layout)
            .with("privacy.unit", "key")
            .with("unit.from", "key");
      case "metrics.share=0.2" -> kit.with("metrics.share", 0.2);
      case "model.id.source=header" ->
        kit.with("model.id.source", "header").with("model.id.header", "model");
      case "block.slots=5" ->
        LearnerTestKit.ofText(
                YAML.replace("release.every.slots: 1\n", "").replace("batch.size: 4\n", ""))
            .with("layout", layout)
            .with("algorithm", "clipped-ac-sa")
            .with("block.slots", 5);
      case "algorithm=accelerated-dp-srgd" ->
        kit.with("algorithm", "accelerated-dp-srgd").with("srgd.beta", 1);
      default -> kit;
    };
    List<TestEvent> events = new ArrayList<>(events(60, 1).list("points"));
    events.replaceAll(each -> each.header("model", "m" + each.timestamp() % 3));
    events.set(7, TestEvent.of("{}"));
    events.set(9, TestEvent.of((String) null));
    LearningResult learned = kit.learnEmbedded(copying(), piping(events));
    assertThat(learned.rounds()).isGreaterThan(10);
    assertThat(learned.deadLetters()).hasSizeGreaterThanOrEqualTo(2);
  }

  @Test
  void saysWhatKafkasOwnDriverCannotDo() {
    assertThatThrownBy(
            () -> KIT.with("layout", "rounds").learnEmbedded(copying(), piping(List.of())))
        .hasMessageContaining("cannot run layout rounds");
  }

  /** An application that writes what it reads to the event topic. */
  private static Topology copying() {
    Topology own = new Topology();
    own.addSource("raw", new ByteArrayDeserializer(), new ByteArrayDeserializer(), "raw");
    own.addSink("copy", "points", new ByteArraySerializer(), new ByteArraySerializer(), "raw");
    return own;
  }

  private static Consumer<TopologyTestDriver> piping(List<TestEvent> events) {
    return driver -> {
      var raw =
          driver.createInputTopic("raw", new ByteArraySerializer(), new ByteArraySerializer());
      try (Recording recording = TestInput.of(events).open("points");
          RecordCursor cursor = recording.open(0)) {
        while (cursor.next()) {
          raw.pipeInput(new TestRecord<>(
              cursor.key(),
              cursor.value(),
              cursor.headers(),
              Instant.ofEpochMilli(cursor.timestamp())));
        }
      }
    };
  }

  @ParameterizedTest
  @ValueSource(strings = {"ordered", "rounds"})
  void publishesTheSameUnderFaults(String layout) {
    FaultSchedules.Summary summary =
        KIT.with("layout", layout).faultSchedules(events(60, 2)).seeds(0, 5).assertSameOutput();
    assertThat(summary.crashes()).isPositive();
    assertThat(summary.rounds()).isGreaterThan(5);
  }

  @Test
  void takesPartitionsInTheOrderOfASeed() {
    LearnerTestKit ordered = KIT.with("layout", "ordered");
    String first = ordered.learn(events(60, 3)).digest();
    assertThat(ordered.learn(events(60, 3)).digest()).isEqualTo(first);
    assertThat(ordered.withSeed(1).learn(events(60, 3)).digest()).isNotEqualTo(first);
  }

  @Test
  void showsWhatAnEventBecomes() {
    DecodedEvent decoded = KIT.decode("{\"x\": 0.5, \"y\": 1}").assertUsed().assertLabel(1);
    assertThat(decoded.features()).containsOnlyKeys(0, 1);
    decoded
        .assertFeature(1, 0.5 / Math.sqrt(1.25), 1e-12)
        .assertFeature(0, 1 / Math.sqrt(1.25), 1e-12);
    double scale = Math.sqrt(1 + 0.25 + 0.25);
    DecodedEvent curve = KIT.with("features.hats", 8).decode("{\"x\": 0.5, \"y\": 1}");
    assertThat(curve.features()).containsOnlyKeys(0, 1, 8);
    curve.assertFeature(1, 0.5 / scale, 1e-12).assertFeature(8, 0.5 / scale, 1e-12);
    assertThat(decoded.unit()).isEmpty();
    LearnerTestKit keyed = KIT.with("unit.from", "key");
    assertThat(keyed.decode(TestEvent.of("{\"x\": 0.5, \"y\": 1}").key("u")).unit())
        .contains("u");
    KIT.decode("{\"x\": 0.5}").assertDeadLetter(RecordStatus.MISSING_FIELD);
    KIT.decode("{\"x\": 0.5, \"y\": 3}")
        .assertDeadLetter(RecordStatus.WRONG_TYPE); // no label of logistic
    assertThatThrownBy(() -> KIT.decode("{").assertUsed())
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("must become USED, but became UNREADABLE: the bytes could not be");
    assertThatThrownBy(() -> decoded.assertFeature(1, 0.5, 1e-3))
        .hasMessageContaining("feature 1 must be 0.5 within 0.001, but is 0.447");
    assertThatThrownBy(() -> decoded.assertLabel(0)).hasMessageContaining("must be 0.0, but is 1");
  }

  @Test
  void failsInWords() {
    LearningResult learned =
        KIT.learn(events(10, 1).followedBy(TestInput.of("{}", "[]", "{\"x\": 1}")));
    assertThatThrownBy(() -> learned.assertRounds(5))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining(
            "rounds published must be 5, but were 3 of models [model]: a round takes 4 slots,"
                + " a version 1 rounds,"
                + " and there were 13 events");
    assertThatThrownBy(learned::assertNoDeadLetters)
        .hasMessageContaining("must be 0, but were 3")
        .hasMessageContaining(
            "2 x MISSING_FIELD: a required field is missing; the first at partition 0 offset 10:"
                + " {}")
        .hasMessageContaining("1 x WRONG_TYPE");
    assertThatThrownBy(() -> learned.assertDeadLetters(RecordStatus.EMPTY, 1))
        .hasMessageContaining("of reason EMPTY must be 1, but were 0");
    assertThatThrownBy(() -> learned.assertEpsilonAtMost(0.01))
        .hasMessageContaining("epsilon must be at most 0.01, but is ");
    assertThatThrownBy(() -> learned.assertWeights(0, 1, 2))
        .hasMessageContaining("weight 0 must be 1.0 within 0.0, but is ");
    assertThatThrownBy(() -> learned.assertWeights(0, 1))
        .hasMessageContaining("there must be 1 weights, but there are 2");
    assertThatThrownBy(() -> learned.assertLossAtMost(0)).hasMessageContaining("loss must be");
    assertThatThrownBy(() -> learned.assertAccuracyAtLeast(1.1))
        .hasMessageContaining("accuracy must be");
    assertThatThrownBy(() -> learned.newestVersion("other")).hasMessageContaining("model other");
    assertThatThrownBy(() -> KIT.learn("{}").newestVersion())
        .hasMessageContaining("needs one model");
  }

  /** What stands in a recording is not repeated in a build's log. */
  @Test
  void repeatsNothingOfRecordings() throws IOException {
    Path file = Files.writeString(folder.resolve("r.jsonl"), "{\"secret\": 1}\n");
    LearningResult learned = KIT.learn(TestInput.recorded(file));
    assertThatThrownBy(learned::assertNoDeadLetters)
        .satisfies(thrown ->
            assertThat(thrown.getMessage()).contains("MISSING_FIELD").doesNotContain("secret"));
    assertThatThrownBy(() -> TestInput.recorded(file).repeated(2))
        .hasMessageContaining("a recording");
  }

  @Test
  void findsRoundingNowhere() {
    assertThat(KIT.plan().guarantee(1).epsilon())
        .isCloseTo(KIT.learn(events(4, 1)).epsilon(), within(0.0));
  }
}
