package dev.sotto.evaluation.volume;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.evaluation.volume.VolumeScenario.Load;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelState;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.cluster.FaultFreeRun;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.serdes.event.LabelledEvent;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.testing.Tier;
import dev.sotto.topology.label.LabelJoin;
import dev.sotto.topology.label.PendingEvent;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.store.HeapTable;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class VolumeForecastTest {
  private static final double DAY = 86_400;
  private static final int EVENTS = Tier.choose(4_320, 8_640); // of a day at 10,000 a second

  private static Map<String, TopicVolume> forecast(VolumeScenario scenario) {
    return VolumeForecast.of(scenario).stream()
        .collect(Collectors.toMap(TopicVolume::topic, Function.identity()));
  }

  /** What a join really holds when a wait of events is in it, each with a label. */
  @ParameterizedTest
  @ValueSource(ints = {40, 500})
  void whatWaitsForLabelsIsForeseen(int size) {
    VolumeScenario day = scenarioOfLabels(size);
    Map<String, byte[]> state = new TreeMap<>();
    LabelJoin join =
        new LabelJoin(new HeapTable(state), "labels", 60_000, (key, value, headers) -> {});
    for (int i = 0; i < 2_000; i++) { // 10 a second for two waits and a third
      String id = String.format("id-%032d", i);
      byte[] key = id.getBytes(StandardCharsets.UTF_8);
      long time = 1_000_000 + 100L * i;
      join.event(new PendingEvent(
          new LabelledEvent.Source(0, i, time),
          LabelledEvent.Join.MISSING,
          id,
          key,
          new byte[size - key.length],
          new RecordHeaders()));
      join.taken();
      join.label(i, time, id, new byte[80]);
      join.taken();
    }
    double foreseen = VolumeForecast.bytesWaiting(day);
    assertThat((double) join.bytes()).isBetween(foreseen / 2, foreseen);
    Map<String, byte[]> lasting = new TreeMap<>(state); // what changed last is bounded by the heap
    lasting.keySet().removeIf(each -> each.startsWith("journal/"));
    assertThat(lasting.values().stream().mapToLong(each -> each.length).sum())
        .isLessThan((long) foreseen);
    assertThat(forecast(day).get("state.dir").heldAtMost()).isGreaterThan(2 * foreseen);
  }

  private static VolumeScenario scenarioOfLabels(int size) {
    SottoConfig config = Loads.config(
        "events.format=json",
        "features.numeric.a.field=a",
        "features.numeric.a.min=0",
        "features.numeric.a.max=1",
        "label.field=y",
        "events.labels.topic=labels",
        "events.labels.wait.ms=60000");
    return new VolumeScenario(config.learner(), config.service(), new Load(10, size, 1, 1, 0));
  }

  /** What really goes out: bytes of values, and how many. */
  private static final class Counted implements OutputListener {
    private final Map<String, Long> most = new TreeMap<>();
    private final Map<String, Long> bytes = new TreeMap<>();
    private final Map<String, Long> records = new TreeMap<>();

    private void count(String kind, int length) {
      most.merge(kind, (long) length, Math::max);
      bytes.merge(kind, (long) length, Long::sum);
      records.merge(kind, 1L, Long::sum);
    }

    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      count("ledger", entry.length);
    }

    @Override
    public void snapshot(int partition, String key, byte[] value) {
      count(key.endsWith("/manifest") ? "manifest" : "chunk", value.length);
    }

    @Override
    public void metrics(int partition, String modelId, byte[] value) {
      count("metrics", value.length);
    }
  }

  private static Counted learn(VolumeScenario scenario) {
    return learn(scenario, 1);
  }

  private static Counted learn(VolumeScenario scenario, int partitions) {
    int dimension = scenario.plan().inputs();
    InMemoryRecording.Builder events = InMemoryRecording.of("events");
    byte[] event = ExampleCodec.encodeDense(null, null, new double[dimension], 1, 1);
    for (int i = 0; i < EVENTS; i++) {
      events.add(i % partitions, null, event);
    }
    Counted counted = new Counted();
    new FaultFreeRun(
            scenario.learner(), RecordedInput.of(events.build()), counted, (model, round) -> null)
        .run();
    return counted;
  }

  /** Positions have at most a few digits more in the forecast than in a short run. */
  @Test
  void encodesRecordsAsLongAsTheLearners() {
    VolumeScenario scenario = Loads.scenario(
        "layout=direct",
        "release.every.slots=64",
        "features.dimension=300",
        "metrics.share=0.1",
        "metrics.window.rounds=4");
    Counted real = learn(scenario);
    RecordBytes forecast = new RecordBytes(scenario.learner(), 1, 1000);
    assertThat(real.records.get("ledger")).isEqualTo(EVENTS / 64);
    assertClose(forecast.entryValue(), real.most.get("ledger"));
    assertClose(forecast.manifestValue(), real.most.get("manifest"));
    assertClose(forecast.chunkValue(scenario.plan().dimension()), real.most.get("chunk"));
    assertClose(forecast.metrics() - 61 - 12, real.most.get("metrics"));
  }

  /** Ledger entries and manifests name a range of each partition, heads a place in each. */
  @Test
  void encodesRecordsOfAnOrderAsLongAsTheLearners() {
    int partitions = 12;
    VolumeScenario scenario =
        Loads.scenario(partitions, "layout=ordered", "release.every.slots=4096");
    Counted real = learn(scenario, partitions);
    RecordBytes forecast = new RecordBytes(scenario.learner(), partitions, 1000);
    assertThat(real.records.get("ledger")).isEqualTo(EVENTS / 4096);
    assertThat(real.most.get("ledger"))
        .isBetween(forecast.entryValue() - 16L * partitions, forecast.entryValue());
    assertThat(real.most.get("manifest"))
        .isBetween(forecast.manifestValue() - 16L * partitions, forecast.manifestValue());
    long far = 1L << 39;
    SlotOrder order = new SlotOrder((partition, from, to) -> SlotLog.Reading.nothing());
    for (int i = 0; i < partitions; i++) {
      order.add(far + i, far, new Announcement(i, far, far + 1000));
    }
    order.beginVersion(10);
    PartitionHead head = new PartitionHead(
        far,
        far,
        far,
        far,
        new byte[32],
        "x".repeat(22),
        scenario.learner().modelIds().describe(1),
        far,
        far,
        1,
        "x".repeat(22),
        far,
        order.placeAt(order.end(), true));
    assertThat(head.order().partitions()).hasSize(partitions);
    assertThat((long) Codecs.PARTITION_HEAD.encode(head).length)
        .isBetween(forecast.partitionHeadValue() - 64, forecast.partitionHeadValue());
  }

  private static void assertClose(long forecast, long real) {
    assertThat(forecast).isBetween(real, real + 24 + real / 25);
  }

  /**
   * Real values of a day at 10,000 events a second, in little: one event of 200,000 or less. In the log keys,
   * headers, heads of batches and markers come on top; VolumeIT counts those as well.
   */
  @ParameterizedTest
  @ValueSource(ints = {4, 100, 3000})
  void holdsWhatItForecastsForADay(int dimension) {
    String[] settings = {
      "layout=direct",
      "features.dimension=" + dimension,
      "metrics.share=0.1",
      "metrics.window.rounds=4",
      "release.every.slots=" + Math.max(32, dimension / 32)
    };
    VolumeScenario scenario = Loads.scenario(settings);
    Map<String, TopicVolume> day = forecast(scenario);
    Counted real = learn(scenario);
    double share = EVENTS / (scenario.load().rate() * DAY);
    double ledger = day.get("volume.ledger").bytesPerDay() * share;
    double snapshots = day.get("volume.snapshots").bytesPerDay() * share;
    assertThat(ledger).isBetween(1.0 * real.bytes.get("ledger"), 1.45 * real.bytes.get("ledger"));
    long values = real.bytes.get("chunk") + real.bytes.get("manifest");
    assertThat(snapshots).isBetween(1.0 * values, 1.45 * values);
    assertThat(day.get("volume.metrics").bytesPerDay() * share)
        .isBetween(1.0 * real.bytes.get("metrics"), 1.7 * real.bytes.get("metrics"));
  }

  /** 10,000 events a second: before, 2^16 weights filled 110 GB a day. */
  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 1 << 12, 1 << 16, 1 << 20})
  void boundsSnapshotsByDefault(int dimension) {
    VolumeScenario scenario = Loads.scenario("layout=direct", "features.dimension=" + dimension);
    TopicVolume snapshots = forecast(scenario).get("volume.snapshots");
    assertThat(snapshots.bytesPerDay()).isLessThan(9e9);
    assertThat(snapshots.heldAtMost()).isLessThan(10e9);
    assertThat(scenario.slotsOfVersion())
        .isBetween((long) Math.max(4096, dimension), Math.max(4096, dimension) + 16L);
    if (dimension == 1 << 16) { // the check can fail: so it was before
      VolumeScenario often = Loads.scenario(
          "layout=direct", "features.dimension=" + dimension, "release.every.slots=4096");
      assertThat(forecast(often).get("volume.snapshots").bytesPerDay()).isGreaterThan(110e9);
    }
  }

  @ParameterizedTest
  @EnumSource(Layout.class)
  void saysOfEveryTopicWhatBoundsIt(Layout layout) {
    VolumeScenario scenario = Loads.scenario(
        layout == Layout.DIRECT ? 1 : 4, "layout=" + layout.configName(), "metrics.share=0.1");
    Map<String, TopicVolume> lines = forecast(scenario);
    for (TopicRequirement each :
        Deployment.of(scenario.learner(), scenario.service()).everyTopic()) {
      assertThat(lines).containsKey(each.topic());
    }
    List<String> unbounded = new ArrayList<>();
    lines.values().forEach(each -> {
      assertThat(each.bound()).isNotBlank();
      assertThat(each.bytesPerDay()).isNotNegative();
      if (each.isUnbounded()) {
        assertThat(each.bound()).startsWith("not bounded: ");
        unbounded.add(each.topic());
      }
    });
    assertThat(unbounded).contains("volume.ledger").doesNotContain("volume.snapshots");
    assertThat(TextRenderer.of(VolumeDescription.of(scenario)))
        .contains("volume.ledger", "A version every ");
    assertThat(VolumeDescription.of(scenario).rows()).hasSize(lines.size());
  }

  @Test
  void countsCopiesForARegistryOnceMore() {
    VolumeScenario usual = Loads.scenario("layout=direct");
    VolumeScenario copied =
        Loads.scenario("layout=direct", "published.registry.url=https://registry.example");
    Map<String, TopicVolume> lines = forecast(copied);
    for (String topic : List.of("volume.ledger", "volume.snapshots")) {
      assertThat(lines.get(topic + ".registry").bytesPerDay())
          .isEqualTo(lines.get(topic).bytesPerDay());
    }
    assertThat(lines).hasSize(forecast(usual).size() + 2);
    assertThat(VolumeForecast.bytesOfTransaction(copied))
        .isGreaterThan(VolumeForecast.bytesOfTransaction(usual));
  }

  /** What mechanisms keep, against the state of a real model after 70 rounds. */
  @ParameterizedTest
  @ValueSource(strings = {"blt", "binary-tree", "independent", "laplace"})
  void knowsTheSizeOfAState(String mechanism) {
    Plan plan = Loads.scenario(
            "features.dimension=500",
            "privacy.horizon.rounds=100",
            "privacy.mechanism=" + mechanism)
        .plan();
    ModelLearner learner = ModelLearner.start(plan, NoiseKey.of(new byte[32]), "m", "");
    long prefix = 0;
    long noise = 0;
    for (int round = 1; round <= 70; round++) {
      learner.fillAbsent(plan.batch());
      learner.close();
      ModelState state = learner.state();
      prefix = Math.max(prefix, state.release().prefix().length());
      noise = Math.max(noise, state.release().noise().length());
    }
    StateBytes forecast = StateBytes.of(plan, 70);
    assertThat(forecast.prefix()).isBetween(prefix, 16 * prefix);
    assertThat(forecast.noise() + 80) // the page is sealed
        .isBetween(noise, (long) (1.2 * noise) + 80);
    assertThat(PagedBytes.PAGE_BYTES).isGreaterThan(500); // one page
  }

  /** Measured with a broker: 83.9 MB a version of 2^20 weights under blt (docs/large-models.md). */
  @Test
  void knowsWhatATransactionOfALargeModelWrites() {
    VolumeScenario large = Loads.scenario("layout=direct", "features.dimension=" + (1 << 20));
    assertThat(VolumeForecast.bytesOfTransaction(large)).isBetween(83.9e6, 87e6);
  }

  @Test
  void refusesImpossibleLoads() {
    assertThatThrownBy(() -> new Load(0, 500, 1, 1, 0)).hasMessageContaining("but was 0.0");
    assertThatThrownBy(() -> new Load(1, 500, 0, 1, 0)).hasMessageContaining("were 500, 0, 1, 0");
  }

  /** Those whose ids come with the events lie in RocksDB, with their open rounds. */
  @Test
  void countsModelsByKeyInTheStateFolder() {
    String[] settings = {"layout=direct", "features.dimension=65536", "model.id.source=key"};
    TopicVolume many = forecast(Loads.scenario(12, 10_000, settings)).get("state.dir");
    double one = 4.0 * 65_536 + 56.0 * 65_536 + 8.0 * 65_536; // sums of four bytes, noise, a round
    assertThat(many.heldAtMost()).isBetween(10_000 * one, 4 * 10_000 * one);
    assertThat(many.bound()).contains("models, ", "open round").doesNotContain("in memory");
    TopicVolume alone =
        forecast(Loads.scenario("layout=direct", "features.dimension=65536")).get("state.dir");
    assertThat(alone.heldAtMost()).isLessThan(1e8);
    assertThat(alone.bound()).contains("the models are in memory");
  }

  /** A state of 2^16 weights and its open round, for nearly each event. */
  @Test
  void countsModelsThatGiveWayToOthers() {
    String[] settings = {
      "layout=direct", "features.dimension=65536", "model.id.source=key", "models.heap.mb=512"
    };
    VolumeScenario few = Loads.scenario(1, 50, settings);
    VolumeScenario many = Loads.scenario(1, 1000, settings);
    Evictions evictions = Evictions.of(many);
    assertThat(evictions.room()).isEqualTo(68); // benchmarks/README.md, Many models
    assertThat(evictions.evicted()).isEqualTo(10_000 * DAY * (1 - 0.068));
    assertThat(evictions.states()).isEqualTo(10_000 * DAY / 16);
    assertThat(evictions.noises()).isEqualTo(10_000 * DAY / 16 / 9);
    assertThat(Evictions.of(few).any()).isFalse();
    double written = forecast(many).get("volume-learner-changelog").bytesPerDay();
    assertThat(written).isGreaterThan(evictions.evicted() * 8 * 65_536);
    double kept = forecast(few).get("volume-learner-changelog").bytesPerDay();
    assertThat(kept).isLessThan(written / 100);
    assertThat(forecast(many).get("volume-learner-changelog").bound())
        .contains(" a day are models that give way to others");
    assertThat(TextRenderer.of(VolumeDescription.of(many)))
        .contains("1,000 models (--models), room on the heap for 68");
    assertThat(TextRenderer.of(VolumeDescription.of(few))).doesNotContain("room on the heap");
    String smaller = "noise that is smaller to keep";
    assertThat(evictions.advice())
        .contains(smaller, "privacy.blt.set horizon-2^10x2", "privacy.mechanism binary-tree");
    VolumeScenario tree = Loads.scenario(
        1,
        1000,
        Stream.concat(
                Stream.of(settings),
                Stream.of("privacy.mechanism=binary-tree", "privacy.horizon.rounds=1000"))
            .toArray(String[]::new));
    assertThat(Evictions.of(tree).advice()).doesNotContain(smaller);
  }

  /** Each event is learned by three models, one after the other, and two have room. */
  @Test
  void candidatesThatHaveNoRoomTogetherDriveEachOtherOut() {
    VolumeScenario wide = Loads.scenario(
        1,
        30,
        "layout=direct",
        "model.id.source=key",
        "models.heap.mb=1",
        "features.dimension=10000",
        "ftrl.steps=decreasing",
        "candidates.half.ftrl.steps.multiplier=0.5",
        "candidates.once.ftrl.steps.multiplier=1",
        "candidates.twice.ftrl.steps.multiplier=2");
    assertThat(wide.modelsAtWork()).isEqualTo(2);
    assertThat(Evictions.of(wide).evicted()).isEqualTo(3 * 10_000 * DAY);
  }

  @Test
  void countsHistoriesOfUnits() {
    VolumeScenario scenario = Loads.scenario("layout=direct", "privacy.unit=key", "unit.from=key");
    TopicVolume units = forecast(scenario).get("volume-units-changelog");
    assertThat(units.bytesPerDay()).isGreaterThan(10_000 * DAY * 21);
    assertThat(units.heldAtMost()).isGreaterThan(21e6);
    assertThat(forecast(scenario).get("state.dir").bound()).contains("never forgotten");
  }
}
