package dev.sotto.replay.recording;

/**
 * Where the records of a recording come from.
 *
 * @param clusterId the cluster's id; empty where there is none
 * @param topic the topic's name; of a text file, the name of the file
 * @param topicId the topic's id, which changes when a topic is deleted and created again; empty
 *     where there is none
 */
public record RecordingOrigin(String clusterId, String topic, String topicId) {}
