package dev.sotto.app.secured;

import com.fasterxml.jackson.databind.JsonNode;
import dev.sotto.testbroker.BrokerCluster;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.ScramCredentialInfo;
import org.apache.kafka.clients.admin.ScramMechanism;
import org.apache.kafka.clients.admin.UserScramCredentialDeletion;
import org.apache.kafka.clients.admin.UserScramCredentialUpsertion;
import org.apache.kafka.common.acl.AccessControlEntry;
import org.apache.kafka.common.acl.AclBinding;
import org.apache.kafka.common.acl.AclOperation;
import org.apache.kafka.common.acl.AclPermissionType;
import org.apache.kafka.common.resource.PatternType;
import org.apache.kafka.common.resource.ResourcePattern;
import org.apache.kafka.common.resource.ResourceType;
import org.awaitility.Awaitility;

/**
 * Three brokers, a process each, that speak TLS alone, let users in by SCRAM, and allow nothing
 * that no permission allows. Everything is on all three, and two must have it.
 */
final class SecuredCluster implements AutoCloseable {
  static final int NODES = 3;
  private static final String ROOT = "root";
  private static final String ROOT_PASSWORD = "root-secret";

  private final Certificates certificates;
  private final BrokerCluster nodes;
  private final Admin admin;

  private SecuredCluster(Certificates certificates, BrokerCluster nodes) {
    this.certificates = certificates;
    this.nodes = nodes;
    this.admin = Admin.create(Map.copyOf(root()));
  }

  static SecuredCluster start(Path folder) throws IOException, InterruptedException {
    Certificates certificates = Certificates.make(folder.resolve("certificates"), "ip:127.0.0.1");
    Map<String, String> brokers = new HashMap<>(certificates.ofBrokers());
    brokers.put("listener.security.protocol.map", "CLIENT:SASL_SSL,CONTROLLER:SSL");
    brokers.put("listener.name.controller.ssl.client.auth", "required");
    brokers.put("sasl.enabled.mechanisms", "SCRAM-SHA-512");
    brokers.put("sasl.mechanism.inter.broker.protocol", "SCRAM-SHA-512");
    brokers.put(
        "listener.name.client.scram-sha-512.sasl.jaas.config", login("broker", "broker-secret"));
    brokers.put("authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer");
    brokers.put("super.users", "User:broker;User:" + ROOT + ";User:" + Certificates.BROKERS);
    brokers.put("transaction.abort.timed.out.transaction.cleanup.interval.ms", "1000");
    BrokerCluster nodes = BrokerCluster.start(
        folder.resolve("brokers"),
        NODES,
        brokers,
        List.of(
            "SCRAM-SHA-512=[name=broker,password=broker-secret]",
            "SCRAM-SHA-512=[name=" + ROOT + ",password=" + ROOT_PASSWORD + "]"),
        clients(certificates, ROOT, ROOT_PASSWORD));
    return new SecuredCluster(certificates, nodes);
  }

  static String login(String user, String password) {
    return "org.apache.kafka.common.security.scram.ScramLoginModule required username=\"" + user
        + "\" password=\"" + password + "\";";
  }

  private static Map<String, String> clients(
      Certificates certificates, String user, String password) {
    Map<String, String> clients = new HashMap<>();
    clients.put("security.protocol", "SASL_SSL");
    clients.put("sasl.mechanism", "SCRAM-SHA-512");
    clients.put("sasl.jaas.config", login(user, password));
    clients.put("ssl.truststore.type", "PEM");
    clients.put("ssl.truststore.location", certificates.authority().toString());
    return clients;
  }

  /** Settings of a client that logs in as a user. */
  Map<String, String> as(String user, String password) {
    Map<String, String> clients = clients(certificates, user, password);
    clients.put("bootstrap.servers", servers());
    return clients;
  }

  /** Settings of a client that may do everything. */
  Map<String, String> root() {
    return as(ROOT, ROOT_PASSWORD);
  }

  String servers() {
    return nodes.bootstrapServers();
  }

  Admin admin() {
    return admin;
  }

  void topic(String name, int partitions) throws ExecutionException, InterruptedException {
    admin
        .createTopics(List.of(new NewTopic(name, partitions, (short) NODES)))
        .all()
        .get();
  }

  /** Lets a user in with this password, and no longer with any other. */
  void password(String user, String password) throws ExecutionException, InterruptedException {
    admin
        .alterUserScramCredentials(List.of(new UserScramCredentialUpsertion(
            user, new ScramCredentialInfo(ScramMechanism.SCRAM_SHA_512, 4096), password)))
        .all()
        .get();
  }

  /** Lets a user in no longer; who is in stays in. */
  void forget(String user) throws ExecutionException, InterruptedException {
    admin
        .alterUserScramCredentials(
            List.of(new UserScramCredentialDeletion(user, ScramMechanism.SCRAM_SHA_512)))
        .all()
        .get();
  }

  /** One permission for each operation of what {@code describe --json} lists. */
  static List<AclBinding> permissions(JsonNode grants) {
    List<AclBinding> all = new ArrayList<>();
    for (JsonNode grant : grants) {
      for (JsonNode operation : grant.get("operations")) {
        all.add(new AclBinding(
            new ResourcePattern(
                named(ResourceType.values(), grant.get("resourceType").textValue()),
                grant.get("resourceName").textValue(),
                PatternType.valueOf(grant.get("patternType").textValue().toUpperCase(Locale.ROOT))),
            new AccessControlEntry(
                grant.get("principal").textValue(),
                "*",
                named(AclOperation.values(), operation.textValue()),
                AclPermissionType.ALLOW)));
      }
    }
    return all;
  }

  /** The constant that commands call {@code DescribeConfigs}, of {@code DESCRIBE_CONFIGS}. */
  private static <E extends Enum<E>> E named(E[] constants, String text) {
    return Arrays.stream(constants)
        .filter(each -> each.name().replace("_", "").equalsIgnoreCase(text))
        .findFirst()
        .orElseThrow();
  }

  /** A permission of a user; of transactional ids, all that begin so. */
  static AclBinding permission(String user, ResourceType type, String name, AclOperation what) {
    PatternType pattern =
        type == ResourceType.TRANSACTIONAL_ID ? PatternType.PREFIXED : PatternType.LITERAL;
    return new AclBinding(
        new ResourcePattern(type, name, pattern),
        new AccessControlEntry("User:" + user, "*", what, AclPermissionType.ALLOW));
  }

  void allow(List<AclBinding> permissions) throws ExecutionException, InterruptedException {
    admin.createAcls(permissions).all().get();
  }

  void revoke(AclBinding permission) throws ExecutionException, InterruptedException {
    admin.deleteAcls(List.of(permission.toFilter())).all().get();
  }

  /** Stops and starts one broker after the other, each when all logs are whole again. */
  void roll() throws Exception {
    for (int node = 0; node < NODES; node++) {
      nodes.stop(node);
      nodes.restart(node);
      awaitInSync();
    }
  }

  private void awaitInSync() {
    Awaitility.await()
        .atMost(java.time.Duration.ofSeconds(120))
        .ignoreExceptions()
        .until(
            () -> admin
                .describeTopics(admin.listTopics().names().get())
                .allTopicNames()
                .get()
                .values()
                .stream()
                .flatMap(topic -> topic.partitions().stream())
                .allMatch(each -> each.isr().size() == NODES));
  }

  @Override
  public void close() {
    admin.close();
    nodes.close();
  }
}
