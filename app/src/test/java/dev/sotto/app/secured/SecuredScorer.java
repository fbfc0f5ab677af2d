package dev.sotto.app.secured;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.sotto.app.Main;
import dev.sotto.app.command.ExitCode;
import dev.sotto.app.crash.LearnerProcess;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.settings.Names;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.resource.ResourceType;

/** A scorer of a learner's events, with the permissions that docs/client.md lists. */
record SecuredScorer(SecuredCluster cluster, Path folder, SecuredLearner learner) {
  /** Scores every event; without Write on its topic it ends, and says so. */
  void needsWhatIsListed() throws Exception {
    String user = learner.app() + "-scorer";
    String to = learner.app() + "-predictions";
    String id = learner.app() + "-score-" + to;
    AclBinding write = SecuredCluster.permission(user, ResourceType.TOPIC, to, AclOperation.WRITE);
    List<AclBinding> others = new ArrayList<>(List.of(
        SecuredCluster.permission(user, ResourceType.TOPIC, to, AclOperation.CREATE),
        SecuredCluster.permission(user, ResourceType.GROUP, id, AclOperation.READ),
        SecuredCluster.permission(user, ResourceType.TRANSACTIONAL_ID, id, AclOperation.WRITE)));
    for (String each :
        List.of(learner.topic(), Names.snapshots(learner.app()), Names.ledger(learner.app()))) {
      others.add(SecuredCluster.permission(user, ResourceType.TOPIC, each, AclOperation.READ));
    }
    cluster.topic(to, 1);
    cluster.password(user, "scorer-secret");
    cluster.allow(others);
    LearnerProcess refused = start(user, to);
    assertThat(refused.await(120, TimeUnit.SECONDS)).isTrue();
    assertThat(refused.exitCode()).isEqualTo(ExitCode.FORBIDDEN.code());
    cluster.allow(List.of(write));
    LearnerProcess process = start(user, to);
    try {
      int all = Published.read(cluster.root(), learner.topic()).size();
      await()
          .atMost(SecuredLearner.PATIENCE)
          .untilAsserted(() -> assertThat(Published.read(cluster.root(), to)).hasSize(all));
      process.stop();
    } finally {
      process.kill();
    }
  }

  private LearnerProcess start(String user, String to) throws Exception {
    Properties settings = new Properties();
    settings.putAll(cluster.as(user, "scorer-secret"));
    settings.remove("bootstrap.servers");
    settings.setProperty("auto.offset.reset", "earliest");
    Path file = folder.resolve(user + ".properties");
    try (Writer writer = Files.newBufferedWriter(file)) {
      settings.store(writer, null);
    }
    return LearnerProcess.launch(
        folder,
        user,
        "-Xmx256m",
        Main.class.getName(),
        "score",
        "--app-id",
        learner.app(),
        "--model",
        learner.ledger().get(0).modelId(),
        "--from",
        learner.topic(),
        "--to",
        to,
        "--bootstrap-server",
        cluster.servers(),
        "--command-config",
        file.toString());
  }
}
