package org.example.trips;

import dev.sotto.learner.example.RecordStatus;
import dev.sotto.replay.recording.RecordingOptions;
import dev.sotto.testkit.GoldenFile;
import dev.sotto.testkit.LearnerTestKit;
import dev.sotto.testkit.TestEvent;
import dev.sotto.testkit.TestInput;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What the configuration makes of trips: what each becomes, what is learned, and what it costs. */
class TripsTest {
  private static final LearnerTestKit KIT = LearnerTestKit.of(Path.of("sotto.yaml"));

  /**
   * 400 trips, as {@code ./sotto record} or any text file would hold them; the key is a field of
   * theirs.
   */
  private static final TestInput TRIPS = TestInput.recorded(
      Path.of("src/test/resources/trips.jsonl"),
      RecordingOptions.defaults().withFields("rider", ""));

  private static final String TRIP =
      "{\"at\":\"2026-03-02T06:00:00Z\",\"km\":5,\"plannedMinutes\":20,\"lateMinutes\":6}";

  @Test
  void readsATrip() {
    double norm = Math.sqrt(1 + 1 + 0.25 * 0.25 + 0.25 * 0.25);
    KIT.decode(TestEvent.of(TRIP).key("r1"))
        .assertUsed()
        .assertLabel(0.2)
        .assertFeature(TripDecoder.SIN_HOUR, 1 / norm, 1e-12)
        .assertFeature(TripDecoder.COS_HOUR, 0, 1e-12)
        .assertFeature(TripDecoder.HURRY, 0.25 / norm, 1e-12);
  }

  @Test
  void setsAsideWhatIsNoTrip() {
    KIT.decode(TestEvent.of("trip!").key("r1")).assertDeadLetter(RecordStatus.UNREADABLE);
    KIT.decode(TestEvent.of("{\"km\":5}").key("r1")).assertDeadLetter(RecordStatus.MISSING_FIELD);
    KIT.decode(TestEvent.of(TRIP.replace("2026-03-02T06", "six")).key("r1"))
        .assertDeadLetter(RecordStatus.WRONG_TYPE);
    KIT.decode(TRIP).assertDeadLetter(RecordStatus.MISSING_FIELD); // no key: no rider
  }

  @Test
  void remembersNothing() {
    KIT.assertStateless(TRIPS);
  }

  @Test
  void learnsWithinTheBudget() {
    KIT.learn(TRIPS)
        .assertRounds(20)
        .assertDeadLetters(RecordStatus.MISSING_FIELD, 2)
        .assertDeadLetters(RecordStatus.WRONG_TYPE, 2)
        .assertEpsilonAtMost(2);
  }

  /** What there is to be learned of 400 trips shows without noise to speak of. */
  @Test
  void learnsWhatMakesTripsLate() {
    double untaught = KIT.with("batch.size", 1000).learn(TRIPS).loss(); // no round ever closes
    KIT.with("privacy.epsilon", 1e6).learn(TRIPS).assertLossAtMost(0.6 * untaught);
  }

  /**
   * Any change of configuration, code or Sotto that changes what is learned shows here, and in
   * review.
   */
  @Test
  void learnsWhatTheGoldenFileSays() {
    GoldenFile.of("src/test/golden/trips.golden").assertMatches(KIT.learn(TRIPS));
  }

  /** Crashes, aborted transactions and rebalances change nothing of what is published. */
  @Test
  void publishesTheSameUnderFaults() {
    KIT.faultSchedules(TRIPS).seeds(0, 5).assertSameOutput();
  }
}
