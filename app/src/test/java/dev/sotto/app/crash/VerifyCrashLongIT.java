package dev.sotto.app.crash;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.training.Plan;
import dev.sotto.replay.recorder.RangeBound;
import dev.sotto.replay.recorder.RecordRequest;
import dev.sotto.replay.recorder.RecordTarget;
import dev.sotto.replay.recorder.Recordings;
import dev.sotto.replay.recorder.TopicRecorder;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.replay.recording.container.Compression;
import dev.sotto.replay.verify.FieldDifference;
import dev.sotto.replay.verify.FirstDifference;
import dev.sotto.replay.verify.PublishedOutputs;
import dev.sotto.replay.verify.PublishedRecordings;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.UnaryOperator;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.CleanupMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * What a learner has published that was killed with SIGKILL over and over comes out of a recording
 * again, bit for bit; and where the recording, the key or the configuration are others, the reason
 * is named.
 */
@Tag("long")
class VerifyCrashLongIT {
  private static EmbeddedBroker broker;

  private static final Map<Layout, CrashHarness> CRASHED = new EnumMap<>(Layout.class);
  private static final Map<Layout, List<ConsumerRecord<byte[], byte[]>>> SOURCES =
      new EnumMap<>(Layout.class);
  private static final Map<String, PublishedOutputs> PUBLISHED = new HashMap<>();

  @TempDir(cleanup = CleanupMode.ON_SUCCESS)
  static Path folder;

  /** All layouts at once: most of the time goes into waiting until the killed are missed. */
  @BeforeAll
  static void crash() throws Exception {
    broker = EmbeddedBroker.start();
    ExecutorService all = Executors.newFixedThreadPool(Layout.values().length);
    List<Future<?>> running = new ArrayList<>();
    for (Layout layout : Layout.values()) {
      CrashHarness crash =
          new CrashHarness(broker, folder, "verify-" + layout.configName(), layout, 2, false, 11);
      CRASHED.put(layout, crash);
      running.add(all.submit(() -> {
        crash.run(3, 0);
        return null;
      }));
    }
    for (Future<?> each : running) {
      each.get();
    }
    all.shutdown();
  }

  @AfterAll
  static void stopBroker() {
    CRASHED.values().forEach(CrashHarness::close);
    broker.close();
  }

  private static Map<String, String> clients() {
    return Map.of("bootstrap.servers", broker.bootstrapServers());
  }

  /**
   * The committed records of what a learner's rounds are made of; a record that is changed to null
   * is left out.
   */
  private static Recording record(
      Layout layout, UnaryOperator<ConsumerRecord<byte[], byte[]>> change) {
    List<ConsumerRecord<byte[], byte[]>> source = SOURCES.computeIfAbsent(layout, each -> {
      List<ConsumerRecord<byte[], byte[]>> all = new ArrayList<>();
      try (CommittedTopic committed =
          new CommittedTopic(clients(), CRASHED.get(each).source())) {
        committed.readToEnd(all::add);
      }
      return all;
    });
    InMemoryRecording.Builder made = InMemoryRecording.of(CRASHED.get(layout).source());
    for (ConsumerRecord<byte[], byte[]> record : source) {
      made.partition(record.partition(), 0);
      ConsumerRecord<byte[], byte[]> now = change.apply(record);
      if (now != null) {
        made.add(
            now.partition(), now.offset(), now.timestamp(), now.key(), now.value(), now.headers());
      }
    }
    if (layout == Layout.ORDERED) { // what is no record at the end is announced with the rest
      made.skip(0, 1_000).skip(1, 1_000);
    }
    return made.build();
  }

  private static Recording record(Layout layout) {
    return record(layout, each -> each);
  }

  private static VerificationResult verify(LearnerSettings settings, Recording recording) {
    PublishedOutputs published = PUBLISHED.computeIfAbsent(
        settings.app(),
        app -> new PublishedRecordings(
            app,
            recorded(Names.ledger(app)),
            Optional.of(recorded(Names.snapshots(app))),
            Optional.empty()));
    return new Verification(settings, recording, published)
        .order(order(settings.layout()))
        .run();
  }

  @ParameterizedTest
  @EnumSource
  void comesOutAgainBitForBit(Layout layout) {
    LearnerSettings settings = CRASHED.get(layout).settings();
    PublishedOutputs published = new PublishedTopics(clients(), settings.app());
    VerificationResult status = new Verification(settings, record(layout), published)
        .order(order(layout))
        .run();
    assertThat(status.outcome()).isEqualTo(Outcome.EQUAL);
    assertThat(status.models()).hasSize(layout == Layout.DIRECT ? 2 : 1).allSatisfy(model -> {
      assertThat(model.rounds().equal())
          .isEqualTo(model.rounds().published())
          .isGreaterThanOrEqualTo(2);
      assertThat(model.versions().equal()).isEqualTo(model.rounds().published());
    });
  }

