package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.range.NumberRange;
import dev.sotto.learner.range.RangeWindow;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testing.Seed;
import dev.sotto.topology.read.LedgerChecker;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Numbers without bounds through the whole learner: under crashes, aborted transactions and
 * rebalances, before and behind the window in which their ranges are measured.
 */
class MeasuredNumbersTest {
  /** Fewer slots than an endless run would take: three stages of 64, in whole rounds. */
  static final String SHORT = "privacy.horizon.rounds=100";

  static final int WINDOW = 3 * 72;

  @TempDir
  Path folder;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static Recording events(int partitions, int events, long salt) {
    return events(partitions, events, salt, 7);
  }

  /** Behind each of a number of records there is an offset without one. */
  static Recording events(int partitions, int events, long salt, int behind) {
    Random random = Seed.random(salt);
    InMemoryRecording.Builder made = InMemoryRecording.of("arrivals").topicId("topic-id");
    for (int partition = 0; partition < partitions; partition++) {
      made.partition(partition, 0);
      for (int i = 0; i < events; i++) {
        String user = "u" + random.nextInt(200);
        double a = 1000 + 60 * random.nextDouble();
        String b = random.nextBoolean() ? "" : ",\"b\":" + random.nextGaussian() * 1e-9;
        String text = random.nextInt(12) == 0
            ? "{"
            : "{\"user\":\"" + user + "\",\"a\":" + a + b + ",\"y\":"
                + (random.nextDouble() * 60 < a - 1000 ? 1 : 0) + "}";
        made.add(
            partition, i + i / behind, 1_000 + i, bytes(user), bytes(text), new RecordHeaders());
      }
    }
    return made.build();
  }

  private static Recording labels(int events, long salt) {
    Random random = Seed.random(salt);
    InMemoryRecording.Builder made = InMemoryRecording.of("outcomes").partition(0, 0);
    for (int i = 0; i < events; i++) {
      String text = "{\"id\":\"" + i + "\",\"y\":" + random.nextInt(2) + "}";
      made.add(0, i, 1_010 + i, bytes("" + i), bytes(text), new RecordHeaders());
    }
    return made.build();
  }

  private static Recording lateEvents(int events, long salt) {
    Random random = Seed.random(salt);
    InMemoryRecording.Builder made =
        InMemoryRecording.of("arrivals").topicId("topic-id").partition(0, 0);
    for (int i = 0; i < events; i++) {
      String text =
          "{\"id\":\"" + i + "\",\"user\":\"u" + i % 90 + "\",\"a\":" + random.nextDouble() + "}";
      made.add(0, i, 1_000 + i, bytes("" + i), bytes(text), new RecordHeaders());
    }
    return made.build();
  }

  @ParameterizedTest
  @CsvSource({
    "direct, 1, 500, 'privacy.horizon.rounds=100'",
    "ordered, 3, 200, 'privacy.horizon.rounds=100 state.every.rounds=3'",
    "ordered, 2, 250, 'privacy.horizon.rounds=100 privacy.mechanism=independent metrics.share=0.1'",
    "direct, 1, 960, 'privacy.unit=key unit.from=key'",
    "direct, 1, 500, 'privacy.horizon.rounds=100 privacy.contribution=first-of-id unit.from=key'",
    "direct, 2, 500, 'privacy.horizon.rounds=100 model.id.source=partition'",
    "direct, 1, 500, 'privacy.horizon.rounds=100 loss=squared'",
    "ordered, 2, 250, 'privacy.horizon.rounds=100 loss=absolute state.every.rounds=3'",
  })
  void publishTheSameBytes(String layout, int partitions, int events, String more) {
    LearnerSettings settings =
        Learners.ofMeasuredNumbers(folder, Learners.and(more.split(" "), "layout=" + layout));
    FaultSchedules.Summary summary = FaultSchedules.of(settings, events(partitions, events, 5))
        .seeds(Seed.of(7), 2)
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(5);
    assertThat(summary.crashes()).isPositive();
  }

