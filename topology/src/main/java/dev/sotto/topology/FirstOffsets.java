package dev.sotto.topology;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.ListOffsetsOptions;
import org.apache.kafka.clients.admin.OffsetSpec;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.common.IsolationLevel;
import org.apache.kafka.common.TopicPartition;

/**
 * Picks the first offsets of a group explicitly, once, before Streams starts: an automatic reset would skip
 * records that retention took away, silently.
 */
final class FirstOffsets {
  private FirstOffsets() {}

  /**
   * Commits a start for the partitions of a topic that the group has none for.
   *
   * @param latest whether to begin behind what is there, instead of at the first record
   */
  static void commit(
      Admin admin, Topics topics, String group, String topic, int partitions, boolean latest) {
    List<TopicPartition> all = IntStream.range(0, partitions)
        .mapToObj(each -> new TopicPartition(topic, each))
        .toList();
    Map<TopicPartition, OffsetAndMetadata> known = committed(admin, topics, group);
    List<TopicPartition> missing =
        all.stream().filter(each -> known.get(each) == null).toList();
    if (missing.isEmpty()) {
      return;
    }
    // A partition that was added to a topic already read from begins at its beginning.
    boolean first = missing.size() == all.size();
    OffsetSpec where = latest && first ? OffsetSpec.latest() : OffsetSpec.earliest();
    Map<TopicPartition, OffsetSpec> asked =
        missing.stream().collect(Collectors.toMap(each -> each, each -> where));
    var found = topics.await(
        admin
            .listOffsets(asked, new ListOffsetsOptions(IsolationLevel.READ_COMMITTED))
            .all(),
        "look up the offsets of topic " + topic);
    Map<TopicPartition, OffsetAndMetadata> chosen = new HashMap<>();
    found.forEach((partition, info) -> chosen.put(partition, new OffsetAndMetadata(info.offset())));
    try {
      topics.await(
          admin.alterConsumerGroupOffsets(group, chosen).all(),
          "commit the first offsets of group " + group);
    } catch (StartFailure refused) {
      // Another instance of the group may have done it meanwhile; then its choice stands.
      if (!committed(admin, topics, group).keySet().containsAll(missing)) {
        throw refused;
      }
    }
  }

  private static Map<TopicPartition, OffsetAndMetadata> committed(
      Admin admin, Topics topics, String group) {
    return topics.await(
        admin.listConsumerGroupOffsets(group).partitionsToOffsetAndMetadata(),
        "read the committed offsets of group " + group);
  }
}
