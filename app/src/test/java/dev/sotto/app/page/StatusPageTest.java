package dev.sotto.app.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.sotto.app.http.HttpEndpoint;
import dev.sotto.client.MadeVersion;
import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Guarantee;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.monitoring.Drift;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.record.ModelMetrics;
import dev.sotto.serdes.record.WeightsChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.common.record.TimestampType;
import org.junit.jupiter.api.Test;

class StatusPageTest {
  private static final ObjectMapper JSON = new ObjectMapper();

  private final PublishedHistory history = new PublishedHistory();

  private static final String BUDGETED = "budgeted mu=4.0 separation=1";

  private static LedgerEntry entry(String model, byte[] run, long round, double epsilon) {
    return entry(model, run, round, epsilon, List.of(), "once");
  }

  private static LedgerEntry entry(
      String model, byte[] run, long round, double epsilon, List<OffsetRange> ranges) {
    return entry(model, run, round, epsilon, ranges, "once");
  }

  private static LedgerEntry entry(
      String model,
      byte[] run,
      long round,
      double epsilon,
      List<OffsetRange> ranges,
      String participation) {
    return new LedgerEntry(
        round,
        new byte[32],
        model,
        run,
        0,
        round,
        round,
        "private-ftrl",
        1,
        1,
        2,
        1,
        new Guarantee(PrivacyUnit.KEY, Adjacency.ZERO_OUT, "blt", epsilon, epsilon, 1e-6, 4, 4),
        4,
        4 - epsilon,
        false,
        100 * round,
        0,
        ranges,
        new byte[32],
        new byte[32],
        "key",
        1,
        new LedgerEntry.Terms("any", participation, "none", 0, "gaussian-dp", 0, 100, 0));
  }

  private static ConsumerRecord<byte[], byte[]> record(byte[] value, long time) {
    return new ConsumerRecord<>(
        "topic",
        0,
        0,
        time,
        TimestampType.LOG_APPEND_TIME,
        0,
        value.length,
        null,
        value,
        new RecordHeaders(),
        java.util.Optional.empty());
  }

  private void publish(String model, byte[] run, long round, double epsilon, long time) {
    history.ledger(record(Codecs.LEDGER.encode(entry(model, run, round, epsilon)), time));
  }

  private JsonNode state(Map<String, Drift> drifts) throws IOException {
    return state(drifts, 3_000);
  }

  private JsonNode state(Map<String, Drift> drifts, long now) throws IOException {
    return JSON.readTree(new StatusPage("app", () -> drifts, history, () -> now).state());
  }

  private double rate(long now) throws IOException {
    return state(Map.of(), now).get("models").get(0).get("perSecond").asDouble();
  }

  @Test
  void theRateIsOfTheLastMinuteAndFallsWhileNothingComes() throws IOException {
    for (long round = 1; round <= 200; round++) {
      publish("m", new byte[16], round, 1, 1_000 * round); // 100 slots a second
    }
    assertThat(rate(200_000)).isEqualTo(100);
    assertThat(rate(230_000)).isEqualTo(50);
    assertThat(rate(259_000)).isEqualTo(100.0 * 1 / 60);
    assertThat(rate(260_001)).isZero();
    publish("m", new byte[16], 201, 1, 1_200_000); // versions are rare now
    assertThat(rate(1_500_000)).isEqualTo(100.0 / 1_300);
    assertThat(rate(1_200_000 + 3_000_001)).isZero();
  }

  @Test
  void saysWhoseBudgetItIs() throws IOException {
    publish("m", new byte[16], 1, 1.5, 1_000);
    JsonNode once = state(Map.of()).get("models").get(0);
    assertThat(once.get("reserved").asBoolean()).isFalse();
    assertThat(once.get("budgetNote").asText())
        .isEqualTo("for each unit; 2.5000 left of the budget of 4");
    history.ledger(
        record(Codecs.LEDGER.encode(entry("m", new byte[16], 2, 4, List.of(), BUDGETED)), 2_000));
    JsonNode reserved = state(Map.of()).get("models").get(0);
    assertThat(reserved.get("reserved").asBoolean()).isTrue();
    assertThat(reserved.get("budgetNote").asText())
        .startsWith("each unit's own budget, reserved for all that it will ever send");
  }