  @Test
  void publishTheSameBytesWhereLabelsComeLater() {
    LearnerSettings settings =
        Learners.ofMeasuredNumbersAndLateLabels(folder, "layout=direct", SHORT);
    FaultSchedules.Summary summary = FaultSchedules.of(settings, lateEvents(500, 3))
        .labels(labels(500, 4))
        .seeds(Seed.of(7), 2)
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(5);
  }

  /** What is published, by models. */
  record Published(Map<String, List<LedgerEntry>> entries, List<ModelSnapshot> manifests) {}

  static Published published(LearnerSettings settings, Recording events) {
    Published published = new Published(new HashMap<>(), new ArrayList<>());
    LedgerChecker checker = new LedgerChecker();
    new Replay(settings, events).run(new OutputListener() {
      @Override
      public void ledger(int partition, String modelId, byte[] bytes) {
        published
            .entries
            .computeIfAbsent(modelId, none -> new ArrayList<>())
            .add(checker.accept(partition, published.entries.size(), bytes));
      }

      @Override
      public void snapshot(int partition, String key, byte[] value) {
        if (key.endsWith("/manifest")) {
          published.manifests.add(Codecs.SNAPSHOT.decode(value));
        }
      }
    });
    assertThat(checker.faults()).isEmpty(); // who reads computes the joint cost again
    return published;
  }

  @Test
  void rangesArePublishedWithEveryVersionAndNoVersionBeforeThem() {
    LearnerSettings settings = Learners.ofMeasuredNumbers(folder, "layout=direct", SHORT);
    Published published = published(settings, events(1, 600, 5));
    List<LedgerEntry> entries = published.entries.get("model");
    assertThat(entries).hasSizeGreaterThan(10);
    LedgerEntry first = entries.get(0);
    RangeWindow window = RangeWindow.parse(first.terms().rangeWindow()).orElseThrow();
    assertThat(window.numbers()).isEqualTo(2); // the third has bounds
    assertThat(first.firstRound()).isEqualTo(1);
    assertThat(first.slots()).isEqualTo(WINDOW).isEqualTo(window.allRounds() * 12);
    assertThat(entries.get(1).slots()).isEqualTo(WINDOW + 12);

    FeatureMapText text = FeatureMapText.parse(published.manifests.get(0).features());
    assertThat(text.further("window").orElseThrow()).startsWith("slots " + WINDOW + " sigma ");
    assertThat(text.ranges()).containsOnlyKeys("a", "b");
    NumberRange a = text.ranges().get("a");
    assertThat(a.lo()).isBetween(500.0, 1100.0); // of three numbers some bins of noise
    assertThat(a.hi()).isBetween(900.0, 2100.0);
    for (ModelSnapshot each : published.manifests) {
      assertThat(each.features()).isEqualTo(published.manifests.get(0).features());
    }
    assertThat(FeatureMapText.unmeasured(published.manifests.get(0).features()))
        .isEqualTo(settings.plan().features());
  }

  /** The test kit predicts by the published ranges, as readers of the version do. */
  @Test
  void testKitPredictsAsReadersOfTheVersion() {
    LearnerTestKit kit = LearnerTestKit.ofText(Learners.MEASURED + "privacy.horizon.rounds: 100\n");
    List<String> events = new ArrayList<>();
    Random random = Seed.random(4);
    for (int i = 0; i < 400; i++) {
      double a = 1000 + 60 * random.nextDouble();
      events.add("{\"user\":\"u\",\"a\":" + a + ",\"y\":" + (a > 1030 ? 1 : 0) + "}");
    }
    LearningResult learned = kit.learn(events.toArray(String[]::new));
    ModelVersion version = learned.newestVersion();
    FeatureMap map = FeatureMapText.parse(version.manifest().features()).scoringMap();
    Slot slot = new Slot(map.dimension());
    for (String event : events.subList(0, 20)) {
      new JsonEventDecoder(map).decode(null, bytes(event), slot);
      double score = slot.example().dot(version.weights());
      assertThat(learned.predict(event)).isCloseTo(1 / (1 + Math.exp(-score)), within(1e-12));
    }
  }

