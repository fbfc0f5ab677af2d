package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.runtime.LearnerService;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.MemberDescription;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who leaves the group at its end, and who stays for the session's time. */
class GroupMembershipIT {
  @TempDir
  Path folder;

  @Test
  void leavesTheGroupUnlessItsMembersHaveNames() {
    try (Cluster cluster = Cluster.shared()) {
      Trial dynamic = Trial.of("dynamic", folder.resolve("dynamic"), cluster.clients());
      assertThat(membersAfterwards(cluster, dynamic)).isEmpty();
      Trial named = Trial.of("named", folder.resolve("named"), cluster.clients())
          .withClients(Map.of("group.instance.id", "one", "consumer.session.timeout.ms", "60000"));
      assertThat(membersAfterwards(cluster, named)).containsExactly("one-1");
    }
  }

  private static List<String> membersAfterwards(Cluster cluster, Trial trial) {
    cluster.createTopic(trial.topic());
    try (LearnerService service = trial.start()) {
      Awaitility.await().atMost(Trial.PATIENCE).until(service::isRunning);
    }
    var groups = cluster.admin().describeConsumerGroups(List.of(trial.app())).all();
    return Cluster.get(groups.toCompletionStage().toCompletableFuture())
        .get(trial.app())
        .members()
        .stream()
        .map(MemberDescription::groupInstanceId)
        .map(each -> each.orElse("without a name"))
        .toList();
  }
}
