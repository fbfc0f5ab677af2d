package dev.sotto.app.cluster;

import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.settings.ServiceSettings;
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
   * @throws SottoException where it does not answer
   */
  public static RecordedTopic of(ServiceSettings service, String topic) {
    try (Admin admin = AdminClients.of(service)) {
      ClusterInspector facts = new ClusterInspector(admin, service.bootstrapServers());
      String clusterId = facts.await(admin.describeCluster().clusterId(), "reach the cluster");
      return new RecordedTopic(
          clusterId, facts.visible(topic).map(each -> each.topicId().toString()).orElse(""));
    }
  }
}