  @Test
  void showsWhatTheTopicsHoldAndNothingElse() throws IOException {
    assertThat(state(Map.of()).get("models")).isEmpty();
    publish("m", new byte[16], 64, 1.5, 1_000);
    publish("m", new byte[16], 128, 1.75, 3_000);
    publish("m", new byte[16], 64, 1.5, 1_000); // read a second time after a fault
    ModelAlias alias =
        ModelAlias.first("champion", new AliasTarget("m", new byte[16], 64), "jo", "");
    history.alias(record(Codecs.ALIAS.encode(alias), 7_000));
    history.ledger(record(new byte[] {1, 2}, 1)); // somebody else's
    JsonNode state = state(Map.of("m", new Drift(128, 0.2, 0.1, OptionalLong.of(65))));
    JsonNode model = state.get("models").get(0);
    assertThat(model.get("version").asLong()).isEqualTo(128);
    assertThat(model.get("epsilon").asDouble()).isEqualTo(1.75);
    assertThat(model.get("left").asDouble()).isEqualTo(2.25);
    assertThat(model.get("limit").asDouble()).isEqualTo(4);
    assertThat(model.get("perSecond").asDouble()).isEqualTo(6400 / 2.0);
    assertThat(model.get("history")).hasSize(2);
    assertThat(model.get("drift").get("since").asLong()).isEqualTo(65);
    assertThat(state.get("aliases").get(0).get("alias").asText()).isEqualTo("champion");
    assertThat(state.get("aliases").get(0).get("since").asLong()).isEqualTo(7_000);
    // What may be there at all; a field that is added has to be thought about here.
    Set<String> fields = new TreeSet<>();
    model.fieldNames().forEachRemaining(fields::add);
    assertThat(fields)
        .containsExactlyInAnyOrder(
            "id",
            "version",
            "time",
            "algorithm",
            "last",
            "unit",
            "adjacency",
            "mechanism",
            "epsilon",
            "delta",
            "limit",
            "budget",
            "candidates",
            "left",
            "reserved",
            "budgetNote",
            "slots",
            "learned",
            "perSecond",
            "history",
            "windows",
            "quality",
            "lossBound",
            "reliability",
            "curves",
            "drift");
  }

  @Test
  void keepsABoundedNumberOfPointsAndModels() throws IOException {
    for (long round = 1; round <= 4_000; round++) {
      publish("m", new byte[16], round, 1 + round / 4_000.0, 10 * round);
    }
    for (int i = 0; i < 1_000; i++) {
      publish("m" + i, new byte[16], 1, 1, 1);
    }
    JsonNode state = state(Map.of());
    assertThat(state.get("models")).hasSize(PublishedHistory.MODELS);
    assertThat(state.get("more").asBoolean()).isTrue();
    JsonNode points = state.get("models").get(0).get("history");
    assertThat(points.size()).isBetween(ModelHistory.POINTS, 2 * ModelHistory.POINTS + 2);
    assertThat(points.get(0).get("round").asLong()).isOne();
    assertThat(points.get(points.size() - 1).get("round").asLong()).isEqualTo(4_000);
    long before = 0;
    for (JsonNode point : points) {
      assertThat(point.get("round").asLong()).isGreaterThan(before);
      before = point.get("round").asLong();
    }
  }

