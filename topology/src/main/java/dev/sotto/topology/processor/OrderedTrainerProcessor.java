package dev.sotto.topology.processor;

import dev.sotto.topology.log.Announcing;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceReading;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.trainer.PartitionTrainer;
import dev.sotto.topology.trainer.TrainerSettings;
import java.time.Duration;
import java.util.Map;

/** A trainer that reads announcements of events, which it has announced while it runs. */
public final class OrderedTrainerProcessor extends TrainerProcessor {
  /** Slots are announced all the time, so what is left of them is soon taken up again. */
  private static final Duration GO_ON_SOON = Duration.ofMillis(5);

  /** Slots are read in a process call after process call, and Streams commits after several. */
  private static final Duration ONE_READING = Duration.ofMillis(200);

  private Announcing announcing; // null while no order is announced

  public OrderedTrainerProcessor(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    super(settings, source, logs, status);
  }

  @Override
  PartitionTrainer begin(Map<String, Object> config) {
    Duration limit = ReadTimeLimit.of(config);
    SlotLog events = logs.events(
        config, settings.eventTopic(), SourceReading.of(settings, settings.eventTopic()));
    return slotTrainer(
        trainer(null, limit.compareTo(ONE_READING) > 0 ? ONE_READING : limit),
        new PartitionTrainer.Logs(events, ledger(config), sourceLog(config)));
  }

  @Override
  TrainerSettings.Source sourceSettings() {
    TrainerSettings.Source order = super.sourceSettings();
    return new TrainerSettings.Source(
        order.partition(), order.topicId(), order.routing(), source.eventTopicId());
  }

  @Override
  Duration goesOnAfter() {
    return GO_ON_SOON;
  }

  @Override
  void begun(PartitionTrainer trainer) {
    announcing = logs.announce(
        context().appConfigs(),
        Announcing.Topics.of(settings, context().applicationId()),
        trainer.orderPlace());
  }

  @Override
  void check() {
    if (announcing != null) {
      announcing.check();
    }
  }

  @Override
  void ended() {
    if (announcing != null) {
      announcing.close();
      announcing = null;
    }
  }
}
