package dev.sotto.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.learner.example.RecordStatus;
import org.junit.jupiter.api.Test;
import org.opentest4j.AssertionFailedError;

class OwnDecoderTest {
  private static final LearnerTestKit KIT = LearnerTestKit.ofText("""
      app.id: numbers
      events.topic: numbers
      events.format: numbers
      loss: squared
      clip.norm: 1
      ftrl.steps: decreasing
      batch.size: 2
      release.every.slots: 1
      privacy: {epsilon: 2, delta: 1e-6, horizon.rounds: 100}
      """);

  private static final TestInput EVENTS =
      TestInput.of("0.5 1", "0.25 0", "4 1", "0.5 0", "2 1", "0.125 1");

  @Test
  void learnsThroughADecoderOfOnesOwn() {
    KIT.learn(EVENTS).assertRounds(3).assertNoDeadLetters();
    KIT.with("layout", "direct").learn(EVENTS).assertRounds(3);
  }

  @Test
  void showsWhatItThrew() {
    assertThatThrownBy(() -> KIT.decode("0.5 many").assertUsed())
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("became DECODER_FAILED")
        .hasMessageContaining("NumberFormatException")
        .satisfies(thrown -> assertThat(thrown.getSuppressed()).hasSize(1));
    assertThatThrownBy(() -> KIT.learn("0.5 1", "half 1").assertNoDeadLetters())
        .hasMessageContaining("1 x DECODER_FAILED: the decoder failed on the record")
        .hasMessageContaining("offset 1: half 1 (java.lang.NumberFormatException");
    KIT.decode("0.5 many").assertDeadLetter(RecordStatus.DECODER_FAILED);
    assertThat(KIT.decode("0.5 1").failure()).isEmpty();
  }

  @Test
  void findsADecoderThatRemembers() {
    KIT.assertStateless(EVENTS);
    LearnerTestKit remembering = KIT.with("events.parameters.remembers", true);
    assertThatThrownBy(() -> remembering.assertStateless(EVENTS))
        .isInstanceOf(AssertionFailedError.class)
        .hasMessageContaining("event 5 of 6 must become the same whatever came before it");
    assertThat(remembering.learn(EVENTS).digest())
        .isNotEqualTo(KIT.learn(EVENTS).digest());
  }

  /** After a crash such a decoder says something else, and the learner refuses to publish that. */
  @Test
  void findsItUnderFaultsToo() {
    LearnerTestKit remembering =
        KIT.with("events.parameters.remembers", true).with("layout", "direct");
    assertThatThrownBy(
            () -> remembering.faultSchedules(EVENTS.repeated(10)).seeds(0, 30).assertSameOutput())
        .isInstanceOf(AssertionFailedError.class);
    KIT.with("layout", "direct").faultSchedules(EVENTS.repeated(10)).seeds(0, 5).assertSameOutput();
  }
}
