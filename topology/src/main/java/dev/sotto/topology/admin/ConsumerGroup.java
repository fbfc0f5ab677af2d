package dev.sotto.topology.admin;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.DescribeConsumerGroupsOptions;
import org.apache.kafka.clients.admin.DescribeStreamsGroupsOptions;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.errors.GroupIdNotFoundException;

/**
 * The group of an application's instances.
 *
 * @param streams whether it is one of the streams protocol
 * @param state as Kafka names it
 * @param members a client id and a host each
 * @param allowed what may be done with it; empty where the cluster does not tell
 */
public record ConsumerGroup(
    boolean streams, String state, List<String> members, Optional<Set<AclOperation>> allowed) {
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
    List<String> members = new ArrayList<>();
    found.members().forEach(each -> members.add(each.clientId() + " at " + each.host()));
    return new ConsumerGroup(
        false,
        found.groupState().toString(),
        List.copyOf(members),
        Optional.ofNullable(found.authorizedOperations()));
  }

  private static ConsumerGroup streams(ClusterInspector cluster, String name) {
    var options = new DescribeStreamsGroupsOptions().includeAuthorizedOperations(true);
    var found = cluster
        .await(
            cluster.admin().describeStreamsGroups(List.of(name), options).all(),
            "describe group " + name)
        .get(name);
    List<String> members = new ArrayList<>();
    found.members().forEach(each -> members.add(each.clientId() + " at " + each.clientHost()));
    return new ConsumerGroup(
        true,
        found.groupState().toString(),
        List.copyOf(members),
        Optional.ofNullable(found.authorizedOperations()));
  }
}
