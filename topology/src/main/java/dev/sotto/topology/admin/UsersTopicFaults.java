package dev.sotto.topology.admin;

import dev.sotto.learner.training.VersionKeys;
import dev.sotto.topology.settings.LabelKeys;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.util.Optional;

/** What is wrong with the topics of the users, in words that say what to do. */
public final class UsersTopicFaults {
  private UsersTopicFaults() {}

  /**
   * What is wrong with so many partitions of the event topic under a layout; empty where nothing
   * is.
   */
  public static Optional<String> partitions(LearnerSettings settings, int eventPartitions) {
    if (settings.layout() == Layout.ROUNDS && settings.plan().batch() % eventPartitions != 0) {
      boolean blocks = settings.plan().learnsFromBlocks();
      return Optional.of("layout rounds takes as many slots of each partition in every "
          + (blocks ? "block: block.slots" : "round: batch.size")
          + " must be a multiple of "
          + eventPartitions + ", the partitions of " + settings.sourceTopic() + ", but was "
          + settings.plan().batch());
    }
    return !TopicRequirements.isOneByOne(settings) || eventPartitions == 1
        ? Optional.empty()
        : Optional.of(
            "layout direct with model.id.source constant needs an event topic of 1 partition, but "
                + settings.sourceTopic() + " has " + eventPartitions
                + ": choose layout ordered (one model over all partitions), or model.id.source"
                + " partition, key or header");
  }

  /**
   * Why a topic of some timestamps does not suit versions by log time, or labels that come later;
   * empty where it does.
   */
  public static Optional<String> logTime(
      LearnerSettings settings, String topic, String timestamps) {
    if (timestamps.equals(TopicRequirements.ARRIVAL)) {
      return Optional.empty();
    }
    boolean joins = settings.labels().isPresent();
    String key = needsLogTime(settings);
    return Optional.of(key + " needs " + TopicRequirements.TIMESTAMPS + "="
        + TopicRequirements.ARRIVAL + " on the "
        + (joins ? "" : "event ") + "topic " + topic + ", but it is " + timestamps + ": when "
        + (joins ? "an event has waited long enough" : "a version ends")
        + " must not depend on what producers write. Set it (it applies"
        + " to records that come later), or unset " + key);
  }

  /** The setting for which the users' topics must say when the broker appended a record. */
  static String needsLogTime(LearnerSettings settings) {
    return (settings.labels().isPresent() ? LabelKeys.TOPIC : VersionKeys.INTERVAL).name();
  }

  /** Why a topic of labels with so many partitions does not go with that of the events. */
  public static Optional<String> labelPartitions(LearnerSettings settings, int events, int labels) {
    return events == labels
        ? Optional.empty()
        : Optional.of("the topic of labels " + settings.labels().orElseThrow().topic()
            + " must have as many partitions as " + settings.sourceTopic() + ", which has "
            + events + ", but has " + labels
            + ": a label is joined with the event of its id in the partition of the same number");
  }

  /**
   * What makes both have as many partitions, where they have not. In layouts other than ordered the
   * events must keep theirs.
   */
  public static String asMany(LearnerSettings settings, int events, int labels) {
    String topic = settings.labels().orElseThrow().topic();
    if (events > labels || settings.layout() == Layout.ORDERED) {
      return "kafka-topics.sh --alter --topic "
          + (events > labels ? topic : settings.sourceTopic()) + " --partitions "
          + Math.max(events, labels);
    }
    return "make a topic of labels with " + events + (events == 1 ? " partition" : " partitions")
        + ", and set " + LabelKeys.TOPIC + "; the events must keep theirs in this layout";
  }
}
