package dev.sotto.topology;

/**
 * The topics that a learner reads, as they were found at the start. An id tells a topic from one that was made
 * again under its name.
 *
 * @param topic what the trainer reads: the events themselves, or the sequence of the funnel
 * @param topicId its id
 * @param partitions how many partitions it has
 * @param eventTopicId id of the event topic
 */
public record Source(String topic, String topicId, int partitions, String eventTopicId) {}
