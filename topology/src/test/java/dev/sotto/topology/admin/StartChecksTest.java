package dev.sotto.topology.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.topology.Trial;
import dev.sotto.topology.failure.StartFinding;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class StartChecksTest {
  private static final TopicFacts NONE = new TopicFacts() {
    @Override
    public OptionalInt partitionsOf(String topic) {
      return OptionalInt.empty();
    }

    @Override
    public String topicSetting(String topic, String name) {
      throw new AssertionError("there is no topic");
    }
  };

  /** Whoever types the commands as they stand is not refused for what they made. */
  @Test
  void makesBothTopicsOfLateLabelsWithTheTimesThatTheyNeed() {
    LearnerSettings plain = Trial.settings(Layout.DIRECT, Trial.ONE, Trial.plan(3, 4));
    assertThat(new StartChecks(plain, "b:9092", NONE).events())
        .singleElement()
        .asString()
        .doesNotContain("message.timestamp.type");
    LateLabels labels = new LateLabels(
        "shown",
        "clicked",
        Optional.empty(),
        Duration.ofHours(1),
        Duration.ofSeconds(5),
        OptionalLong.empty());
    StartChecks late = new StartChecks(plain.with(Optional.of(labels)), "b:9092", NONE);
    List<StartFinding> found = List.of(late.events().get(0), late.labels().get(0));
    assertThat(found)
        .extracting(StartFinding::toString)
        .allMatch(each -> each.contains("--config message.timestamp.type=LogAppendTime"));
  }
}
