package dev.sotto.testkit;

import dev.sotto.replay.cluster.FaultRates;
import dev.sotto.replay.cluster.FaultyRun;
import dev.sotto.replay.cluster.RecordedInput;
import dev.sotto.replay.recording.Recording;
import dev.sotto.topology.settings.LateLabels;
import dev.sotto.topology.settings.LearnerSettings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * Events, and labels that come later, as both are appended while a test's time passes. Behind the
 * last of them nothing comes, and what waits is over.
 *
 * <pre>{@code
 * LearnerTestKit.of(Path.of("sotto.yaml"))
 *     .eventsAndLabels()
 *     .event("ad 7", "{\"x\": 0.3}")
 *     .advance(Duration.ofMinutes(5))
 *     .label("ad 7", "{\"y\": 1}")
 *     .learn()
 *     .assertNoDeadLetters();
 * }</pre>
 *
 * <p>Not safe for use by several threads.
 */
public final class EventsAndLabels {
  private final LearnerTestKit kit;
  private final List<TestEvent> events = new ArrayList<>();
  private final List<TestEvent> labels = new ArrayList<>();
  private Instant now = Instant.parse("2024-01-01T00:00:00Z");

  EventsAndLabels(LearnerTestKit kit) {
    this.kit = kit;
  }

  /** The next record of {@code events.topic}, with a key, in partition 0. */
  public EventsAndLabels event(String key, String value) {
    return event(TestEvent.of(value).key(key));
  }

  /** The next record of {@code events.topic}; its time becomes that of the test. */
  public EventsAndLabels event(TestEvent event) {
    events.add(event.timestamp(now));
    return this;
  }

  /** The next record of {@code events.labels.topic}, with a key, in partition 0. */
  public EventsAndLabels label(String key, String value) {
    return label(TestEvent.of(value).key(key));
  }

  /** The next record of {@code events.labels.topic}; its time becomes that of the test. */
  public EventsAndLabels label(TestEvent label) {
    labels.add(label.timestamp(now));
    return this;
  }

  /** Lets time pass. */
  public EventsAndLabels advance(Duration time) {
    if (time.isNegative()) {
      throw new IllegalArgumentException("time must not go back, but by " + time);
    }
    now = now.plus(time);
    return this;
  }

  /** What becomes of each event with its label, in the order in which they are learned from. */
  public List<DecodedEvent> joined() {
    return TestInput.of(join()).list(kit.config().learner().eventTopic()).stream()
        .map(kit::decode)
        .toList();
  }

  /** Learns from all events, each with its label if that came in time. */
  public LearningResult learn() {
    return kit.learn(TestInput.of(join()));
  }

  /** The topic of labelled events. */
  private Recording join() {
    LearnerSettings learner = kit.config().learner();
    LateLabels late = learner
        .labels()
        .orElseThrow(() -> new IllegalStateException(
            "the configuration knows no labels that come later: set events.labels.topic"));
    int partitions = 1 + Math.max(last(events), last(labels));
    FaultyRun run = new FaultyRun(
        learner,
        RecordedInput.of(TestInput.inMemory(late.features(), events, partitions))
            .labels(learner, TestInput.inMemory(late.topic(), labels, partitions)),
        new CollectedOutputs(),
        FaultRates.none(),
        kit.seed());
    run.run();
    return run.labelled();
  }

  private static int last(List<TestEvent> all) {
    return all.stream().mapToInt(TestEvent::partition).max().orElse(0);
  }
}
