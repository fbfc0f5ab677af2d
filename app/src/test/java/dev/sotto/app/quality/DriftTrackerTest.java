package dev.sotto.app.quality;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.app.view.MetricsText;
import dev.sotto.app.view.RecordDescriptions;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.learner.training.NoisyMetrics;
import dev.sotto.serdes.record.ModelMetrics;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DriftTrackerTest {
  private static ModelMetrics window(String model, int run, long round, double loss) {
    double[] sums = {loss * 100_000, 90_000, 10_000};
    return new ModelMetrics(
        model,
        new byte[] {(byte) run},
        new NoisyMetrics(round, round, 100_000, 2, sums, 30),
        new byte[32]);
  }

  @Test
  void followsEveryModelByItself() {
    DriftTracker tracker = new DriftTracker(10);
    for (int round = 1; round <= 5; round++) {
      tracker.window(window("calm", 1, round, 0.2));
      tracker.window(window("hit", 1, round, round < 4 ? 0.2 : 0.7));
    }
    assertThat(tracker.drifts().get("calm").isAlarm()).isFalse();
    assertThat(tracker.drifts().get("hit").since()).hasValue(4);
    assertThat(tracker.drifts().get("hit").rise()).isBetween(0.9, 1.1);
  }

  @Test
  void passesOverWhatCameBeforeAndBeginsAnewWithARun() {
    DriftTracker tracker = new DriftTracker(10);
    tracker.window(window("m", 1, 1, 0.2));
    assertThat(tracker.drifts()).isEmpty();
    tracker.window(window("m", 1, 1, 0.2)); // read twice
    assertThat(tracker.drifts()).isEmpty();
    tracker.window(window("m", 1, 2, 0.7));
    assertThat(tracker.drifts().get("m").isAlarm()).isTrue();
    tracker.window(window("m", 2, 1, 0.7));
    assertThat(tracker.drifts()).isEmpty();
  }

  @Test
  void keepsToTheFirstModels() {
    DriftTracker tracker = new DriftTracker(1);
    for (int round = 1; round <= 2; round++) {
      tracker.window(window("first", 1, round, 0.2));
      tracker.window(window("second", 1, round, 0.2));
    }
    assertThat(tracker.drifts()).containsOnlyKeys("first");
  }

  @Test
  void isToldInALineAndInJson() {
    DriftTracker tracker = new DriftTracker(1);
    tracker.next(window("m", 1, 1, 0.2));
    var drift = tracker.next(window("m", 1, 2, 0.7));
    assertThat(MetricsText.drift(drift))
        .startsWith(
            "DRIFT ALARM since round 2: the loss rose by 1.0000, and a rise of more than 0.0702")
        .endsWith(" is an alarm");
    assertThat(MetricsText.drift(Optional.empty())).contains("not enough windows");
    assertThat(JsonRenderer.of(RecordDescriptions.drift(drift.get())))
        .startsWith("{\"alarm\":true,\"sinceRound\":2,\"round\":2,\"rise\":0.99");
  }
}
