package dev.sotto.topology.layout;

import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.processor.DirectTrainerProcessor;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import java.util.List;
import java.util.Map;

/** One trainer for each partition of the events. */
final class DirectTopology extends LayoutTopology {
  @Override
  public Map<String, BatchRule> batched(LearnerSettings settings, SourceTopics source) {
    return Map.of(settings.eventTopic(), BatchRule.ANY);
  }

  @Override
  public List<Subtopology> parts(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    return List.of(new TrainerPart(settings, source)
        .of(
            Names.EVENTS,
            () -> new DirectTrainerProcessor(settings, source, logs, status),
            Subtopology.Output.letters(settings)));
  }
}
