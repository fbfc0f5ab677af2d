package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventsAndLabelsTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);
  private static final LearnerTestKit KIT = LearnerTestKit.ofText("""
          app.id: clicks
          events.topic: shown
          events.labels.topic: clicked
          events.labels.wait.ms: 600000
          features.numeric.a.field: a
          features.numeric.a.min: 0
          features.numeric.a.max: 1
          label.field: y
          loss: logistic
          clip.norm: 1
          batch.size: 2
          release.every.slots: 2
          privacy.epsilon: 10
          privacy.delta: 1e-6
          """);

  private static EventsAndLabels four(LearnerTestKit kit) {
    return kit.eventsAndLabels()
        .event("one", "{\"a\":0.1}")
        .advance(MINUTE)
        .label("two", "{\"y\":0}") // before its event
        .event("two", "{\"a\":0.2}")
        .event("three", "{\"a\":0.3}")
        .advance(MINUTE.multipliedBy(8))
        .label("one", "{\"y\":1}")
        .advance(MINUTE.multipliedBy(2))
        .label("three", "{\"y\":1}") // a minute after its wait, and 10 after the first
        .event("one", "{\"a\":0.4}"); // of an id that has a slot
  }

  @Test
  void labelsCountWithinTheirTime() {
    List<DecodedEvent> joined = four(KIT).joined();
    assertThat(joined.stream().map(DecodedEvent::status))
        .containsExactly(
            RecordStatus.USED, RecordStatus.USED, RecordStatus.NO_LABEL, RecordStatus.NOT_JOINED);
    assertThat(joined.get(0).label()).isEqualTo(1);
    assertThat(joined.get(1).label()).isEqualTo(0);
  }

  @Test
  void whatWasJoinedIsLearned() {
    LearningResult learned = four(KIT).learn().assertRounds(2);
    assertThat(learned.deadLetters().stream().map(DeadLetterEvent::reason))
        .containsExactly(RecordStatus.NOT_JOINED);
    LearnerTestKit negative = KIT.with("events.labels.missing", "negative");
    assertThat(four(negative).joined().get(2).status()).isEqualTo(RecordStatus.USED);
  }

  /** A label more or less moves no round. */
  @Test
  void withoutLabelsThereAreAsManyRounds() {
    LearningResult learned = KIT.eventsAndLabels()
        .event("one", "{\"a\":0.1}")
        .event("two", "{\"a\":0.1}")
        .learn();
    learned.assertRounds(1).assertNoDeadLetters();
  }

  /** An event that comes every 11 minutes: one that is too large has its turn like any other. */
  @ParameterizedTest
  @CsvSource({"{\"a\":0.1},", "LONG,", "{\"id\":\"one\" broken,", "{\"id\":\"one\"}, LONG"})
  void noContentDecidesWhoseSlotIsWhich(String content, String header) {
    for (LearnerTestKit kit : List.of(KIT, KIT.with("events.labels.id", "id"))) {
      String value = "{\"id\":\"one\",\"a\":0.1,\"x\":\"" + "x".repeat(2 << 20) + "\"}";
      String odd = "\u20ac".repeat(header == null ? 1 : 300_000);
      EventsAndLabels events = kit.eventsAndLabels()
          .event(TestEvent.of(
                  content.replace("LONG", value).replace("{\"a\"", "{\"id\":\"one\",\"a\""))
              .key("one")
              .header(odd, "x"));
      for (int i = 0; i < 6; i++) {
        events.advance(MINUTE.multipliedBy(11)).event("one", "{\"id\":\"one\",\"a\":0.2}");
      }
      List<RecordStatus> joined =
          events.joined().stream().map(DecodedEvent::status).toList();
      assertThat(joined.subList(1, 7))
          .containsExactly(
              RecordStatus.NOT_JOINED,
              RecordStatus.NO_LABEL,
              RecordStatus.NOT_JOINED,
              RecordStatus.NO_LABEL,
              RecordStatus.NOT_JOINED,
              RecordStatus.NO_LABEL);
      boolean large = content.equals("LONG") || header != null;
      assertThat(joined.get(0)).isEqualTo(large ? RecordStatus.TOO_LARGE : RecordStatus.NO_LABEL);
    }
  }

  @Test
  void aConfigurationWithoutLabelsSaysSo() {
    LearnerTestKit usual = LearnerTestKit.ofText("""
        app.id: usual
        events.topic: shown
        features.numeric.a.field: a
        features.numeric.a.min: 0
        features.numeric.a.max: 1
        label.field: y
        loss: logistic
        clip.norm: 1
        batch.size: 2
        privacy.epsilon: 10
        privacy.delta: 1e-6
        """);
    EventsAndLabels none = usual.eventsAndLabels().event("one", "{\"a\":0.1}");
    assertThatThrownBy(none::learn).hasMessageContaining("set events.labels.topic");
    assertThatThrownBy(() -> none.advance(MINUTE.negated())).hasMessageContaining("not go back");
  }
}
