package dev.sotto.replay.cluster;

import dev.sotto.replay.recording.Recording;
import dev.sotto.replay.recording.RecordingException;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.Objects;

/**
 * What a run in memory reads.
 *
 * @param events the event topic; with labels beside it, that of what is known at once
 * @param labels the topic of labels that come later; null where the events hold their labels
 * @param order the topic {@code <app>.order}, of layout ordered; null for one that comes about
 */
public record RecordedInput(Recording events, Recording labels, Recording order) {
  public RecordedInput {
    Objects.requireNonNull(events, "events");
    if (labels != null && order != null) {
      throw new RecordingException("an order is one of events with their labels: record "
          + "<app>.labelled and replay that, without a recording of labels");
    }
  }

  /** Events that hold their labels, in an order that comes about. */
  public static RecordedInput of(Recording events) {
    return new RecordedInput(events, null, null);
  }

  /** The same with labels in a recording of their own. */
  public RecordedInput labels(LearnerSettings settings, Recording recorded) {
    if (settings.labels().isEmpty()) {
      throw new RecordingException("the configuration knows no labels that come later: leave the"
          + " recording of " + recorded.header().topic() + " out, or set events.labels.topic");
    }
    return new RecordedInput(events, recorded, order);
  }
}
