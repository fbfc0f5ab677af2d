package dev.sotto.replay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.optimizer.Optimizer;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.replay.cluster.FaultFreeRun;
import dev.sotto.replay.cluster.NoiseKeyHistory;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.RecordCursor;
import dev.sotto.replay.recording.RecordedRange;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Announcement;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.testing.Tier;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.streams.processor.api.Record;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ReplayTest {
  /** What a replay publishes. */
  private static final class Heard implements OutputListener {
    final List<LedgerEntry> ledger = new ArrayList<>();
    int letters;

    @Override
    public void ledger(int partition, String modelId, byte[] entry) {
      ledger.add(Codecs.LEDGER.decode(entry));
    }

    @Override
    public void deadLetter(Record<byte[], byte[]> letter) {
      letters++;
    }

    List<String> digests() {
      return ledger.stream().map(each -> hex(each.snapshotDigest())).toList();
    }
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  private static Heard replay(LearnerSettings settings, InMemoryRecording recording, long seed) {
    Heard heard = new Heard();
    new Replay(settings, recording).seed(seed).run(heard);
    return heard;
  }

  /** The pure learner over one partition, record after record. */
  private static List<String> direct(LearnerSettings settings, InMemoryRecording recording) {
    return direct(settings, recording, ModelKeys.of(settings.key()));
  }

  private static List<String> direct(
      LearnerSettings settings, InMemoryRecording recording, ModelKeys keys) {
    ModelLearner learner =
        ModelLearner.start(settings.plan(), keys, "model", settings.runName(), null);
    EventDecoder decoder = settings.decoder().get();
    Slot slot = new Slot(settings.plan().inputs());
    List<String> digests = new ArrayList<>();
    RecordCursor cursor = recording.open(0);
    while (cursor.next()) {
      decoder.decode(cursor.key(), cursor.value(), slot);
      if (learner.fill(slot)) {
        digests.add(digest(learner.close()));
      }
    }
    return digests;
  }

  private static String digest(ClosedRound round) {
    return hex(ModelSnapshot.digest(round.weights(), round.guarantee()));
  }

  /** The pure learner over slices of offsets. */
  private static List<String> rounds(LearnerSettings settings, InMemoryRecording recording) {
    return rounds(settings, recording, ModelKeys.of(settings.key()));
  }

  private static List<String> rounds(
      LearnerSettings settings, InMemoryRecording recording, ModelKeys keys) {
    Plan plan = settings.plan();
    ModelLearner learner = ModelLearner.start(plan, keys, "model", settings.runName(), null);
    EventDecoder decoder = settings.decoder().get();
    Slot slot = new Slot(plan.inputs());
    List<RecordedRange> ranges = recording.header().ranges();
    long slots = plan.batch() / ranges.size();
    long whole = ranges.stream()
        .mapToLong(each -> (each.to() - each.from()) / slots)
        .min()
        .orElseThrow();
    List<String> digests = new ArrayList<>();
    for (long round = 0; round < whole; round++) {
      for (RecordedRange range : ranges) {
        long from = range.from() + round * slots;
        long filled = 0;
        RecordCursor cursor = recording.open(range.partition());
        while (cursor.next()) {
          if (cursor.offset() >= from && cursor.offset() < from + slots) {
            decoder.decode(cursor.key(), cursor.value(), slot);
            learner.fill(slot);
            filled++;
          }
        }
        learner.fillAbsent(slots - filled);
      }
      digests.add(digest(learner.close()));
    }
    return digests;
  }

  @Test
  void learnsFromOnePartitionWhatThePureLearnerDoes() {
    InMemoryRecording recording = Streams.recording(1, 500, 1);
    for (Optimizer optimizer : List.of(Streams.FTRL, Streams.SRGD)) {
      LearnerSettings settings = Streams.settings(Layout.DIRECT, Streams.plan(optimizer, 16));
      List<String> expected = direct(settings, recording);
      assertThat(expected).hasSizeGreaterThan(20);
      assertThat(replay(settings, recording, 0).digests()).isEqualTo(expected);
    }
  }

  static IntStream partitions() {
    return Tier.isLong() ? IntStream.of(1, 2, 3, 4) : IntStream.of(1, 3);
  }

  /** 97 offsets: the last slice of 8 is not whole, and does not close. */
  @ParameterizedTest
  @MethodSource("partitions")
  void learnsOverRoundsWhatThePureLearnerDoes(int partitions) {
    InMemoryRecording recording = Streams.recording(partitions, 97, 2);
    for (Optimizer optimizer : List.of(Streams.FTRL, Streams.SRGD)) {
      LearnerSettings settings =
          Streams.settings(Layout.ROUNDS, Streams.plan(optimizer, 8L * partitions));
      List<String> expected = rounds(settings, recording);
      assertThat(expected).hasSize(12);
      for (long seed = 0; seed < Tier.choose(2, 5); seed++) {
        assertThat(replay(settings, recording, seed).digests()).isEqualTo(expected);
      }
    }
  }

  /** A seed decides the order of layout ordered, and every event is in it once. */
  @Test
  void mixesPartitionsAsTheSeedSays() {
    InMemoryRecording recording = Streams.recording(3, 200, 3);
    long records =
        recording.header().ranges().stream().mapToLong(RecordedRange::records).sum();
    LearnerSettings settings = Streams.settings(Layout.ORDERED, Streams.plan(Streams.FTRL, 16));
    Heard first = replay(settings, recording, 1);
    assertThat(first.ledger).hasSize((int) (records / 16));
    assertThat(replay(settings, recording, 1).digests()).isEqualTo(first.digests());
    assertThat(replay(settings, recording, 2).digests()).isNotEqualTo(first.digests());
  }

  /** Slots for which the trainer has not the time at a stretch are all learned. */
  @Test
  void readsOnWhereSlotsOfOneAnnouncementTakeLong() {
    InMemoryRecording recording = Streams.recording(2, Tier.choose(350, 1400), 3);
    LearnerSettings settings =
        Streams.settings(Layout.ORDERED, Streams.plan(Streams.FTRL, Tier.choose(512, 2048)));
    Heard first = replay(settings, recording, 0);
    assertThat(first.ledger).hasSize(1);
    Heard inPieces = new Heard();
    new FaultFreeRun(settings, RecordedInput.of(recording), inPieces, (model, round) -> null)
        .readLimit(7)
        .run();
    assertThat(inPieces.digests()).isEqualTo(first.digests());
  }

  /** Nothing behind what is missing has its turn; the replay ends all the same. */
  @Test
  @Timeout(300)
  void endsWhereTheRecordedOrderGoesOnLongerThanTheEvents() {
    InMemoryRecording events = Streams.recording(2, 200, 3);
    LearnerSettings settings = Streams.settings(Layout.ORDERED, Streams.plan(Streams.FTRL, 16));
    InMemoryRecording.Builder order = InMemoryRecording.of("trial.order").partition(0, 0);
    for (Announcement each : List.of(
        new Announcement(0, 0, 100),
        new Announcement(1, 5, 90),
        new Announcement(0, 0, 400),
        new Announcement(1, 5, 205))) {
      order.add(0, null, Codecs.ANNOUNCEMENT.encode(each));
    }
    Heard heard = new Heard();
    new Replay(settings, events).order(order.build()).run(heard);
    long whole = Stream.of(0, 1)
        .mapToLong(partition -> {
          long slots = 0;
          RecordCursor cursor = events.open(partition);
          while (cursor.next()) {
            slots += partition == 0 || cursor.offset() < 90 ? 1 : 0;
          }
          return slots;
        })
        .sum();
    assertThat(heard.ledger).hasSize((int) (whole / 16));
  }

  @Test
  void setsAsideWhatCannotBeRead() {
    InMemoryRecording recording = Streams.recording(2, 200, 4);
    long unusable = 0;
    Slot slot = new Slot(Streams.DIMENSION);
    for (Layout layout : List.of(Layout.ORDERED, Layout.ROUNDS)) {
      LearnerSettings settings = Streams.settings(layout, Streams.plan(Streams.FTRL, 16));
      EventDecoder decoder = settings.decoder().get();
      unusable = 0;
      for (int partition = 0; partition < 2; partition++) {
        RecordCursor cursor = recording.open(partition);
        while (cursor.next()) {
          unusable +=
              decoder.decode(cursor.key(), cursor.value(), slot) == RecordStatus.USED ? 0 : 1;
        }
      }
      assertThat(replay(settings, recording, 0).letters).isEqualTo((int) unusable);
    }
    assertThat(unusable).isGreaterThan(10);
  }

  @Test
  void learnsOneModelAPartition() {
    InMemoryRecording recording = Streams.recording(3, 100, 5);
    ModelIdRule ids = new ModelIdRule(ModelIdRule.Source.PARTITION, "m");
    LearnerSettings settings = Streams.settings(Layout.DIRECT, Streams.plan(Streams.FTRL, 10), ids);
    ProgressiveScores progressive = new ProgressiveScores();
    Replay.Result result =
        new Replay(settings, recording).scored(progressive).run(new OutputListener() {});
    assertThat(result.newest()).containsOnlyKeys("m-0", "m-1", "m-2");
    assertThat(result.rounds()).isGreaterThan(20);
    assertThat(progressive.point().rounds()).isEqualTo(result.rounds());
    assertThat(progressive.point().publishedLoss())
        .isEqualTo(progressive.point().loss());
  }

  /** What readers have is older than what the learner has, where a version has several rounds. */
  @Test
  void scoresUnderTheNewestRoundAndUnderTheNewestVersion() {
    InMemoryRecording recording = Streams.recording(1, 400, 5);
    Plan everyRound = Streams.plan(Streams.FTRL, 10);
    ProgressiveScores.Point often = scores(everyRound, recording);
    assertThat(often.publishedLoss()).isEqualTo(often.loss());
    VersionSchedule seldom = new VersionSchedule(100, 0);
    ProgressiveScores.Point rarely =
        scores(everyRound.toBuilder().versions(seldom).build(), recording);
    assertThat(rarely.publishedLoss()).isNotEqualTo(rarely.loss());
    VersionSchedule never = new VersionSchedule(1_000, 0);
    ProgressiveScores.Point unpublished =
        scores(everyRound.toBuilder().versions(never).build(), recording);
    assertThat(unpublished.publishedLoss()).isCloseTo(Math.log(2), within(1e-12));
    assertThat(unpublished.loss())
        .as("some hundredths away, to either side, so within this by chance in one of 1e7 draws")
        .isNotCloseTo(Math.log(2), within(1e-9));
  }

  private static ProgressiveScores.Point scores(Plan plan, InMemoryRecording recording) {
    ProgressiveScores scores = new ProgressiveScores();
    new Replay(Streams.settings(Layout.DIRECT, plan), recording)
        .scored(scores)
        .run(new OutputListener() {});
    return scores.point();
  }

  /** Scored by the version before: the same figures as by hand. */
  @Test
  void scoresBeforeItLearns() {
    InMemoryRecording recording = Streams.recording(1, 400, 6);
    Plan plan = Streams.plan(Streams.FTRL, 16);
    LearnerSettings settings = Streams.settings(Layout.DIRECT, plan);
    List<ProgressiveScores.Point> points = new ArrayList<>();
    ProgressiveScores scores = new ProgressiveScores(100, points::add);
    new Replay(settings, recording).scored(scores).run(new OutputListener() {});

    ModelLearner learner =
        ModelLearner.start(plan, ModelKeys.of(settings.key()), "model", settings.runName(), null);
    EventDecoder decoder = settings.decoder().get();
    Slot slot = new Slot(plan.inputs());
    double loss = 0;
    int right = 0;
    int count = 0;
    int slots = 0;
    RecordCursor cursor = recording.open(0);
    while (cursor.next()) {
      slots++;
      if (decoder.decode(cursor.key(), cursor.value(), slot) == RecordStatus.USED) {
        double score = slot.example().dot(learner.weights());
        double label = slot.example().label();
        loss += Math.log1p(Math.exp(label == 1 ? -score : score));
        right += (score >= 0) == (label == 1) ? 1 : 0;
        count++;
      }
      if (learner.fill(slot)) {
        learner.close();
      }
    }
    ProgressiveScores.Point last = points.get(points.size() - 1);
    assertThat(last.examples()).isEqualTo(count).isGreaterThan(300);
    assertThat(scores.hindsight().contributed()).isEqualTo(count);
    assertThat(scores.hindsight().filled()).isEqualTo(slots);
    assertThat(
            scores.hindsight().empty().values().stream().mapToLong(each -> each).sum())
        .isEqualTo(slots - count);
    assertThat(points).hasSize((count + 99) / 100);
    assertThat(last.loss()).isCloseTo(loss / count, within(1e-12));
    assertThat(last.accuracy()).isEqualTo((double) right / count);
    assertThat(last.rounds()).isEqualTo(learner.round());
    assertThat(last.epsilon()).isEqualTo(plan.guarantee(learner.round()).epsilon());
  }

  /**
   * A run whose key was rotated after round 7 comes out as it was, if its ledger says so and both
   * keys are there.
   */
  @Test
  void drawsTheNoiseOfEveryRoundFromTheKeyItWasPublishedUnder() {
    NoiseKey first = NoiseKey.of(new byte[32]);
    byte[] other = new byte[32];
    other[0] = 1;
    NoiseKey second = NoiseKey.of(other).withEarlier(List.of(first));
    NoiseKeyHistory history = (model, round) -> round > 7 ? null : first.id();
    ModelKeys keys =
        new ModelKeys(second, first.id(), round -> round > 7 ? second.id() : first.id());
    for (Layout layout : List.of(Layout.DIRECT, Layout.ROUNDS)) {
      int partitions = layout == Layout.DIRECT ? 1 : 2;
      InMemoryRecording recording = Streams.recording(partitions, 200, 9);
      LearnerSettings old = Streams.settings(layout, Streams.plan(Streams.FTRL, 8L * partitions));
      LearnerSettings settings = old.with(second);
      List<String> expected = layout == Layout.DIRECT
          ? direct(settings, recording, keys)
          : rounds(settings, recording, keys);
      Heard heard = new Heard();
      new Replay(settings, recording).keys(history).run(heard);
      assertThat(heard.digests()).isEqualTo(expected).hasSizeGreaterThan(15);
      assertThat(heard.ledger.get(6).keyId()).isEqualTo(first.id());
      assertThat(heard.ledger.get(7).keyId()).isEqualTo(second.id());
      assertThat(replay(settings, recording, 0).digests()).isNotEqualTo(expected);
      LearnerSettings without = old.with(NoiseKey.of(other));
      assertThatThrownBy(
              () -> new Replay(without, recording).keys(history).run(new OutputListener() {}))
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContaining(first.id());
    }
  }

  /** What tasks tell each other is no event. */
  @Test
  void countsEventsAlone() {
    for (Layout layout : Layout.values()) {
      int partitions = layout == Layout.DIRECT ? 1 : 3;
      LearnerSettings settings = Streams.settings(layout, Streams.plan(Streams.FTRL, 12));
      InMemoryRecording recording = Streams.recording(partitions, Tier.choose(150, 400), 7);
      long recorded =
          recording.header().ranges().stream().mapToLong(RecordedRange::records).sum();
      Replay whole = new Replay(settings, recording);
      assertThat(whole.run(new OutputListener() {}).events()).as("%s", layout).isEqualTo(recorded);
      ProgressiveScores scores = new ProgressiveScores();
      Replay some = new Replay(settings, recording).limit(100).scored(scores);
      Replay.Result result = some.run(new OutputListener() {});
      assertThat(result.events()).as("%s", layout).isEqualTo(100);
      assertThat(scores.point().examples() + result.deadLetters())
          .as("%s", layout)
          .isEqualTo(100);
    }
  }

  /** What a limit leaves in the order is still learned. */
  @Test
  void learnsFromAllEventsUpToALimit() {
    LearnerSettings settings = Streams.settings(Layout.ORDERED, Streams.plan(Streams.FTRL, 10));
    ProgressiveScores scores = new ProgressiveScores();
    int limit = Tier.choose(1_000, 5_000);
    Replay.Result result = new Replay(settings, Streams.recording(1, limit * 3 / 2, 7))
        .limit(limit)
        .scored(scores)
        .run(new OutputListener() {});
    assertThat(scores.point().examples() + result.deadLetters()).isEqualTo(limit);
    assertThat(result.rounds()).isEqualTo(limit / 10);
  }

  @Test
  void endsWhereItIsToldTo() {
    LearnerSettings settings = Streams.settings(Layout.DIRECT, Streams.plan(Streams.FTRL, 10));
    Replay.Result result =
        new Replay(settings, Streams.recording(1, 400, 7)).limit(105).run(new OutputListener() {});
    assertThat(result.events()).isEqualTo(105);
    assertThat(result.rounds()).isEqualTo(10);
  }

  @Test
  void refusesWhatDoesNotFit() {
    LearnerSettings direct = Streams.settings(Layout.DIRECT, Streams.plan(Streams.FTRL, 10));
    assertThatThrownBy(
            () -> new Replay(direct, Streams.recording(2, 10, 8)).run(new OutputListener() {}))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("the recording has 2 partitions")
        .hasMessageContaining("set layout: ordered");
    LearnerSettings rounds = Streams.settings(Layout.ROUNDS, Streams.plan(Streams.FTRL, 10));
    assertThatThrownBy(
            () -> new Replay(rounds, Streams.recording(3, 10, 8)).run(new OutputListener() {}))
        .isInstanceOf(SottoException.class)
        .hasMessageContaining("the recording has 3 partitions")
        .hasMessageContaining("set batch.size to a multiple of 3");
  }
}
