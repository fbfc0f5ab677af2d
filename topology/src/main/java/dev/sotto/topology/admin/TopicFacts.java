package dev.sotto.topology.admin;

import java.util.OptionalInt;

/** What a cluster says of topics. */
public interface TopicFacts {
  /** How many partitions a topic has; empty where there is none. */
  OptionalInt partitionsOf(String topic);

  /** A setting of a topic that is there. */
  String topicSetting(String topic, String name);
}
