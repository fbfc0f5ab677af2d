package dev.sotto.app.operations;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.topology.Blueprint;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.StartFailure;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;

/**
 * Whether a learner can run, and run safely, found out with its own clients and without changing anything. What is
 * needed of topics and permissions is read from the same tables by which they are made.
 */
public final class Preflight {
  /** What the checks share. */
  record Flight(
      SottoConfig config,
      Blueprint blueprint,
      ClusterFacts cluster,
      Findings findings,
      Duration outage) {
    String app() {
      return config.learner().app();
    }

    String servers() {
      return config.service().bootstrapServers();
    }

    /** How many partitions the event topic has; 0 where it is missing, or must not be seen. */
    int eventPartitions() {
      return partitions(blueprint.events().topic());
    }

    int partitions(String topic) {
      return cluster.visible(topic).map(each -> each.partitions().size()).orElse(0);
    }

    /** The command that alters a topic's setting. */
    String alter(String topic, String setting) {
      return "kafka-configs.sh --bootstrap-server " + servers()
          + " --alter --entity-type topics --entity-name " + topic + " --add-config " + setting;
    }
  }

  private Preflight() {}

  /**
   * Checks everything.
   *
   * @param outage for how long the learner may be down without losing records
   */
  public static Findings run(SottoConfig config, Duration outage) {
    Findings findings = new Findings();
    StateFolderCheck.run(config, findings);
    try (Admin admin = LearnerService.admin(config.service())) {
      ClusterFacts cluster = new ClusterFacts(admin, config.service().bootstrapServers());
      if (!reached(cluster, config, findings)) {
        return findings;
      }
      Flight flight = new Flight(
          config, Blueprint.of(config.learner(), config.service()), cluster, findings, outage);
      EventTopicCheck.run(flight);
      TopicChecks.run(flight);
      PermissionChecks.run(flight);
      ReplicationChecks.run(flight);
      RunningChecks.run(flight);
      HistoryChecks.run(flight);
    } catch (StartFailure noClient) {
      findings.fault(
          "cluster", noClient.getMessage(), "a client", "correct bootstrap.servers or kafka.*");
    }
    return findings;
  }

  private static boolean reached(ClusterFacts cluster, SottoConfig config, Findings findings) {
    String servers = config.service().bootstrapServers();
    try {
      int brokers = cluster.nodes().size();
      findings.ok(
          "cluster", (brokers == 1 ? "1 broker" : brokers + " brokers") + " behind " + servers);
      return true;
    } catch (StartFailure failure) {
      findings.fault(
          "cluster",
          failure.getMessage(),
          "a broker that answers at " + servers,
          "correct bootstrap.servers or the security settings, or start the brokers");
      return false;
    }
  }
}
