package dev.sotto.app.init;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.ObjectiveSettings;
import dev.sotto.serdes.event.EventKeys;

/** The dimension and the loss of ready-made examples. */
final class ReadyMadeSection {
  private final SampledEvents events;
  private final ConfigLines lines;

  ReadyMadeSection(SampledEvents events, ConfigLines lines) {
    this.events = events;
    this.lines = lines;
  }

  void write() {
    lines.comment("Ready-made examples: index 1 of a line is coordinate 0.");
    if (events.sample().isPublic()) {
      lines.setting(EventKeys.DIMENSION, events.largestIndex(), "the largest index of the sample");
    } else {
      lines.toDo(EventKeys.DIMENSION, "the largest index that can occur");
    }
    if (events.hasLabelsBySign()) {
      lines.setting(ObjectiveSettings.LOSS, Losses.LOGISTIC.configName(), "labels are 0 and 1");
    } else {
      lines.toDo(ObjectiveSettings.LOSS, "squared for numbers, softmax for classes from 0");
    }
  }
}
