package dev.sotto.topology.layout;

import dev.sotto.topology.batch.BatchRule;
import dev.sotto.topology.log.Logs;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.SourceTopics;
import dev.sotto.topology.settings.TopicRequirement;
import dev.sotto.topology.settings.TopicRequirement.Party;
import dev.sotto.topology.status.LearnerStatus;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;

/** The topics and processors of a layout, and how Streams has to run them. */
public abstract class LayoutTopology {
  /** Those of a learner. */
  public static LayoutTopology of(LearnerSettings settings) {
    return of(settings.layout());
  }

  private static LayoutTopology of(Layout layout) {
    return switch (layout) {
      case DIRECT -> new DirectTopology();
      case ORDERED -> new OrderedTopology();
      case ROUNDS -> new RoundsTopology();
    };
  }

  /** {@link Layout#topics}: what they must be. */
  public List<TopicRequirement> topics(LearnerSettings settings) {
    return List.of();
  }

  /** Who maps events. */
  public Party mapper() {
    return Party.TRAINER;
  }

  /** Who closes rounds, and publishes. */
  public Party closer() {
    return Party.TRAINER;
  }

  /** Sets what Streams does best with; users may choose otherwise. */
  public void prefer(Properties streams) {}

  /** Sets what nobody may change. */
  public void require(Properties streams) {}

  /** The topics that its processors read. */
  public Set<String> inputs(LearnerSettings settings) {
    return Set.of(settings.trainingTopic());
  }

  /** Those of them whose records may come in batches, and in which. */
  public Map<String, BatchRule> batched(LearnerSettings settings, SourceTopics source) {
    return Map.of();
  }

  /** Its processors: a later one reads what an earlier one writes. */
  public abstract List<Subtopology> parts(
      LearnerSettings settings, SourceTopics source, Logs logs, LearnerStatus status);

  /** The topics that it reads, as far as they are known without a cluster. */
  public SourceTopics blueprint(LearnerSettings settings) {
    return new SourceTopics(settings.trainingTopic(), "", 1, "");
  }
}
