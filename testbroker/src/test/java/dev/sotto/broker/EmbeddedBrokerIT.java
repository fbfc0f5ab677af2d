package dev.sotto.broker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.testbroker.Clients;
import dev.sotto.testbroker.Topics;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TopicAuthorizationException;
import org.apache.kafka.common.serialization.StringDeserializer;
import org.apache.kafka.common.serialization.StringSerializer;
import org.apache.kafka.common.utils.internals.Exit;
import org.apache.kafka.server.common.MetadataVersion;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EmbeddedBrokerIT {
  private static final String TOPIC = "events";

  @Test
  void readsBackWhatWasCommittedAndGoesWithoutATrace() throws Exception {
    EmbeddedBroker broker = EmbeddedBroker.start();
    try (broker) {
      createTopic(broker, TOPIC);
      produce(broker, "a", "b");
      assertThat(consume(broker, 2)).containsExactly("a", "b");
      assertThat(broker.failure()).isEmpty();
    }
    assertThat(broker.folder()).doesNotExist();
    broker.close(); // a second time, which must be harmless
  }

  @Test
  void usesStableFeaturesAndCreatesNoTopicsByItself() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        Admin admin = admin(broker, Map.of())) {
      short level = admin
          .describeFeatures()
          .featureMetadata()
          .get()
          .finalizedFeatures()
          .get(MetadataVersion.FEATURE_NAME)
          .maxVersionLevel();
      assertThat(level).isEqualTo(MetadataVersion.LATEST_PRODUCTION.featureLevel());
      try (var producer = producer(broker, Map.of("max.block.ms", 2000))) {
        assertThatThrownBy(
                () -> producer.send(new ProducerRecord<>("nowhere", "a")).get())
            .hasMessageContaining("nowhere not present");
      }
      assertThat(admin.listTopics().names().get()).isEmpty();
    }
  }

  @Test
  void runsTwoAtOnce() throws Exception {
    try (EmbeddedBroker one = EmbeddedBroker.start();
        EmbeddedBroker other = EmbeddedBroker.start()) {
      createTopic(one, TOPIC);
      createTopic(other, TOPIC);
      produce(one, "one");
      produce(other, "other");
      assertThat(consume(one, 1)).containsExactly("one");
      assertThat(consume(other, 1)).containsExactly("other");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1}) // the place of the taken port: the clients', the controller's
  void survivesAPortThatIsTaken(int place) throws Exception {
    try (ServerSocket occupant = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      Queue<Integer> proposals = new ArrayDeque<>(List.of(BrokerSettings.freePort()));
      if (place == 0) {
        proposals = new ArrayDeque<>(List.of(occupant.getLocalPort(), BrokerSettings.freePort()));
      } else {
        proposals.add(occupant.getLocalPort());
      }
      Queue<Integer> first = proposals;
      BrokerSettings settings = BrokerSettings.temporary()
          .withPorts(() -> first.isEmpty() ? BrokerSettings.freePort() : first.remove());
      try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
        assertThat(first).isEmpty();
        assertThat(broker.bootstrapServers()).doesNotEndWith(":" + occupant.getLocalPort());
        createTopic(broker, TOPIC);
        produce(broker, "a");
        assertThat(consume(broker, 1)).containsExactly("a");
        assertThat(broker.failure()).isEmpty();
      }
    }
  }

  @Test
  void givesUpWhenEveryPortIsTakenAndLeavesNoFolder() throws Exception {
    List<Path> before = temporaryFolders();
    try (ServerSocket occupant = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      List<Integer> proposals = new ArrayList<>();
      BrokerSettings settings = BrokerSettings.temporary().withPorts(() -> {
        boolean first = proposals.size() % 2 == 0;
        proposals.add(0);
        return first ? BrokerSettings.freePort() : occupant.getLocalPort();
      });
      assertThatThrownBy(() -> EmbeddedBroker.start(settings))
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("attempt 5");
    }
    assertThat(temporaryFolders()).containsExactlyInAnyOrderElementsOf(before);
  }

  @Test
  void opensAGivenFolderAgain(@TempDir Path parent) throws Exception {
    Path folder = parent.resolve("a folder with spaces");
    BrokerSettings settings = BrokerSettings.temporary().withFolder(folder);
    try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      createTopic(broker, TOPIC);
      produce(broker, "kept");
    }
    assertThat(folder).isDirectory();
    try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      assertThat(consume(broker, 1)).containsExactly("kept");
    }
  }

  @Test
  void keepsThePortOfItsFolderUnlessItIsTaken(@TempDir Path folder) throws Exception {
    BrokerSettings settings = BrokerSettings.temporary().withFolder(folder);
    String first;
    try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      first = broker.bootstrapServers();
    }
    try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      assertThat(broker.bootstrapServers()).isEqualTo(first);
      assertThat(broker.formerPort()).isEmpty();
    }
    int port = Integer.parseInt(first.substring(first.indexOf(':') + 1));
    String second;
    try (ServerSocket occupant = new ServerSocket(port, 1, InetAddress.getByName("127.0.0.1"));
        EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      assertThat(occupant.isBound()).isTrue();
      second = broker.bootstrapServers();
      assertThat(second).isNotEqualTo(first);
      assertThat(broker.formerPort()).hasValue(port);
    }
    try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      assertThat(broker.bootstrapServers()).isEqualTo(second);
    }
  }

  @Test
  void listensWhereItIsTold(@TempDir Path folder) throws Exception {
    int port = BrokerSettings.freePort();
    BrokerSettings settings = BrokerSettings.temporary().withFolder(folder).withPort(port);
    try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      assertThat(broker.bootstrapServers()).isEqualTo("127.0.0.1:" + port);
      assertThat(BrokerSettings.isFree(port)).isFalse();
      createTopic(broker, TOPIC);
    }
  }

  @Test
  void refusesAClientWithoutPermission() throws Exception {
    String users = " user_broker=\"broker-secret\" user_alice=\"alice-secret\"";
    BrokerSettings settings = BrokerSettings.temporary()
        .withProperties(Map.of(
            "listener.security.protocol.map", "CLIENT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms", "PLAIN",
            "sasl.mechanism.inter.broker.protocol", "PLAIN",
            "listener.name.client.plain.sasl.jaas.config", login("broker", "broker-secret", users),
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            // The controller's listener has no login: the broker itself comes as ANONYMOUS.
            "super.users", "User:broker;User:ANONYMOUS"));
    try (EmbeddedBroker broker = EmbeddedBroker.start(settings)) {
      try (Admin alice = admin(broker, sasl("alice", "alice-secret"))) {
        assertThatThrownBy(() -> alice.createTopics(List.of(topic(TOPIC))).all().get())
            .isInstanceOf(ExecutionException.class)
            .hasCauseInstanceOf(TopicAuthorizationException.class);
      }
      try (Admin root = admin(broker, sasl("broker", "broker-secret"))) {
        assertThat(root.listTopics().names().get()).isEmpty();
        root.createTopics(List.of(topic(TOPIC))).all().get();
        Awaitility.await() // the controller has it; the broker hears of it a moment later
            .untilAsserted(
                () -> assertThat(root.listTopics().names().get()).containsExactly(TOPIC));
      }
    }
  }

  @Test
  void stopsInsteadOfEndingTheProcess() throws Exception {
    try (EmbeddedBroker broker = EmbeddedBroker.start();
        EmbeddedBroker bystander = EmbeddedBroker.start()) {
      ThreadGroup group = groupOf("data-plane-kafka-socket-acceptor", broker);
      Thread fault = new Thread(group, () -> Exit.halt(1), "fault");
      fault.setUncaughtExceptionHandler((thread, expected) -> {});
      fault.start();
      Awaitility.await().untilAsserted(() -> assertThat(broker.folder()).doesNotExist());
      assertThat(broker.failure()).get().asString().contains("halt the process with status 1");
      assertThat(bystander.failure()).isEmpty();
      createTopic(bystander, TOPIC);
    }
  }

  private static ThreadGroup groupOf(String threadName, EmbeddedBroker broker) {
    String port = broker.bootstrapServers().substring("127.0.0.1:".length());
    return Thread.getAllStackTraces().keySet().stream()
        .filter(t -> t.getName().startsWith(threadName) && t.getName().endsWith("-" + port))
        .map(Thread::getThreadGroup)
        .findAny()
        .orElseThrow();
  }

  private static List<Path> temporaryFolders() throws IOException {
    String ours = "sotto-broker-" + ProcessHandle.current().pid() + "-";
    try (var files = Files.list(Path.of(System.getProperty("java.io.tmpdir")))) {
      return files.filter(f -> f.getFileName().toString().startsWith(ours)).toList();
    }
  }

  private static String login(String user, String password, String more) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\""
        + user
        + "\" password=\""
        + password
        + "\""
        + more
        + ";";
  }

  private static Map<String, Object> sasl(String user, String password) {
    return Map.of(
        "security.protocol", "SASL_PLAINTEXT",
        "sasl.mechanism", "PLAIN",
        "sasl.jaas.config", login(user, password, ""));
  }

  private static Admin admin(EmbeddedBroker broker, Map<String, Object> more) {
    return Admin.create(Clients.settings(broker.bootstrapServers(), more));
  }

  private static NewTopic topic(String name) {
    return new NewTopic(name, 1, (short) 1);
  }

  private static void createTopic(EmbeddedBroker broker, String name) throws Exception {
    try (Admin admin = admin(broker, Map.of())) {
      Topics.create(admin, topic(name));
    }
  }

  private static KafkaProducer<String, String> producer(
      EmbeddedBroker broker, Map<String, Object> more) {
    return new KafkaProducer<>(
        Clients.settings(broker.bootstrapServers(), more),
        new StringSerializer(),
        new StringSerializer());
  }

  /** Commits the values in one transaction, after an aborted one that nobody should see. */
  private static void produce(EmbeddedBroker broker, String... values) {
    try (var producer = producer(broker, Map.of("transactional.id", "test"))) {
      producer.initTransactions();
      producer.beginTransaction();
      producer.send(new ProducerRecord<>(TOPIC, "aborted"));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      for (String value : values) {
        producer.send(new ProducerRecord<>(TOPIC, value));
      }
      producer.commitTransaction();
    }
  }

  private static List<String> consume(EmbeddedBroker broker, int count) {
    Map<String, Object> settings = Clients.settings(
        broker.bootstrapServers(),
        Map.of(
            "group.id", "test",
            "isolation.level", "read_committed",
            "auto.offset.reset", "earliest"));
    List<String> values = new ArrayList<>();
    try (var consumer =
        new KafkaConsumer<>(settings, new StringDeserializer(), new StringDeserializer())) {
      consumer.subscribe(List.of(TOPIC));
      Awaitility.await().pollInSameThread().until(() -> {
        for (ConsumerRecord<String, String> record : consumer.poll(Duration.ofMillis(200))) {
          values.add(record.value());
        }
        return values.size() >= count;
      });
    }
    return values;
  }
}
