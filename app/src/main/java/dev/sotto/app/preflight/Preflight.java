package dev.sotto.app.preflight;

import dev.sotto.config.SottoConfig;
import dev.sotto.evaluation.volume.ExpectedLoad;
import dev.sotto.topology.admin.AdminClients;
import dev.sotto.topology.admin.ClusterInspector;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.Deployment;
import java.time.Duration;
import org.apache.kafka.clients.admin.Admin;

/**
 * Whether a learner can run, and run safely, found out with its own clients and without changing
 * anything. What is needed of topics and permissions is read from the same tables by which they are
 * made.
 */
public final class Preflight {
  private Preflight() {}

  /**
   * Checks everything.
   *
   * @param outage for how long the learner may be down without losing records
   */
  public static PreflightFindings run(SottoConfig config, Duration outage) {
    return run(config, outage, ExpectedLoad.UNKNOWN);
  }

  /**
   * The same, with volumes of events as they are expected.
   *
   * @param expected goes before what is observed
   */
  public static PreflightFindings run(SottoConfig config, Duration outage, ExpectedLoad expected) {
    PreflightFindings findings = new PreflightFindings();
    StateFolderCheck.run(config, findings);
    RegistryCheck.run(config, findings);
    try (Admin admin = AdminClients.of(config.service())) {
      ClusterInspector cluster = new ClusterInspector(admin, config.service().bootstrapServers());
      if (!reached(cluster, config, findings)) {
        return findings;
      }
      PreflightContext preflight = new PreflightContext(
          config, Deployment.of(config.learner(), config.service()), cluster, findings, outage);
      EventTopicCheck.run(preflight);
      PartitionerCheck.run(preflight);
      TopicChecks.run(preflight);
      PermissionChecks.run(preflight);
      ReplicationChecks.run(preflight);
      TimeoutAndGroupChecks.run(preflight);
      HistoryChecks.run(preflight);
      VolumeCheck.run(preflight, expected);
    } catch (SottoException noClient) {
      findings.fault(
          "cluster", noClient.getMessage(), "a client", "correct bootstrap.servers or kafka.*");
    }
    return findings;
  }

  private static boolean reached(
      ClusterInspector cluster, SottoConfig config, PreflightFindings findings) {
    String servers = config.service().bootstrapServers();
    try {
      int brokers = cluster.nodes().size();
      findings.ok("cluster", (brokers == 1 ? "1 broker" : brokers + " brokers") + " at " + servers);
      return true;
    } catch (SottoException failure) {
      findings.fault(
          "cluster",
          failure.getMessage(),
          "a broker that answers at " + servers,
          "correct bootstrap.servers or the security settings, or start the brokers");
      return false;
    }
  }
}