  /** Of a version in one piece, with its manifest; of one in several pieces nothing. */
  @Test
  void showsTheCurvesOfTheNewestVersion() throws IOException {
    FeatureMap map = FeatureMap.builder()
        .hats(4)
        .numeric("still", "still", 0, 1, Transform.IDENTITY, false)
        .numeric("age", "age", 0, 100, Transform.IDENTITY, false)
        .unbounded("nowhere", "nowhere", false) // of no range: there is nothing to draw
        .label("y", new LabelRule.AsItIs())
        .build();
    double[] weights = new double[map.dimension()];
    weights[7] = 2; // of age itself
    publish("m", new byte[16], 64, 1.5, 1_000);
    MadeVersion made = MadeVersion.of("m", 64, weights, map.describe(), "logistic");
    ByteBuffer packed = ByteBuffer.allocate(8 * weights.length).order(ByteOrder.LITTLE_ENDIAN);
    packed.asDoubleBuffer().put(weights);
    snapshot("m/0", Codecs.CHUNK.encode(new WeightsChunk("m", 64, 0, packed.array())));
    snapshot("m/manifest", Codecs.SNAPSHOT.encode(made.withChunks(1)));
    JsonNode curves = state(Map.of()).get("models").get(0).get("curves");
    assertThat(curves.get("version").asLong()).isEqualTo(64);
    assertThat(curves.get("more").asInt()).isOne();
    assertThat(curves.get("numbers")).hasSize(2);
    JsonNode first = curves.get("numbers").get(0);
    assertThat(first.get("feature").asText()).isEqualTo("age");
    assertThat(first.get("score").isNull()).isTrue();
    assertThat(first.get("spread").asDouble()).isEqualTo(4);
    JsonNode points = first.get("points");
    assertThat(points.get(0).get("value").asDouble()).isZero();
    assertThat(points.get(0).get("score").asDouble()).isEqualTo(-2);
    assertThat(points.get(points.size() - 1).get("value").asDouble()).isEqualTo(100);

    snapshot("m/0", Codecs.CHUNK.encode(new WeightsChunk("m", 65, 0, packed.array())));
    snapshot("m/1", Codecs.CHUNK.encode(new WeightsChunk("m", 65, 1, packed.array())));
    snapshot("m/manifest", Codecs.SNAPSHOT.encode(made.withChunks(2)));
    snapshot("m/manifest", new byte[] {1}); // somebody else's
    assertThat(state(Map.of()).get("models").get(0).get("curves")).isEqualTo(curves);
    byte[] other = new byte[16];
    other[0] = 1;
    publish("m", other, 32, 1.25, 2_000);
    assertThat(state(Map.of()).get("models").get(0).get("curves").isNull()).isTrue();
  }

  private void snapshot(String key, byte[] value) {
    history.snapshot(
        new ConsumerRecord<>("topic", 0, 0, key.getBytes(StandardCharsets.UTF_8), value));
  }

  /** Two windows tell little each; both together are compared with their own best constant. */
  @Test
  void showsTheLossBesideThatOfAConstant() throws IOException {
    PublishedHistory logistic = new PublishedHistory(any -> true);
    logistic.ledger(record(Codecs.LEDGER.encode(entry("m", new byte[16], 64, 1)), 1_000));
    logistic.metrics(window(1, 32, 200, 40));
    logistic.metrics(window(33, 64, 300, 40));
    logistic.metrics(window(33, 64, 300, 40)); // read a second time
    StatusPage page = new StatusPage("app", Map::of, logistic, () -> 0);
    JsonNode model = JSON.readTree(page.state()).get("models").get(0);
    JsonNode quality = model.get("quality");
    assertThat(quality.get("firstRound").asLong()).isOne();
    assertThat(quality.get("lastRound").asLong()).isEqualTo(64);
    assertThat(model.get("lossBound").asDouble()).isEqualTo(2);
    assertThat(value(quality, "loss")).isCloseTo(0.5, within(1e-12));
    assertThat(value(quality, "constant")).isCloseTo(Math.log(2), within(1e-12));
    assertThat(quality.get("constant").get("above").asDouble()).isBetween(1.0, 4.0);
    assertThat(quality.get("baseRate").get("value").isNull())
        .as("there are no windows before")
        .isTrue();
    JsonNode windows = model.get("windows");
    assertThat(windows).hasSize(2);
    assertThat(value(windows.get(1), "loss")).isCloseTo(0.6, within(1e-12));
    assertThat(value(windows.get(1), "smooth")).isCloseTo(0.5, within(1e-12));
    JsonNode bin = model.get("reliability").get(0);
    assertThat(bin.get("count").asDouble()).as("of both windows").isEqualTo(1_000);
    assertThat(bin.get("countError").asDouble()).isCloseTo(80, within(1e-9));
    assertThat(bin.get("meanLabel").asDouble()).isCloseTo(0.2, within(1e-12));

    logistic.metrics(window(65, 96, 100, 0)); // so clear that it needs none before
    JsonNode clear = JSON.readTree(new StatusPage("app", Map::of, logistic, () -> 0).state())
        .get("models")
        .get(0)
        .get("quality");
    assertThat(clear.get("firstRound").asLong()).isEqualTo(65);
    assertThat(value(clear, "loss")).isCloseTo(0.2, within(1e-12));
    assertThat(value(clear, "baseRate")).isCloseTo(Math.log(2), within(1e-12));

    PublishedHistory squared = new PublishedHistory(any -> false);
    squared.ledger(record(Codecs.LEDGER.encode(entry("m", new byte[16], 64, 1)), 1_000));
    squared.metrics(window(1, 32, 200, 40));
    quality = JSON.readTree(new StatusPage("app", Map::of, squared, () -> 0).state())
        .get("models")
        .get(0)
        .get("quality");
    assertThat(quality.get("constant").get("value").isNull()).isTrue();
    assertThat(value(quality, "loss")).isCloseTo(0.4, within(1e-12));
  }

