package dev.sotto.replay.play;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TargetRulesTest {
  private static final long NOW = 1_800_000_000_000L;
  private static final long DAY = 86_400_000L;

  private final Map<String, String> topic = new HashMap<>(Map.of(
      "message.timestamp.type", "CreateTime",
      "message.timestamp.before.max.ms", Long.toString(Long.MAX_VALUE),
      "message.timestamp.after.max.ms", "3600000",
      "max.message.bytes", "100",
      "retention.ms", Long.toString(7 * DAY),
      "cleanup.policy", "delete"));

  private List<String> faults(
      boolean arrivalTimes, Map<String, String> clients, RecordingSummary summary) {
    PlaySettings settings = new PlaySettings(
        "copy",
        clients,
        new PlaybackRate.Fastest(),
        PlaySettings.Start.PLAIN,
        arrivalTimes,
        PlaySettings.Bounds.USUAL);
    return TargetRules.faults(settings, 2, topic, summary, NOW);
  }

  private List<String> faults(Made recording) {
    return faults(false, Map.of(), RecordingSummary.of(recording, PlayProgress.NONE));
  }

  private static Made of(long... timestamps) {
    Made recording = Made.of("d", 2);
    for (long each : timestamps) {
      recording.add(1, each, "value");
    }
    return recording;
  }

  @Test
  void findsNothingWrongWithATopicThatFits() {
    assertThat(faults(of(NOW - 6 * DAY, NOW + 3_000_000))).isEmpty();
    assertThat(faults(of())).isEmpty();
    assertThat(faults(of(-1))).isEmpty();
  }

  @Test
  void needsAsManyPartitions() {
    assertThat(faults(Made.of("d", 3)))
        .containsExactly(
            "topic copy has 2 partitions, but the recording names partition 2: records keep their"
                + " partitions."
                + " Play into a topic with at least 3");
  }

  @Test
  void seesWhatWouldBeDeletedAtOnce() {
    assertThat(faults(of(NOW - 8 * DAY)))
        .singleElement()
        .asString()
        .contains("retention.ms=604800000", "2027-01-07", "--arrival-times");
    topic.put("retention.ms", "-1");
    assertThat(faults(of(NOW - 8 * DAY))).isEmpty();
    topic.put("retention.ms", "1000");
    topic.put("cleanup.policy", "compact");
    assertThat(faults(of(NOW - 8 * DAY))).isEmpty();
  }

  @Test
  void seesTimesThatBrokersRefuse() {
    topic.put("message.timestamp.before.max.ms", Long.toString(DAY));
    assertThat(faults(of(NOW - 2 * DAY, NOW + 2 * DAY)))
        .hasSize(2)
        .anySatisfy(each -> assertThat(each).contains("before.max.ms=86400000", "oldest"))
        .anySatisfy(each -> assertThat(each).contains("after.max.ms=3600000", "newest"));
    RecordingSummary summary =
        RecordingSummary.of(of(NOW - 2 * DAY, NOW + 2 * DAY), PlayProgress.NONE);
    assertThat(faults(true, Map.of(), summary)).isEmpty();
  }

  @Test
  void doesNotLoseTimesSilently() {
    topic.put("message.timestamp.type", "LogAppendTime");
    assertThat(faults(of(NOW))).singleElement().asString().contains("LogAppendTime");
    assertThat(faults(true, Map.of(), RecordingSummary.of(of(NOW), PlayProgress.NONE)))
        .isEmpty();
  }

  @Test
  void findsTheRecordThatIsTooLarge() {
    RecordingSummary summary = RecordingSummary.of(
        Made.of("d", 2).add(0, NOW, "small").add(0, NOW, "x".repeat(101)), PlayProgress.NONE);
    assertThat(faults(false, Map.of(), summary))
        .containsExactly(
            "the record at partition 0, offset 12 of the recording is larger than topic copy allows"
                + " (max.message.bytes=100); raise max.message.bytes of the topic");
    assertThat(faults(false, Map.of("compression.type", "zstd"), summary))
        .as("nobody knows yet")
        .isEmpty();
  }
}
