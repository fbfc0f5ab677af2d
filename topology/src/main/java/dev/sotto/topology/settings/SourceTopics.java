package dev.sotto.topology.settings;

import dev.sotto.serdes.record.RoundGenesis;

/**
 * The topics that a learner reads, as they were found at the start. An id tells a topic from one
 * that was made again under its name.
 *
 * @param topic what the trainer reads: the events themselves, announcements, or sums
 * @param topicId its id
 * @param partitions how many partitions it has
 * @param eventTopicId id of the event topic
 * @param genesis how a model over rounds began; null in other layouts
 */
public record SourceTopics(
    String topic, String topicId, int partitions, String eventTopicId, RoundGenesis genesis) {
  /** Topics of the other layouts. */
  public SourceTopics(String topic, String topicId, int partitions, String eventTopicId) {
    this(topic, topicId, partitions, eventTopicId, null);
  }

  /** The same with the beginning of a model over rounds. */
  public SourceTopics with(RoundGenesis beginning) {
    return new SourceTopics(topic, topicId, partitions, eventTopicId, beginning);
  }
}