  /** A cost that is stated without the counts is found, and so is a version before the window. */
  @Test
  void readersFindWhatIsNotPaidFor() {
    LearnerSettings settings = Learners.ofMeasuredNumbers(folder, "layout=direct", SHORT);
    LedgerEntry entry =
        published(settings, events(1, 300, 5)).entries.get("model").get(0);
    assertThat(faults(entry)).isEmpty();
    RangeWindow window = RangeWindow.parse(entry.terms().rangeWindow()).orElseThrow();
    RangeWindow later =
        new RangeWindow(window.numbers(), window.rounds() + 1, window.sigma(), window.share());
    assertThat(faults(with(entry, later.describe()))).anyMatch(each -> each.contains("before"));
    RangeWindow louder =
        new RangeWindow(window.numbers(), window.rounds(), window.sigma() * 1.5, window.share());
    assertThat(faults(with(entry, louder.describe()))).anyMatch(each -> each.contains("mu must"));
    assertThat(faults(with(entry, "numbers=2"))).anyMatch(each -> each.contains("cut off"));
  }

  static LedgerEntry with(LedgerEntry entry, String window) {
    LedgerEntry.Terms terms = entry.terms();
    return new LedgerEntry(
        entry.sequence(),
        entry.previousHash(),
        entry.modelId(),
        entry.runId(),
        entry.generation(),
        entry.firstRound(),
        entry.round(),
        entry.algorithm(),
        entry.clip(),
        entry.sensitivity(),
        entry.sigma(),
        entry.matrixSensitivity(),
        entry.guarantee(),
        entry.budgetEpsilon(),
        entry.epsilonLeft(),
        entry.last(),
        entry.slots(),
        entry.origin(),
        entry.ranges(),
        entry.snapshotDigest(),
        entry.fingerprint(),
        entry.keyId(),
        entry.semantics(),
        new LedgerEntry.Terms(
            terms.mechanismParameters(),
            terms.participation(),
            terms.generations(),
            terms.metricsRatio(),
            terms.accountant(),
            terms.spentMu(),
            terms.batch(),
            terms.earlierMu(),
            terms.candidates(),
            window));
  }

  static List<String> faults(LedgerEntry entry) {
    LedgerChecker checker = new LedgerChecker();
    checker.accept(0, 0, Codecs.LEDGER.encode(entry));
    return checker.faults();
  }

  /** Each model has a window of its own: one that has seen too little publishes nothing. */
  @Test
  void everyModelMeasuresForItself() {
    LearnerSettings settings = Learners.ofMeasuredNumbers(
        folder, "layout=direct", SHORT, "model.id.source=key", "models.most=1000");
    InMemoryRecording.Builder made =
        InMemoryRecording.of("arrivals").topicId("topic-id").partition(0, 0);
    Random random = Seed.random(9);
    for (int i = 0; i < 1000; i++) {
      String model = i % 10 == 0 ? "small" : i % 2 == 0 ? "near" : "far";
      double a = random.nextDouble() * (model.equals("far") ? 1e9 : 1);
      String text = "{\"user\":\"u" + i + "\",\"a\":" + a + ",\"y\":" + i % 2 + "}";
      made.add(0, i, 1_000 + i, bytes(model), bytes(text), new RecordHeaders());
    }
    Published published = published(settings, made.build());
    assertThat(published.entries).containsOnlyKeys("near", "far");
    for (ModelSnapshot each : published.manifests) {
      double hi = FeatureMapText.parse(each.features()).ranges().get("a").hi();
      assertThat(hi > 1e7).isEqualTo(each.modelId().equals("far"));
    }
  }

