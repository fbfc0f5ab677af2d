package dev.sotto.app.operations;

import dev.sotto.topology.LearnerService;
import dev.sotto.topology.ServiceSettings;
import dev.sotto.topology.StartFailure;
import org.apache.kafka.clients.admin.Admin;

/**
 * What a cluster says now of a topic that was recorded.
 *
 * @param clusterId of the cluster
 * @param id of the topic of this name; empty where there is none, or we may not see it
 */
public record RecordedTopic(String clusterId, String id) {
  /**
   * Asks the cluster.
   *
   * @throws StartFailure where it does not answer
   */
  public static RecordedTopic of(ServiceSettings service, String topic) {
    try (Admin admin = LearnerService.admin(service)) {
      ClusterFacts facts = new ClusterFacts(admin, service.bootstrapServers());
      String clusterId =
          facts.answers().await(admin.describeCluster().clusterId(), "reach the cluster");
      return new RecordedTopic(
          clusterId, facts.visible(topic).map(each -> each.topicId().toString()).orElse(""));
    }
  }
}
