package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.replay.Replay;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Random;
import org.apache.kafka.common.header.internals.RecordHeaders;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Labels that come later, under crashes, aborted transactions and rebalances. */
class LateLabelsTest {
  @TempDir
  Path folder;

  /** Schedules of each case. */
  int each() {
    return 4;
  }

  /** In every schedule the same labelled events, and what is learned from them. */
  @ParameterizedTest
  @CsvSource({
    "direct, 1, 'events.labels.missing=empty'",
    "direct, 2, 'model.id.source=partition'",
    "direct, 1, 'events.labels.missing=negative privacy.unit=key unit.from=field unit.field=user"
        + " privacy.mechanism=independent'",
    "ordered, 3, 'events.labels.missing=negative'",
  })
  void publishTheSameBytes(String layout, int partitions, String more) {
    LearnerSettings settings = Learners.ofLateLabels(
        folder,
        Learners.and(more.split(" "), "layout=" + layout, "batch.size=6", "release.every.slots=1"));
    List<Recording> two = made(partitions, 90, 5);
    FaultSchedules.Summary summary = FaultSchedules.of(settings, two.get(0))
        .labels(two.get(1))
        .seeds(Seed.of(7), each())
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(4);
    assertThat(summary.crashes()).isGreaterThanOrEqualTo(Math.max(0, each() - 20));
  }

  /** The same of a fault behind every single record. */
  @Test
  void surviveEachFault() {
    LearnerSettings settings =
        Learners.ofLateLabels(folder, "layout=direct", "batch.size=4", "release.every.slots=1");
    List<Recording> two = made(1, 14, 3);
    FaultSchedules.Summary summary =
        FaultSchedules.of(settings, two.get(0)).labels(two.get(1)).assertSameOutputForEachFault();
    assertThat(summary.schedules()).isGreaterThan(60);
    assertThat(summary.rounds()).isGreaterThan(1);
  }

  /** And of events with more than fits, or with odd headers, among those of the same ids. */
  @Test
  void surviveFaultsAroundWhatIsTooLarge() {
    LearnerSettings settings =
        Learners.ofLateLabels(folder, "layout=direct", "batch.size=4", "release.every.slots=1");
    InMemoryRecording.Builder features = InMemoryRecording.of("arrivals").topicId("topic-id");
    InMemoryRecording.Builder labels = InMemoryRecording.of("outcomes");
    features.partition(0, 0);
    labels.partition(0, 0);
    for (int i = 0; i < 16; i++) {
      String rest = i % 5 == 2 ? ",\"x\":\"" + "x".repeat(700_000) + "\"}" : "}";
      RecordHeaders headers = new RecordHeaders();
      if (i % 5 == 3) {
        headers.add("\u20ac".repeat(250_000), null);
      }
      String id = "{\"id\":\"" + i % 2 + "\"";
      String value = id + ",\"a\":0." + i + ",\"b\":0.1" + rest;
      features.add(0, i, 1_000 + 44 * i, null, bytes(value), headers);
      labels.add(0, i, 1_000 + 44 * i, null, bytes(id + ",\"y\":1}"), new RecordHeaders());
    }
    FaultSchedules.Summary summary = FaultSchedules.of(settings, features.build())
        .labels(labels.build())
        .seeds(3, 12)
        .assertSameOutput();
    assertThat(summary.rounds()).isGreaterThan(1);
    assertThat(summary.crashes()).isGreaterThan(3);
  }

  /** A round is made of as many records as without labels, whichever labels come. */
  @Test
  void labelsDecideNoRound() {
    LearnerSettings settings =
        Learners.ofLateLabels(folder, "layout=direct", "batch.size=6", "release.every.slots=1");
    List<Recording> two = made(1, 90, 5);
    long records = two.get(0).header().ranges().get(0).records();
    long rounds = new Replay(settings, two.get(0))
        .labels(two.get(1))
        .run(new PublishedBytes())
        .rounds();
    Recording none = InMemoryRecording.of("outcomes").partition(0, 0).build();
    long without =
        new Replay(settings, two.get(0)).labels(none).run(new PublishedBytes()).rounds();
    assertThat(rounds).isEqualTo(records / 6);
    assertThat(without).isEqualTo(rounds);
  }

  @Test
  void recordingsThatDoNotGoTogetherAreRefused() {
    List<Recording> two = made(1, 5, 3);
    LearnerSettings usual = Learners.of(folder);
    assertThatThrownBy(
            () -> new Replay(usual, two.get(0)).labels(two.get(1)).run(new PublishedBytes()))
        .isInstanceOf(RecordingException.class)
        .hasMessageContaining("set events.labels.topic");
    LearnerSettings late = Learners.ofLateLabels(folder, "layout=ordered");
    assertThatThrownBy(() ->
            new Replay(late, made(2, 5, 3).get(0)).labels(two.get(1)).run(new PublishedBytes()))
        .hasMessageContaining("the recording of labels lacks partition 1");
  }

  /**
   * Events about every 2 ms; labels from 10 ms before to 60 ms after theirs, so that some are late;
   * ids that come again, labels without events, records without ids, and two labels of one event.
   */
  private static List<Recording> made(int partitions, int events, long seed) {
    Random random = Seed.random(seed);
    InMemoryRecording.Builder features = InMemoryRecording.of("arrivals").topicId("topic-id");
    InMemoryRecording.Builder labels = InMemoryRecording.of("outcomes");
    for (int partition = 0; partition < partitions; partition++) {
      features.partition(partition, 0);
      labels.partition(partition, 2);
      var later = new PriorityQueue<Label>(Comparator.comparingLong(Label::time));
      for (int i = 0; i < events; i++) {
        long time = 1_000 + 2L * i + random.nextInt(2);
        String id = random.nextInt(9) == 0 ? "again-" + random.nextInt(3) : partition + "-" + i;
        String text = random.nextInt(12) == 0
            ? "{}"
            : "{\"id\":\"" + id + "\",\"user\":\"u" + random.nextInt(7) + "\",\"a\":"
                + random.nextDouble() + ",\"b\":" + random.nextDouble() + "}";
        features.add(partition, i + i / 7, time, bytes(id), bytes(text), new RecordHeaders());
        for (int labelled = random.nextInt(6); labelled > 3 || labelled == 1; labelled--) {
          String y = "{\"id\":\"" + id + "\",\"y\":" + random.nextInt(2) + "}";
          later.add(new Label(time - 10 + random.nextInt(70), id, y));
        }
        if (random.nextInt(10) == 0) {
          later.add(new Label(time, "nobody", "{\"id\":\"nobody-" + i + "\",\"y\":1}"));
          later.add(new Label(time, "broken", random.nextBoolean() ? null : "{\"y\":"));
        }
      }
      long offset = 2;
      while (!later.isEmpty()) {
        Label next = later.remove();
        labels.add(
            partition,
            offset,
            next.time(),
            bytes(next.id()),
            next.text() == null ? null : bytes(next.text()),
            new RecordHeaders());
        offset += 1 + random.nextInt(2);
      }
    }
    return List.of(features.build(), labels.build());
  }

  private record Label(long time, String id, String text) {}

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }
}
