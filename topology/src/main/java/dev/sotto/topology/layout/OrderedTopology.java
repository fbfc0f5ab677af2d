package dev.sotto.topology.layout;

import dev.sotto.topology.log.Logs;
import dev.sotto.topology.processor.OrderedTrainerProcessor;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicRequirement.Access;
import dev.sotto.topology.settings.TopicRequirement.Count;
import dev.sotto.topology.settings.TopicRequirement.Party;
import dev.sotto.topology.settings.TopicSettings;
import dev.sotto.topology.status.LearnerStatus;
import java.util.List;
import java.util.Properties;
import org.apache.kafka.streams.StreamsConfig;

/**
 * One trainer, which reads announcements of the events of all partitions; who announces them runs
 * beside it, on a thread of its own and outside of transactions.
 */
final class OrderedTopology extends LayoutTopology {
  @Override
  public List<TopicRequirement> topics(LearnerSettings settings) {
    return List.of(new TopicRequirement(
        Names.order(settings.app()),
        Count.ONE,
        TopicSettings.keptAsEvents(),
        false,
        "how far each partition of the events had come, in the order that defines the model",
        new Access(
            TopicRequirement.parties(Party.ANNOUNCER), TopicRequirement.parties(Party.TRAINER))));
  }

  @Override
  public void prefer(Properties streams) {
    // An event is announced, and then read: whoever waits for records looks for them often.
    streams.put(StreamsConfig.POLL_MS_CONFIG, "10");
    // A partition that is added is learned from after this time; Kafka's default is 5 minutes.
    streams.put(StreamsConfig.METADATA_MAX_AGE_CONFIG, "30000");
  }

  @Override
  public List<Subtopology> parts(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status) {
    return List.of(new TrainerPart(settings, source)
        .of(
            Names.ORDER,
            () -> new OrderedTrainerProcessor(settings, source, logs, status),
            Subtopology.Output.letters(settings)));
  }
}
