package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testbroker.Topics;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclBindingFilter;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A cluster that does not allow everything. */
class ForbiddenIT {
  private static EmbeddedBroker broker;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() throws Exception {
    String users =
        " user_broker=\"broker-secret\" user_alice=\"alice-secret\" user_bob=\"bob-secret\"";
    broker = EmbeddedBroker.start(BrokerSettings.temporary()
        .withProperties(Map.of(
            "listener.security.protocol.map", "CLIENT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms", "PLAIN",
            "sasl.mechanism.inter.broker.protocol", "PLAIN",
            "listener.name.client.plain.sasl.jaas.config", login("broker", "broker-secret", users),
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            // The controller's listener has no login: the broker itself comes as ANONYMOUS.
            "super.users", "User:broker;User:ANONYMOUS")));
    try (Admin root = Admin.create(Map.copyOf(as("broker", "broker-secret")))) {
      for (String app : List.of("barred", "unnamed", "liar")) {
        Topics.create(root, new NewTopic(app + "-events", 1, (short) 1));
      }
      allow(
          root,
          "alice",
          ResourceType.TOPIC,
          "barred-events",
          AclOperation.READ,
          AclOperation.DESCRIBE,
          AclOperation.DESCRIBE_CONFIGS);
      for (String output : List.of("dead-letters", "ledger", "snapshots")) {
        allow(
            root,
            "alice",
            ResourceType.TOPIC,
            "barred." + output,
            AclOperation.READ,
            AclOperation.DESCRIBE);
      }
    }
  }

  @AfterAll
  static void stop() {
    broker.close();
  }

  private static void allow(
      Admin root, String user, ResourceType type, String name, AclOperation... operations) {
    List<AclBinding> bindings = Arrays.stream(operations)
        .map(operation -> new AclBinding(
            new ResourcePattern(type, name, PatternType.LITERAL),
            new AccessControlEntry("User:" + user, "*", operation, AclPermissionType.ALLOW)))
        .toList();
    Cluster.get(root.createAcls(bindings).all().toCompletionStage().toCompletableFuture());
    Awaitility.await() // the controller has them; the broker hears of them a moment later
        .until(() -> Cluster.get(root.describeAcls(AclBindingFilter.ANY)
                .values()
                .toCompletionStage()
                .toCompletableFuture())
            .containsAll(bindings));
  }

  private static String login(String user, String password, String more) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user
        + "\" password=\"" + password + "\"" + more + ";";
  }

  private static Map<String, String> as(String user, String password) {
    Map<String, String> clients = new HashMap<>();
    clients.put("bootstrap.servers", broker.bootstrapServers());
    clients.put("security.protocol", "SASL_PLAINTEXT");
    clients.put("sasl.mechanism", "PLAIN");
    clients.put("sasl.jaas.config", login(user, password, ""));
    return clients;
  }

  @Test
  void saysWhichTopicItMayNotCreate() {
    SottoException failure =
        StartFailuresIT.failure(Trial.of("barred", folder, as("alice", "alice-secret")));
    assertThat(failure.kind()).isEqualTo(FailureKind.FORBIDDEN);
    assertThat(failure)
        .hasMessageContainingAll(
            "not allowed to create topic barred.",
            broker.bootstrapServers(),
            "ask for the permission, or have the topic created beforehand")
        .hasMessageNotContaining("secret");
  }

  @Test
  void saysWhichTopicItMayNotSee() {
    SottoException failure =
        StartFailuresIT.failure(Trial.of("unnamed", folder, as("bob", "bob-secret")));
    assertThat(failure.kind()).isEqualTo(FailureKind.FORBIDDEN);
    assertThat(failure)
        .hasMessageContainingAll(
            "not allowed to describe topic unnamed-events", "ask for the permission");
  }

  @Test
  void saysThatTheLoginIsWrong() {
    SottoException failure =
        StartFailuresIT.failure(Trial.of("liar", folder, as("alice", "guessed")));
    assertThat(failure.kind()).isEqualTo(FailureKind.FORBIDDEN);
    assertThat(failure)
        .hasMessageContainingAll(
            "not allowed to reach the cluster", "uthentication failed", "security settings")
        .hasMessageNotContaining("guessed");
  }
}
