package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Candidates;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.event.JsonEventDecoder;
import dev.sotto.serdes.event.LabelledDecoder;
import dev.sotto.serdes.event.MissingLabel;
import dev.sotto.serdes.feature.FeatureMap;
import dev.sotto.serdes.feature.LabelRule;
import dev.sotto.serdes.feature.Transform;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.Cadence;
import dev.sotto.topology.settings.CandidateModels;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.RoundObserver;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A replay is a function of its inputs: all that it publishes and all figures, digit by digit, are
 * the same on a machine on which no time passes and on one that is so slow that every reading is cut
 * short for a commit.
 */
class ReplayClockTest {
  private static final FeatureMap FIELDS = FeatureMap.builder()
      .bias(true)
      .numeric("a", "a", -1, 1, Transform.IDENTITY, false)
      .numeric("b", "b", -1, 1, Transform.IDENTITY, false)
      .numeric("c", "c", -1, 1, Transform.IDENTITY, true)
      .label("y", new LabelRule.AsItIs())
      .build();
  private static final int EVENTS = 720;

  /** What is learned from. */
  enum Learned {
    DIRECT(Layout.DIRECT, 1),
    DIRECT_MODELS(Layout.DIRECT, 3),
    DIRECT_LABELS(Layout.DIRECT, 1),
    DIRECT_CANDIDATES(Layout.DIRECT, 1),
    ORDERED(Layout.ORDERED, 3),
    ORDERED_AS_RECORDED(Layout.ORDERED, 3),
    ORDERED_LABELS(Layout.ORDERED, 2),
    ORDERED_CANDIDATES(Layout.ORDERED, 2),
    ROUNDS(Layout.ROUNDS, 3);

    private final Layout layout;
    private final int partitions;

    Learned(Layout layout, int partitions) {
      this.layout = layout;
      this.partitions = partitions;
    }

    private boolean hasLabels() {
      return this == DIRECT_LABELS || this == ORDERED_LABELS;
    }

    private boolean hasCandidates() {
      return this == DIRECT_CANDIDATES || this == ORDERED_CANDIDATES;
    }

    private Plan plan(double step) {
      return Streams.plan(
              new PrivateFtrl(
                  new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(step)),
              12)
          .toBuilder()
          .versions(new VersionSchedule(48, 0))
          .candidates(hasCandidates() ? Candidates.of(2) : Candidates.ALONE)
          .build();
    }

    private CandidateModels models() {
      return hasCandidates()
          ? new CandidateModels(List.of(
              new CandidateModels.One("a", plan(1)), new CandidateModels.One("b", plan(0.5))))
          : CandidateModels.of(plan(1));
    }

    private LearnerSettings settings() {
      ModelIdRule ids = this == DIRECT_MODELS
          ? new ModelIdRule(ModelIdRule.Source.PARTITION, "m")
          : new ModelIdRule(ModelIdRule.Source.CONSTANT, "model");
      CandidateModels models = models();
      LearnerSettings settings = new LearnerSettings(
          "trial",
          layout,
          new LearnerSettings.Events(
              Streams.EVENTS,
              ids,
              models.all().stream()
                  .<Supplier<EventDecoder>>map(each -> this::decoder)
                  .toList(),
              Optional.empty(),
              Optional.empty()),
          new LearnerSettings.Run(
              models, NoiseKey.of(new byte[32]), "1", RoundObserver.NONE, Optional.empty()),
          Cadence.everyVersion());
      return settings.with(Optional.of(new LateLabels(
              Streams.EVENTS,
              "labels",
              Optional.empty(),
              Duration.ofMillis(40),
              Duration.ZERO,
              OptionalLong.empty()))
          .filter(each -> hasLabels()));
    }

    private EventDecoder decoder() {
      return hasLabels()
          ? new LabelledDecoder(
              FIELDS,
              new JsonEventDecoder(FIELDS),
              new JsonEventDecoder(FIELDS),
              MissingLabel.NEGATIVE)
          : new ExampleCodec(Streams.DIMENSION, 1 << 20, UnitSource.NONE);
    }

    private Recording events() {
      return hasLabels()
          ? joined(Streams.EVENTS, 0)
          : Streams.recording(partitions, EVENTS / partitions, 3);
    }

