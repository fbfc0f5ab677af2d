package dev.sotto.topology.processor;

import dev.sotto.topology.log.Logs;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.trainer.PartitionTrainer;
import java.util.Map;

/** A trainer that reads the events of its partition itself. */
public final class DirectTrainerProcessor extends TrainerProcessor {
  public DirectTrainerProcessor(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    super(settings, source, logs, status);
  }

  @Override
  PartitionTrainer begin(Map<String, Object> config) {
    return slotTrainer(
        trainer(null, ReadTimeLimit.of(config)),
        new PartitionTrainer.Logs(sourceLog(config), ledger(config)));
  }

  @Override
  boolean leavesRecords() {
    return true;
  }
}
