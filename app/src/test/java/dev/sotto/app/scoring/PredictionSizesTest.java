package dev.sotto.app.scoring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.client.MadeVersion;
import dev.sotto.client.ModelChoice;
import dev.sotto.client.ScoringModel;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.snapshot.PublishedModel;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.Utils;
import org.apache.kafka.streams.TopologyTestDriver;
import org.apache.kafka.streams.test.TestRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Predictions have times and sizes that any topic takes, whatever their events have. */
class PredictionSizesTest {
  private static final byte[] EVENT = "{\"x\":0.5}".getBytes(StandardCharsets.UTF_8);
  private static final long LAST_YEAR = 1_735_689_600_000L;
  private static final int MOST = 1 << 20; // of a record, as producers and brokers take by default

  private static TopologyTestDriver driver(boolean aside) {
    String features = FeatureMap.builder()
            .numeric("x", "x", -1, 1, Transform.IDENTITY, false)
            .label("y", new LabelRule.AsItIs())
            .build()
            .describe()
        + "events json\nmax-bytes 2000000\n";
    double[] weights = {0.25, 2};
    MadeVersion made = MadeVersion.of("m", 1, weights, features, "logistic");
    ScoringModel model = ScoringModel.of(new PublishedModel(made.manifest(), weights));
    ScoreSettings settings = new ScoreSettings(
        Map.of("bootstrap.servers", "unused:1"),
        new ScoreSettings.Model("app", new ModelChoice.Newest(null)),
        new ScoreSettings.Topics("in", "out", aside ? Optional.of("aside") : Optional.empty()),
        new ScoreSettings.Streams("id", 1, false, (short) 1),
        new EventSchemas(List.of(), Optional.empty()));
    return new TopologyTestDriver(ScoreTopology.build(settings, () -> model), new Properties());
  }

  private static List<TestRecord<byte[], byte[]>> events() {
    RecordHeaders large = new RecordHeaders();
    large.add("large", new byte[MOST - 1_000]);
    RecordHeaders many = new RecordHeaders();
    for (int i = 0; i < 60_000; i++) {
      many.add("\u20ac\u20ac\u20ac", null);
    }
    return List.of(
        new TestRecord<>(new byte[MOST - 1_000], EVENT),
        new TestRecord<>(null, EVENT, large),
        new TestRecord<>(null, EVENT, many),
        new TestRecord<>(new byte[900_000], EVENT),
        new TestRecord<>(null, EVENT, new RecordHeaders().add("none", null)));
  }

  /** As those of the learner do: which field, what it must be and what it is, without its value. */
  @Test
  void deadLettersNameTheField() {
    try (TopologyTestDriver driver = driver(true)) {
      driver
          .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
          .pipeRecordList(List.of(
              new TestRecord<>(null, "{\"x\":\"secret\"}".getBytes(StandardCharsets.UTF_8)),
              new TestRecord<>(null, "{".getBytes(StandardCharsets.UTF_8))));
      List<TestRecord<byte[], byte[]>> letters = read(driver, "aside");
      assertThat(letters.get(0).headers().lastHeader("sotto.field").value())
          .asString()
          .isEqualTo("field \"x\" must be a number, but is a text");
      assertThat(letters.get(1).headers().lastHeader("sotto.field")).isNull();
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void everyRecordHasRoom(boolean aside) {
    try (TopologyTestDriver driver = driver(aside)) {
      driver
          .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
          .pipeRecordList(events());
      List<TestRecord<byte[], byte[]>> predictions = read(driver, "out");
      List<TestRecord<byte[], byte[]>> letters = aside ? read(driver, "aside") : List.of();
      assertThat(predictions).hasSize(aside ? 2 : 5);
      assertThat(predictions)
          .filteredOn(each -> text(each).startsWith("{\"prediction\":"))
          .hasSize(2);
      assertThat(letters).hasSize(aside ? 3 : 0);
      assertThat(letters)
          .allSatisfy(each -> assertThat(each.headers().lastHeader("sotto.reason"))
              .satisfies(reason -> assertThat(reason.value()).asString().isEqualTo("TOO_LARGE")));
      List<TestRecord<byte[], byte[]>> all = new ArrayList<>(predictions);
      all.addAll(letters);
      assertThat(all).allSatisfy(each -> assertThat(bytes(each)).isLessThan(MOST));
    }
  }

  private static List<TestRecord<byte[], byte[]>> read(TopologyTestDriver driver, String topic) {
    return driver
        .createOutputTopic(topic, new ByteArrayDeserializer(), new ByteArrayDeserializer())
        .readRecordsToList();
  }

  private static String text(TestRecord<byte[], byte[]> record) {
    return new String(record.value(), StandardCharsets.UTF_8);
  }

  /** At most: lengths are numbers of up to five bytes. */
  private static long bytes(TestRecord<byte[], byte[]> record) {
    long bytes = 100 + record.value().length + (record.key() == null ? 0 : record.key().length);
    for (Header each : record.headers()) {
      int value = each.value() == null ? 0 : each.value().length;
      bytes += 10 + Utils.utf8Length(each.key()) + value;
    }
    return bytes;
  }

  /** An event with any time, also none, as clients of other languages send it. */
  private static final class Timed extends TestRecord<byte[], byte[]> {
    private final long time;

    Timed(long time) {
      super(null, EVENT);
      this.time = time;
    }

    @Override
    public Instant getRecordTime() {
      return Instant.ofEpochMilli(time);
    }
  }

  @Test
  void scoresEventsOfAnyTime() {
    try (TopologyTestDriver driver = driver(true)) {
      driver
          .createInputTopic("in", new ByteArraySerializer(), new ByteArraySerializer())
          .pipeRecordList(List.of(
              new Timed(-1), new Timed(Long.MIN_VALUE), new Timed(5), new Timed(Long.MAX_VALUE)));
      List<Long> times = read(driver, "out").stream().map(TestRecord::timestamp).toList();
      assertThat(times).hasSize(4).allMatch(each -> each == 5 || each > LAST_YEAR);
      assertThat(times).allMatch(each -> each < 10 * LAST_YEAR);
      assertThat(read(driver, "aside")).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({"-1, 1000", "0, 0", "999, 999", "1000, 1000", "1001, 1000"})
  void everyTimeIsOneThatTopicsTake(long timestamp, long time) {
    assertThat(PredictionTimes.of(timestamp, 1000)).isEqualTo(time);
  }
}