  private static double value(JsonNode of, String figure) {
    return of.get(figure).get("value").asDouble();
  }

  /** 1000 examples, half of them of label 1, with this sum of losses over the bound. */
  private static ConsumerRecord<byte[], byte[]> window(
      long first, long last, double loss, double noise) {
    double[] sums = {loss, 800, 200, 400, 100, 100, 400};
    return record(
        Codecs.METRICS.encode(new ModelMetrics(
            "m", new byte[16], new NoisyMetrics(first, last, 1_000, 2, sums, noise), new byte[32])),
        1_000);
  }

  @Test
  void knowsOfNoClusterBeforeItStarts() throws IOException {
    JsonNode state = state(Map.of());
    assertThat(state.get("waiting").isNull()).isTrue();
    assertThat(state.get("instances")).isEmpty();
    Set<String> fields = new TreeSet<>();
    state.fieldNames().forEachRemaining(fields::add);
    assertThat(fields)
        .containsExactlyInAnyOrder(
            "app",
            "now",
            "models",
            "more",
            "perVersion",
            "waiting",
            "waitingByPartition",
            "instances",
            "takeovers",
            "aliases");
  }

  /** From the offsets of the ledger alone, of whatever model. */
  @Test
  void remembersHowFarVersionsReach() {
    history.ledger(record(
        Codecs.LEDGER.encode(entry("m", new byte[16], 1, 1, List.of(new OffsetRange(0, 3, 10)))),
        1));
    history.ledger(record(
        Codecs.LEDGER.encode(entry(
            "n", new byte[16], 1, 1, List.of(new OffsetRange(0, 3, 8), new OffsetRange(2, 0, 5)))),
        1));
    assertThat(history.covered()).isEqualTo(Map.of(0, 10L, 2, 5L));
    byte[] other = new byte[16];
    other[0] = 1;
    history.ledger(record(
        Codecs.LEDGER.encode(entry("m", other, 1, 1, List.of(new OffsetRange(0, 0, 4)))), 1));
    assertThat(history.covered()).as("n goes on").isEqualTo(Map.of(0, 8L, 2, 5L));
  }

  @Test
  void beginsAnewWithANewRun() throws IOException {
    publish("m", new byte[16], 64, 1.5, 1_000);
    byte[] other = new byte[16];
    other[0] = 1;
    publish("m", other, 32, 1.25, 2_000);
    JsonNode model = state(Map.of()).get("models").get(0);
    assertThat(model.get("version").asLong()).isEqualTo(32);
    assertThat(model.get("history")).hasSize(1);
  }

  @Test
  void servesItsFilesAndLoadsNothingFromElsewhere() {
    Map<String, HttpEndpoint.Page> paths = new StatusPage("app", Map::of).paths();
    assertThat(paths)
        .containsOnlyKeys(
            "/", "/charts.css", "/charts.js", "/figures.js", "/page.css", "/page.js", "/api/state");
    for (String path : paths.keySet()) {
      String text = paths.get(path).body().get().replace("http://www.w3.org/2000/svg", "");
      assertThat(text).doesNotContain("http:", "https:", "innerHTML", "eval(", "@import");
    }
  }
}