  /** Recorded into files, from which everything comes: events, ledger and snapshots. */
  @ParameterizedTest
  @EnumSource
  void comesOutOfFilesAgain(Layout layout) {
    CrashHarness crash = CRASHED.get(layout);
    LearnerSettings settings = crash.settings();
    try (Recording events = recorded(crash.source())) {
      VerificationResult status = verify(settings, events);
      assertThat(status.outcome()).isEqualTo(Outcome.EQUAL);
      assertThat(status.models())
          .allSatisfy(model ->
              assertThat(model.versions().equal()).isEqualTo(model.rounds().published()));
    }
  }

  private static Recording order(Layout layout) {
    return CRASHED.get(layout).order().map(VerifyCrashLongIT::recorded).orElse(null);
  }

  private static Recording recorded(String topic) {
    Path file = folder.resolve(topic + ".avro");
    if (!Files.exists(file)) {
      new TopicRecorder(clients())
          .record(
              new RecordRequest(
                  topic, RangeBound.of("earliest"), RangeBound.of("latest"), Set.of()),
              new RecordTarget(file, "", Compression.ZSTANDARD, Encryption.none()),
              (done, most) -> {});
    }
    return Recordings.open(file, RecordingOptions.defaults());
  }

  private static FirstDifference difference(VerificationResult status) {
    assertThat(status.outcome()).isEqualTo(Outcome.DIFFERENT);
    return status.first().orElseThrow().difference().orElseThrow();
  }

  private static List<String> names(FirstDifference difference) {
    return difference.fields().stream().map(FieldDifference::name).toList();
  }

  @ParameterizedTest
  @EnumSource
  void namesAnotherKey(Layout layout) {
    CrashHarness crash = CRASHED.get(layout);
    LearnerSettings settings = crash.settings();
    NoiseKey key = NoiseKey.ofHex("7b".repeat(32));
    FirstDifference difference = difference(verify(settings.with(key), record(layout)));
    assertThat(difference.fields())
        .contains(new FieldDifference("keyId", settings.key().id(), key.id()));
    assertThat(names(difference)).doesNotContain("fingerprint", "ranges");
    assertThat(difference.round()).isOne();
    assertThat(difference.weights()).isPresent();
  }

  @ParameterizedTest
  @EnumSource
  void namesAnotherClipNorm(Layout layout) {
    CrashHarness crash = CRASHED.get(layout);
    LearnerSettings settings = crash.settings();
    Plan plan = settings.plan();
    Plan other = plan.toBuilder().clip(2 * plan.clip()).build();
    LearnerSettings changed = new LearnerSettings(
        settings.app(),
        settings.layout(),
        new LearnerSettings.Events(settings.eventTopic(), settings.modelIds(), settings.decoder()),
        new LearnerSettings.Run(other, settings.key(), settings.label()),
        settings.cadence());
    FirstDifference difference = difference(verify(changed, record(layout)));
    assertThat(difference.fields()).contains(new FieldDifference("clip", "1.0", "2.0"));
    assertThat(names(difference)).contains("fingerprint").doesNotContain("keyId");
  }

  /** Without its first record, and, recorded too late, without its first offset. */
  @ParameterizedTest
  @EnumSource
  void namesAMissingBeginning(Layout layout) {
    CrashHarness crash = CRASHED.get(layout);
    LearnerSettings settings = crash.settings();
    boolean[] dropped = new boolean[1];
    Recording without = record(layout, each -> {
      boolean drop = !dropped[0];
      dropped[0] = true;
      return drop ? null : each;
    });
    FirstDifference difference = difference(verify(settings, without));
    assertThat(names(difference)).doesNotContain("fingerprint", "keyId", "runId");
    assertThat(difference.round()).isOne();
    if (settings.layout()
        == Layout.DIRECT) { // in rounds offsets are slots, in an order many partitions
      assertThat(names(difference)).contains("origin");
    }
    InMemoryRecording.Builder late = InMemoryRecording.of(crash.source());
    late.partition(0, 100_000).partition(1, 100_000);
    VerificationResult status = verify(settings, late.build());
    assertThat(status.outcome()).isEqualTo(Outcome.UNVERIFIABLE);
    assertThat(status.reason()).contains("begins at offset 100000");
  }

  /** One bit of one feature of the first example in the last published round. */
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void namesTheRoundOfAChangedByte(Layout layout) {
    CrashHarness crash = CRASHED.get(layout);
    LearnerSettings settings = crash.settings();
    Map<Long, OffsetRange> rounds = new TreeMap<>();
    for (LedgerEntry entry : crash.ledger(settings.app())) {
      entry.ranges().stream()
          .filter(each -> each.partition() == 0)
          .forEach(each -> rounds.put(entry.round(), each));
    }
    long last = rounds.size();
    boolean[] done = new boolean[1];
    Recording changed = record(layout, each -> {
      if (done[0]
          || each.partition() != 0
          || each.offset() < rounds.get(last).from()
          || each.value().length < 100) {
        return each;
      }
      done[0] = true;
      byte[] value = each.value().clone();
      value[value.length - 40] ^= 1;
      return new ConsumerRecord<>(each.topic(), each.partition(), each.offset(), each.key(), value);
    });
    FirstDifference difference = difference(verify(settings, changed));
    assertThat(difference.round()).isEqualTo(last).isGreaterThan(1);
    assertThat(names(difference)).containsExactly("snapshotDigest");
  }
}
