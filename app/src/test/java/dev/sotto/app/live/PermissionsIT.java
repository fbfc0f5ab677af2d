package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.app.alias.AliasEditor;
import dev.sotto.app.alias.VersionCheck;
import dev.sotto.app.cluster.AclGrant;
import dev.sotto.app.preflight.Preflight;
import dev.sotto.app.preflight.PreflightFinding;
import dev.sotto.app.preflight.PreflightFinding.Level;
import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.settings.GateSettings;
import dev.sotto.config.settings.HttpSettings;
import dev.sotto.replay.play.PlayProgress;
import dev.sotto.replay.play.PlaySettings;
import dev.sotto.replay.play.PlaybackRate;
import dev.sotto.replay.play.Player;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testbroker.Topics;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.Deployment;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.ProducerRecord;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The permissions that are described are those that are needed: nothing is missing, and a reader
 * gets no more.
 */
class PermissionsIT {
  private static EmbeddedBroker broker;
  private static Admin root;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    String users = " user_broker=\"broker-secret\" user_learner=\"learner-secret\""
        + " user_reader=\"reader-secret\" user_nobody=\"nobody-secret\""
        + " user_halfway=\"halfway-secret\""
        + " user_gatekeeper=\"gatekeeper-secret\""
        + " user_player=\"player-secret\"";
    broker = EmbeddedBroker.start(BrokerSettings.temporary()
        .withProperties(Map.of(
            "listener.security.protocol.map", "CLIENT:SASL_PLAINTEXT,CONTROLLER:PLAINTEXT",
            "sasl.enabled.mechanisms", "PLAIN",
            "sasl.mechanism.inter.broker.protocol", "PLAIN",
            "listener.name.client.plain.sasl.jaas.config", login("broker", users),
            "authorizer.class.name", "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users", "User:broker;User:ANONYMOUS")));
    root = Admin.create(Map.copyOf(as("broker")));
  }

  @AfterAll
  static void stop() {
    root.close();
    broker.close();
  }

  private static String login(String user, String more) {
    return "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"" + user
        + "\" password=\"" + user + "-secret\"" + more + ";";
  }

  private static Map<String, String> as(String user) {
    Map<String, String> clients = new HashMap<>();
    clients.put("bootstrap.servers", broker.bootstrapServers());
    clients.put("security.protocol", "SASL_PLAINTEXT");
    clients.put("sasl.mechanism", "PLAIN");
    clients.put("sasl.jaas.config", login(user, ""));
    return clients;
  }

  private static void allow(String user, List<AclGrant> grants) {
    List<AclBinding> bindings = grants.stream()
        .flatMap(grant -> grant.operations().stream()
            .map(each -> new AclBinding(
                new ResourcePattern(grant.type(), grant.name(), grant.pattern()),
                new AccessControlEntry("User:" + user, "*", each, AclPermissionType.ALLOW))))
        .toList();
    Cluster.get(root.createAcls(bindings).all());
    Awaitility.await() // the controller has them; the broker hears of them a moment later
        .until(() ->
            Cluster.get(root.describeAcls(AclBindingFilter.ANY).values()).containsAll(bindings));
  }

  private Trial trial(String app, Layout layout, String user) throws Exception {
    Trial trial = Trial.of(app, folder, as(user)).with(layout);
    Topics.create(root, new NewTopic(trial.topic(), 1, (short) 1));
    return trial;
  }

  private static List<PreflightFinding> faults(Trial trial) {
    SottoConfig config = PreflightIT.config(trial);
    return Preflight.run(config, Duration.ofDays(1)).all().stream()
        .filter(each -> each.level() == Level.FAULT)
        .toList();
  }

  @ParameterizedTest
  @EnumSource
  void letsALearnerRunAndAReaderReadWhatIsPublishedAlone(Layout layout) throws Exception {
    Trial trial = trial("allowed-" + layout.configName(), layout, "learner");
    Deployment blueprint = Deployment.of(trial.learner(), trial.service());
    allow("learner", AclGrant.learner(trial.app(), blueprint));
    allow("reader", AclGrant.reader(blueprint));
    assertThat(faults(trial)).isEmpty();
    Cluster writer = new Cluster(as("broker"), () -> {});
    try (writer;
        var producer = writer.producer(Map.of())) {
      Trial.events(10, 1)
          .forEach(each -> producer.send(new ProducerRecord<>(trial.topic(), 0, null, each)));
    }
    trial.learnRounds(2);
    assertThat(faults(trial)).isEmpty();

    assertThat(Published.read(as("reader"), Names.ledger(trial.app()))).hasSize(2);
    assertThat(Published.read(as("reader"), Names.snapshots(trial.app()))).hasSize(4);
    for (String inside : List.of(
        trial.topic(),
        Names.deadLetters(trial.app()),
        trial.app() + "-heads-changelog",
        trial.learner().trainingTopic())) {
      assertThatThrownBy(() -> Published.read(as("reader"), inside))
          .hasMessageContaining("not allowed to read topic " + inside);
    }
  }

  @Test
  void letsALearnerWithAGateMoveItsAlias() throws Exception {
    Trial trial = trial("gated", Layout.DIRECT, "gatekeeper");
    Deployment blueprint = Deployment.of(trial.learner(), trial.service());
    SottoConfig plain = PreflightIT.config(trial);
    SottoConfig gated = new SottoConfig(
        plain.learner(),
        plain.service(),
        plain.http(),
        plain.effective().with(GateSettings.ALIAS, "champion"),
        plain.warnings());
    allow("gatekeeper", AclGrant.learner(gated, blueprint));
    try (Cluster writer = new Cluster(as("broker"), () -> {});
        var producer = writer.producer(Map.of())) {
      Trial.events(10, 1)
          .forEach(each -> producer.send(new ProducerRecord<>(trial.topic(), 0, null, each)));
    }
    trial.learnRounds(1);
    AliasTarget target = new VersionCheck(as("gatekeeper"), trial.app()).newest("model");
    Optional<ModelAlias> alias = new AliasEditor(as("gatekeeper"), trial.app())
        .edit("champion", found -> Optional.of(ModelAlias.first("champion", target, "", "")));
    assertThat(alias.orElseThrow().target()).contains(target);
    // The twin: what a learner without a gate may do is not enough.
    assertThat(AclGrant.learner(plain, blueprint))
        .doesNotContainAnyElementsOf(AclGrant.learner(gated, blueprint).stream()
            .filter(each -> each.name().equals(Names.aliases(trial.app())))
            .toList());
  }

  @Test
  void namesEveryPermissionThatIsMissingWithTheCommandThatGrantsIt() throws Exception {
    Trial trial = trial("denied", Layout.DIRECT, "nobody");
    List<PreflightFinding> faults = faults(trial);
    assertThat(faults)
        .filteredOn(each -> each.subject().equals("permissions on topic denied.ledger"))
        .singleElement()
        .satisfies(each -> assertThat(each.fix())
            .contains("kafka-acls.sh", "--operation Write", "--topic 'denied.ledger'"));
    assertThat(faults)
        .extracting(PreflightFinding::subject)
        .contains(
            "permissions on topic denied-events",
            "permissions on group denied",
            "permissions on transactional ids denied-*");

    Deployment blueprint = Deployment.of(trial.learner(), trial.service());
    List<AclGrant> all = AclGrant.learner("denied", blueprint);
    allow("nobody", all.subList(1, all.size())); // all but the event topic, which comes first
    assertThat(faults(trial))
        .isNotEmpty()
        .allMatch(each -> each.subject().endsWith("denied-events"));
    allow("nobody", all.subList(0, 1));
    assertThat(faults(trial)).isEmpty();
  }

  /** Of what does not exist yet brokers tell nothing by themselves. */
  @Test
  void namesWhatIsMissingBeforeTheFirstStart() throws Exception {
    Trial trial = trial("halfway", Layout.DIRECT, "halfway");
    SottoConfig plain = PreflightIT.config(trial);
    SottoConfig paged = new SottoConfig(
        plain.learner(),
        plain.service(),
        Optional.of(HttpSettings.anyPort()),
        plain.effective(),
        plain.warnings());
    Deployment blueprint = Deployment.of(trial.learner(), trial.service());
    List<AclGrant> all = AclGrant.learner(paged, blueprint);
    List<AclGrant> half = all.stream()
        .map(each -> {
          Set<AclOperation> some = EnumSet.of(AclOperation.DESCRIBE);
          if (each.name().equals(trial.topic())) {
            some.addAll(each.operations());
          }
          return new AclGrant(each.type(), each.name(), each.pattern(), some);
        })
        .toList();
    allow("halfway", half);
    assertThat(Preflight.run(paged, Duration.ofDays(1)).all())
        .filteredOn(each -> each.fix().startsWith("kafka-acls.sh"))
        .extracting(PreflightFinding::fix)
        .anySatisfy(fix -> assertThat(fix).contains("Read", "--group 'halfway'"))
        .anySatisfy(fix -> assertThat(fix).contains("Write", "--transactional-id 'halfway-'"))
        .anySatisfy(fix -> assertThat(fix).contains("DescribeConfigs", "'halfway.ledger'"))
        .anySatisfy(fix -> assertThat(fix).contains("Create", "'halfway.ledger'"));
    allow("halfway", List.of(AclGrant.group("halfway")));
    assertThat(Preflight.run(paged, Duration.ofDays(1)).all())
        .extracting(PreflightFinding::fix)
        .anySatisfy(fix -> assertThat(fix).contains("Read", "'halfway.aliases'"))
        .anySatisfy(fix -> assertThat(fix).contains("Read", "'halfway.ledger'"));
    allow("halfway", all);
    assertThat(Preflight.run(paged, Duration.ofDays(1)).all())
        .noneMatch(each -> each.level() == Level.FAULT);
  }

  /**
   * The permissions that docs/play.md names are enough, and without any of them it says which one
   * is missing.
   */
  @Test
  void letsAPlayerPlay() throws Exception {
    Topics.create(root, new NewTopic("played", 1, (short) 1));
    InMemoryRecording recording =
        InMemoryRecording.of("events").add(0, null, new byte[] {1}).build();
    PlaySettings settings = new PlaySettings(
        "played",
        as("player"),
        new PlaybackRate.Fastest(),
        PlaySettings.Start.PLAIN,
        true,
        PlaySettings.Bounds.USUAL);
    forbids(recording, settings, "topic played");
    allowPlayer(ResourceType.TOPIC, "played", AclOperation.DESCRIBE);
    forbids(recording, settings, "Read, Write on the topic");
    allowPlayer(ResourceType.TOPIC, "played", AclOperation.READ, AclOperation.WRITE);
    forbids(recording, settings, "read the settings of topic played");
    allowPlayer(ResourceType.TOPIC, "played", AclOperation.DESCRIBE_CONFIGS);
    forbids(recording, settings, "transactional id sotto-play.played.");
    allowPlayer(
        ResourceType.TRANSACTIONAL_ID, "sotto-play.", AclOperation.WRITE, AclOperation.DESCRIBE);
    forbids(recording, settings, "group sotto-play.played.");
    allowPlayer(ResourceType.GROUP, "sotto-play.", AclOperation.READ);
    try (Player player = new Player(recording, settings, PlayProgress.NONE)) {
      assertThat(player.play().played()).isOne();
    }
  }

  private static void allowPlayer(ResourceType type, String name, AclOperation... operations) {
    PatternType pattern = type == ResourceType.TOPIC ? PatternType.LITERAL : PatternType.PREFIXED;
    allow("player", List.of(new AclGrant(type, name, pattern, Set.of(operations))));
  }

  private static void forbids(Recording recording, PlaySettings settings, String what) {
    assertThatThrownBy(() -> {
          try (Player player = new Player(recording, settings, PlayProgress.NONE)) {
            player.play();
          }
        })
        .isInstanceOfSatisfying(
            SottoException.class,
            failure ->
                assertThat(failure.kind()).as(failure.toString()).isEqualTo(FailureKind.FORBIDDEN))
        .hasMessageContaining("not allowed to")
        .hasMessageContaining(what);
  }
}