  private static final String NUMBER = Learners.MEASURED.replace("loss: logistic", "loss: squared")
      + "privacy.horizon.rounds: 100\n";

  /** What is learned of a label without bounds is predicted in its own unit. */
  @Test
  void labelWithoutBoundsIsLearnedAndPredictedInItsUnit() {
    LearnerTestKit kit =
        LearnerTestKit.ofText(NUMBER.replace("privacy.epsilon: 4", "privacy.epsilon: 40"));
    List<String> events = new ArrayList<>();
    Random random = Seed.random(4);
    for (int i = 0; i < 1200; i++) {
      double a = 1000 + 60 * random.nextDouble();
      double y = 5000 + 50 * (a - 1000) + random.nextGaussian();
      events.add("{\"user\":\"u\",\"a\":" + a + ",\"y\":" + y + "}");
    }
    LearningResult learned = kit.learn(events.toArray(String[]::new));
    ModelVersion version = learned.newestVersion();
    FeatureMapText map = FeatureMapText.parse(version.manifest().features());
    NumberRange range = map.labelRange().orElseThrow();
    assertThat(range.lo()).isBetween(4500.0, 6500.0);
    assertThat(range.hi()).isBetween(6500.0, 8700.0);
    String low = "{\"user\":\"u\",\"a\":1005,\"y\":0}";
    String high = "{\"user\":\"u\",\"a\":1055,\"y\":0}";
    assertThat(learned.predict(low)).isBetween(4000.0, 6400.0);
    assertThat(learned.predict(high)).isBetween(6600.0, 9000.0);
    Slot slot = new Slot(map.dimension());
    new JsonEventDecoder(map.scoringMap()).decode(null, bytes(low), slot);
    double score = slot.example().dot(version.weights());
    assertThat(learned.predict(low))
        .isCloseTo(range.middle() + (range.hi() - range.lo()) * score, within(1e-6));
    assertThat(learned.ledger().get(0).slots()).isEqualTo(WINDOW);
    double spread = 3000 * 3000 / 24.0; // half the variance of labels over their 3,000
    assertThat(learned.loss()).isBetween(0.0, 0.7 * spread); // of events behind the window alone
  }

  /** A model whose labels are all 0 ends with its window, in an entry; others go on. */
  @Test
  void modelWithoutARangeOfItsLabelEndsAndOthersGoOn() {
    LearnerSettings settings = Learners.ofMeasuredNumbers(
        folder, "layout=direct", SHORT, "loss=squared", "model.id.source=key", "models.most=10");
    InMemoryRecording.Builder made =
        InMemoryRecording.of("arrivals").topicId("topic-id").partition(0, 0);
    Random random = Seed.random(9);
    for (int i = 0; i < 800; i++) {
      String model = i % 2 == 0 ? "plain" : "zeros";
      double y = i % 2 == 0 ? 5000 + random.nextGaussian() : 0;
      String text = "{\"user\":\"u" + i + "\",\"a\":" + i + ",\"y\":" + y + "}";
      made.add(0, i, 1_000 + i, bytes(model), bytes(text), new RecordHeaders());
    }
    Published published = published(settings, made.build());
    List<LedgerEntry> zeros = published.entries.get("zeros");
    assertThat(zeros).hasSize(1);
    assertThat(zeros.get(0).last()).isTrue();
    assertThat(zeros.get(0).slots()).isEqualTo(WINDOW);
    assertThat(zeros.get(0).guarantee().epsilon()).isPositive();
    assertThat(published.entries.get("plain")).hasSizeGreaterThan(10).noneMatch(LedgerEntry::last);
    for (ModelSnapshot each : published.manifests) {
      FeatureMapText text = FeatureMapText.parse(each.features());
      assertThat(text.labelRange().orElseThrow().state() == NumberRange.State.MEASURED)
          .isEqualTo(each.modelId().equals("plain"));
    }
  }
}
