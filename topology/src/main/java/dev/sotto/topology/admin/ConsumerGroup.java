package dev.sotto.topology.admin;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeStreamsGroupsOptions;
import org.apache.kafka.clients.admin.StreamsGroupMemberAssignment.TaskIds;
import org.apache.kafka.clients.admin.StreamsGroupSubtopologyDescription;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The group of an application's instances.
 *
 * @param streams whether it is one of the streams protocol
 * @param state as Kafka names it
 * @param members the stream threads of all instances
 * @param allowed what may be done with it; empty where the cluster does not tell
 */
public record ConsumerGroup(
    boolean streams, String state, List<Member> members, Optional<Set<AclOperation>> allowed) {
  public ConsumerGroup {
    members = List.copyOf(members);
  }

  /**
   * One stream thread.
   *
   * @param partitions whose records it processes
   */
  public record Member(String clientId, String host, Set<TopicPartition> partitions) {
    public Member {
      partitions = Set.copyOf(partitions);
    }
  }

  /** What its members are called, and where they are. */
  public List<String> names() {
    return members.stream().map(each -> each.clientId() + " at " + each.host()).toList();
  }

  /** The group of a name; empty where there is none. */
  public static Optional<ConsumerGroup> of(ClusterInspector cluster, String name) {
    try {
      return Optional.of(classic(cluster, name));
    } catch (GroupIdNotFoundException notOfThisKind) {
      try {
        return Optional.of(streams(cluster, name));
      } catch (GroupIdNotFoundException missing) {
        return Optional.empty();
      }
    }
  }

  private static ConsumerGroup classic(ClusterInspector cluster, String name) {
    var options = new DescribeConsumerGroupsOptions().includeAuthorizedOperations(true);
    var found = cluster
        .await(
            cluster.admin().describeConsumerGroups(List.of(name), options).all(),
            "describe group " + name)
        .get(name);
    return new ConsumerGroup(
        false,
        found.groupState().toString(),
        found.members().stream()
            .map(each ->
                new Member(each.clientId(), each.host(), each.assignment().topicPartitions()))
            .toList(),
        Optional.ofNullable(found.authorizedOperations()));
  }

  private static ConsumerGroup streams(ClusterInspector cluster, String name) {
    var options = new DescribeStreamsGroupsOptions().includeAuthorizedOperations(true);
    var found = cluster
        .await(
            cluster.admin().describeStreamsGroups(List.of(name), options).all(),
            "describe group " + name)
        .get(name);
    Map<String, List<String>> topics = found.subtopologies().stream()
        .collect(Collectors.toMap(
            StreamsGroupSubtopologyDescription::subtopologyId, ConsumerGroup::topics));
    return new ConsumerGroup(
        true,
        found.groupState().toString(),
        found.members().stream()
            .map(each -> new Member(
                each.clientId(),
                each.clientHost(),
                each.assignment().activeTasks().stream()
                    .flatMap(task -> partitions(task, topics))
                    .collect(Collectors.toSet())))
            .toList(),
        Optional.ofNullable(found.authorizedOperations()));
  }

  private static List<String> topics(StreamsGroupSubtopologyDescription part) {
    return Stream.concat(
            part.sourceTopics().stream(), part.repartitionSourceTopics().keySet().stream())
        .toList();
  }

  private static Stream<TopicPartition> partitions(TaskIds task, Map<String, List<String>> topics) {
    return topics.getOrDefault(task.subtopologyId(), List.of()).stream()
        .flatMap(topic -> task.partitions().stream().map(each -> new TopicPartition(topic, each)));
  }
}
