package dev.sotto.topology.processor;

import dev.sotto.learner.training.GradientQuery;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.topology.encryption.TopicCipher;
import dev.sotto.topology.log.ControlRecords;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.rounds.PointOutput;
import dev.sotto.topology.rounds.RoundsSettings;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.status.LearnerStatus;
import dev.sotto.topology.trainer.PartitionTrainer;
import dev.sotto.topology.trainer.RoundCoordinator;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.streams.processor.api.Record;

/** The trainer that reads the workers' sums, and opens rounds for them. */
public final class CoordinatorProcessor extends TrainerProcessor {
  private RoundCoordinator coordinator;

  public CoordinatorProcessor(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    super(settings, source, logs, status);
  }

  @Override
  PartitionTrainer begin(Map<String, Object> config) {
    RoundsSettings rounds = new RoundsSettings(
        settings.modelIds().name(),
        new RoundSlices(source.genesis().firstSlices(), settings.plan().queriesPerRound()),
        new Opener(settings.controlCipher()));
    coordinator = new RoundCoordinator(
        trainer(source.genesis().keyId(), ReadTimeLimit.of(config)),
        rounds,
        stores(),
        new PartitionTrainer.Logs(sourceLog(config), ledger(config)),
        output());
    return coordinator;
  }

  @Override
  void begun(PartitionTrainer trainer) {
    if (!trainer.hasBegun()) {
      int workers = source.genesis().firstSlices().size();
      status.awaitingSince(
          partition(),
          1,
          IntStream.range(0, workers).boxed().collect(Collectors.toUnmodifiableSet()));
    }
  }

  @Override
  void taken() {
    status.awaiting(partition(), coordinator.round(), coordinator.missing());
  }

  /** Opens rounds for all workers, and has what was done committed: they wait for it. */
  private final class Opener implements PointOutput {
    private final TopicCipher cipher;

    Opener(TopicCipher cipher) {
      this.cipher = cipher;
    }

    @Override
    public void open(GradientQuery query, String keyId) {
      for (ControlRecords.Entry each : ControlRecords.round(query, keyId, cipher)) {
        context()
            .forward(
                new Record<>(each.key(), each.value(), timestamp(), each.headers()),
                Names.TO_CONTROL);
      }
      context().commit();
    }
  }
}