    /** Events, or two in three of their labels, in JSON under a key each. */
    private Recording joined(String topic, int late) {
      Random random = Seed.random(4);
      InMemoryRecording.Builder made = InMemoryRecording.of(topic).topicId(topic + "-id");
      for (int i = 0; i < EVENTS; i++) {
        double a = 2 * random.nextDouble() - 1;
        String json = late == 0
            ? "{\"a\":" + a + ",\"b\":0.5}"
            : "{\"y\":" + (random.nextDouble() < 0.5 + a / 2 ? 1 : 0) + "}";
        byte[] id = ("id-" + i).getBytes(StandardCharsets.UTF_8);
        byte[] value = json.getBytes(StandardCharsets.UTF_8);
        if (late == 0 || i % 3 > 0) {
          made.add(i % partitions, i, 1_000 + 9L * i + late, id, value, new RecordHeaders());
        }
      }
      return made.build();
    }
  }

  /** All that a replay gives, kind by kind. */
  private static final class Heard implements OutputListener {
    private final List<String> ledger = new ArrayList<>();
    private final List<String> snapshots = new ArrayList<>();
    private final List<String> letters = new ArrayList<>();
    private final List<Long> times = new ArrayList<>(); // of the letters, as Kafka's records
    private final List<String> figures = new ArrayList<>();

    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      ledger.add(partition + " " + modelId + " " + hex(entry));
    }

    @Override
    public void snapshot(int partition, String key, byte[] value) {
      snapshots.add(partition + " " + key + " " + hex(value));
    }

    @Override
    public void deadLetter(Record<byte[], byte[]> letter) {
      times.add(letter.timestamp());
      StringBuilder text = new StringBuilder(hex(letter.value()));
      for (Header each : letter.headers()) {
        text.append(' ').append(each.key()).append('=').append(hex(each.value()));
      }
      letters.add(text.toString());
    }

    private static String hex(byte[] bytes) {
      return bytes == null ? "null" : HexFormat.of().formatHex(bytes);
    }
  }

  private static Heard replay(Learned learned, Recording order, LongSupplier clock) {
    Heard heard = new Heard();
    ProgressiveScores scores = new ProgressiveScores(7, each -> heard.figures.add("" + each));
    Replay replay = new Replay(learned.settings(), learned.events()).seed(5).scored(scores);
    if (learned.hasLabels()) {
      replay.labels(learned.joined("labels", 20));
    }
    if (order != null) {
      replay.order(order);
    }
    Replay.Result result = replay.clock(clock).run(heard);
    heard.figures.add(scores.candidates() + " " + scores.hindsight() + " " + result.events() + " "
        + result.reasons() + " " + result.newest().keySet());
    return heard;
  }

  /** An order that came about under crashes, with announcements of its own. */
  private static Recording order(Learned learned) {
    FaultyRun run = new FaultyRun(
        learned.settings(),
        RecordedInput.of(learned.events()),
        new OutputListener() {},
        FaultRates.many(1),
        1);
    run.run();
    return run.order();
  }

  @ParameterizedTest
  @EnumSource(Learned.class)
  void givesTheSameWhateverTheClock(Learned learned) {
    Recording order = learned == Learned.ORDERED_AS_RECORDED ? order(learned) : null;
    Heard still = replay(learned, order, () -> 0);
    int times = 0;
    AtomicLong slow = new AtomicLong();
    AtomicLong fast = new AtomicLong();
    for (LongSupplier clock : List.<LongSupplier>of(
        () -> 0,
        () -> slow.addAndGet(1_000),
        () -> fast.addAndGet(Duration.ofMinutes(1).toNanos()))) {
      Heard again = replay(learned, order, clock);
      if (times++ == 0) {
        assertThat(again.times).as("of the same clock").isEqualTo(still.times);
      }
      assertThat(again.figures).isEqualTo(still.figures);
      assertThat(again.ledger).isEqualTo(still.ledger);
      assertThat(again.snapshots).isEqualTo(still.snapshots);
      assertThat(again.letters).isEqualTo(still.letters);
    }
    assertThat(still.ledger).hasSizeGreaterThan(10);
    assertThat(still.figures).hasSizeGreaterThan(50);
  }

  /** The twin: whoever reads looks at the clock, and stops. */
  @Test
  void looksAtTheClockThatItIsGiven() {
    AtomicLong asked = new AtomicLong();
    replay(Learned.ORDERED, null, asked::incrementAndGet);
    assertThat(asked).hasValueGreaterThan(100);
  }
}
