package dev.sotto.topology;

/**
 * The topic that trainers read, as it was found at the start.
 *
 * @param topic its name
 * @param topicId its id, which a topic made again under the same name does not keep
 * @param partitions how many partitions it has
 */
public record Source(String topic, String topicId, int partitions) {}
