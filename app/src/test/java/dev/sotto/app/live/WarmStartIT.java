package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.sotto.config.ConfigException;
import dev.sotto.config.ConfigSource;
import dev.sotto.config.SottoConfig;
import dev.sotto.learner.accounting.GaussianDp;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.verify.PublishedTopics;
import dev.sotto.replay.verify.Verification;
import dev.sotto.replay.verify.VerificationResult.Outcome;
import dev.sotto.testbroker.Cluster;
import dev.sotto.testing.Seed;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.failure.UnsafeToContinueException;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.read.CommittedTopic;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Names;
import dev.sotto.topology.start.ModelFiles;
import dev.sotto.topology.start.PublishedRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import org.apache.kafka.clients.consumer.OffsetAndMetadata;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.TopicPartition;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Runs that begin at the published weights of others, on a real broker. */
class WarmStartIT {
  private static final double DELTA = 1e-6;
  private static final double BUDGET = 8;

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  private static Path key;

  @TempDir
  Path folder;

  @BeforeAll
  static void start(@TempDir Path shared) throws IOException {
    key = shared.resolve("noise.key");
    NoiseKey.create(key);
  }

  private SottoConfig config(String app, String topic, String layout, String... more) {
    List<String> flags = new ArrayList<>(List.of(
        "bootstrap.servers=" + cluster.clients().get("bootstrap.servers"),
        "noise.key.file=" + key,
        "state.dir=" + folder.resolve(app),
        "app.id=" + app,
        "events.topic=" + topic,
        "layout=" + layout));
    flags.addAll(List.of(more));
    return SottoConfig.load(ConfigSource.of("a test", """
            events.format: json
            features.numeric.size: {field: size, min: 0, max: 4}
            features.categorical.kind: {field: kind}
            features.hash.bits: 4
            features.hats: 0
            label.field: y
            loss: logistic
            batch.size: 12
            release.every.slots: 24
            privacy: {epsilon: 8, delta: 1e-6}
            topics.replication.factor: 1
            kafka.consumer.session.timeout.ms: 6000
            """).withFlags(flags));
  }

  private static void send(String topic, int partitions, int count, long seed) {
    Random random = Seed.random(seed);
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < count; i++) {
        int size = random.nextInt(5);
        String event = "{\"size\":" + size + ",\"kind\":\"" + "abc".charAt(random.nextInt(3))
            + "\",\"y\":" + (size + random.nextInt(3) > 3 ? 1 : 0) + "}";
        producer.send(new ProducerRecord<>(
            topic, i % partitions, null, event.getBytes(StandardCharsets.UTF_8)));
      }
    }
  }

  /** Runs until so many versions are published, then stops. */
  private static List<LedgerEntry> learn(SottoConfig config, int versions) {
    String app = config.learner().app();
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      Awaitility.await()
          .atMost(Trial.PATIENCE.multipliedBy(2))
          .pollInterval(Duration.ofMillis(200))
          .untilAsserted(() -> {
            assertThat(service.failure()).isNull();
            assertThat(ledger(app)).hasSizeGreaterThanOrEqualTo(versions);
          });
    }
    return ledger(app);
  }

  private static List<LedgerEntry> ledger(String app) {
    return Published.of(cluster.clients(), app).ledger();
  }

  private static double[] newest(String app) {
    var models = Published.of(cluster.clients(), app).models();
    return models.get(models.size() - 1).weights();
  }

  /** An old run over 100 records and so many partitions. */
  private String learned(String app, String layout, int partitions) {
    String topic = app + "-events";
    cluster.createTopic(topic, partitions, Map.of());
    send(topic, partitions, 100, 1);
    learn(config(app, topic, layout), 4);
    return topic;
  }

  @Test
  void learnsBehindAStoppedRunOfDirectAndPaysForNothingTwice() {
    learnsBehindAStoppedRunAndPaysForNothingTwice("direct", "direct", 1);
  }

  @Tag("long")
  @ParameterizedTest
  @CsvSource({"ordered, rounds, 3", "rounds, ordered, 3"})
  void learnsBehindAStoppedRunAndPaysForNothingTwice(String before, String now, int partitions) {
    String old = "old-" + before + "-" + now;
    String topic = learned(old, before, partitions);
    String app = "new-" + before + "-" + now;
    SottoConfig config = config(app, topic, now, "start.from=" + Names.snapshots(old));
    assertThat(config.learner().plan().start()).isEqualTo(newest(old));
    assertThat(config.learner().plan().budget().spentMu()).isZero();
    List<OffsetRange> behind = config.learner().learnedBefore();
    assertThat(behind).hasSize(partitions);
    assertThat(behind.stream().mapToLong(OffsetRange::to).sum()).isBetween(96L, 100L);
    send(topic, partitions, 60, 2);
    List<LedgerEntry> entries = learn(config, 2);
    assertThat(entries.get(0).terms().spentMu()).isZero();
    refused(
        config(app, topic, now), "start.from was given and is left out", "put the old settings");
    if (!now.equals("ordered")) { // which partition comes first is a matter of chance there
      for (OffsetRange range : entries.get(0).ranges()) {
        long to = behind.stream()
            .filter(each -> each.partition() == range.partition())
            .findFirst()
            .orElseThrow()
            .to();
        assertThat(range.from()).isEqualTo(to);
      }
    }
  }

  /** The old run's topics forget; the new one does not, and its bits can be computed again. */
  @Tag("long")
  @Test
  void remembersWhereItBegan() throws InterruptedException {
    String topic = learned("forgotten", "direct", 1);
    String[] from = {"start.from=forgotten.snapshots"};
    SottoConfig config = config("remembering", topic, "direct", from);
    byte[] fingerprint = config.learner().plan().fingerprint();
    double[] start = newest("forgotten");
    assertThat(config("elsewhere", topic, "direct").learner().plan().fingerprint())
        .isNotEqualTo(fingerprint);
    send(topic, 1, 50, 2);
    learn(config, 2);
    cluster.deleteTopic(Names.snapshots("forgotten"));
    cluster.deleteTopic(Names.ledger("forgotten"));
    SottoConfig again = config("remembering", topic, "direct", from);
    assertThat(again.learner().plan().fingerprint()).isEqualTo(fingerprint);
    assertThat(again.learner().plan().start()).isEqualTo(start);
    send(topic, 1, 50, 3);
    learn(again, 4);
    assertThatThrownBy(() -> config("remembering", topic, "direct", "start.from=other.snapshots"))
        .hasMessageContaining("began at forgotten.snapshots@8")
        .isInstanceOfSatisfying(
            SottoException.class,
            refused -> assertThat(refused.kind()).isEqualTo(FailureKind.REFUSED));
    long first = again.learner().learnedBefore().get(0).to();
    InMemoryRecording.Builder made = InMemoryRecording.of(topic).partition(0, first);
    try (CommittedTopic events = new CommittedTopic(cluster.clients(), topic)) {
      events.readToEnd(each -> {
        if (each.offset() >= first) {
          made.add(0, each.offset(), each.timestamp(), each.key(), each.value(), each.headers());
        }
      });
    }
    Verification verification = new Verification(
        again.learner(), made.build(), new PublishedTopics(cluster.clients(), "remembering"));
    assertThat(verification.run().outcome()).isEqualTo(Outcome.EQUAL);
  }

  @Test
  void refusesToReadAgainWhatItHasNotPaidFor() throws InterruptedException {
    String topic = learned("before", "direct", 1);
    SottoConfig config = config("behind", topic, "direct", "start.from=before.snapshots");
    send(topic, 1, 30, 2);
    learn(config, 1);
    put("behind", topic, 50);
    refused(config, "began with a budget of its own", "from offset 96 on", "stands at 50");
    learn(config("before", topic, "direct"), 5);
    refused(
        config,
        "began with a budget of its own",
        "before has gone on",
        "had 4 entries then, and has 5");
    cluster.deleteTopic(topic);
    cluster.createTopic(topic, 1, Map.of());
    send(topic, 1, 200, 3);
    refused(config, "began with a budget of its own", "Restore the topic");
  }

  /** Offsets of the group are hints: its own state and order say where it goes on. */
  @ParameterizedTest
  @ValueSource(strings = {"direct", "ordered"})
  void publishesNothingWhereItHadBegunWithoutTheOldRun(String layout) {
    String topic = learned("first-" + layout, layout, 1);
    String app = "second-" + layout;
    SottoConfig forgotten =
        config(app, topic, layout, "batch.size=1200", "release.every.slots=1200");
    try (LearnerService service = new LearnerService(forgotten.learner(), forgotten.service())) {
      service.start();
      Awaitility.await()
          .atMost(Trial.PATIENCE)
          .until(() -> cluster.topics().contains(app + "-heads-changelog")
              && !Published.read(cluster.clients(), app + "-heads-changelog").isEmpty());
    }
    SottoConfig config = config(app, topic, layout, "start.from=first-" + layout + ".snapshots");
    long to = config.learner().learnedBefore().get(0).to();
    put(app, topic, to);
    send(topic, 1, 30, 2);
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure())
          .hasMessageContainingAll("began with a budget of its own", "But it has begun at 0");
    }
    assertThat(ledger(app)).isEmpty();
  }

  /**
   * Files outlive a changelog. Whoever takes over would restore the histories that were written
   * since, with a mark that fits, and begin all others anew.
   */
  @Tag("long")
  @Test
  void goesOnWithNoHistoriesThatStandOnOneMachineAlone() {
    cluster.createTopic("held-events", 1, Map.of());
    sendIds("held-events", 0, 40);
    SottoConfig config = config(
        "held",
        "held-events",
        "direct",
        "privacy.contribution=first-of-id",
        "unit.from=key",
        "state.every.rounds=1");
    learn(config, 1);
    cluster.deleteTopic("held-units-changelog");
    sendIds("held-events", 40, 40);
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
      assertThat(service.failure())
          .hasMessageContainingAll("held-units-changelog was deleted", "sotto reset");
    }
    assertThat(ledger("held")).hasSize(1);
  }

  private static void sendIds(String topic, int from, int count) {
    try (var producer = cluster.producer(Map.of())) {
      for (int i = from; i < from + count; i++) {
        producer.send(new ProducerRecord<>(
            topic, 0, bytes("id-" + i), bytes("{\"size\":1,\"kind\":\"a\",\"y\":1}")));
      }
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static void put(String group, String topic, long offset) {
    var there = Map.of(new TopicPartition(topic, 0), new OffsetAndMetadata(offset));
    Cluster.get(cluster
        .admin()
        .alterConsumerGroupOffsets(group, there)
        .all()
        .toCompletionStage()
        .toCompletableFuture());
  }

  private static void refused(SottoConfig config, String... why) {
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      assertThatThrownBy(service::start)
          .isInstanceOf(UnsafeToContinueException.class)
          .hasMessageContainingAll(why);
    }
  }

  /** All that an old run may ever spend counts, wherever the new one may learn its records again. */
  @Test
  void carriesTheCostWhereTheSameRecordsMayBeLearnedAgain() throws Exception {
    String topic = learned("costly", "direct", 1);
    double limit = ledger("costly").get(3).guarantee().muLimit();
    assertThat(limit).isCloseTo(GaussianDp.mu(BUDGET, DELTA), within(1e-6));
    String from = "start.from=costly.snapshots@4";
    String more = "privacy.epsilon=20";
    spends(limit, config("again", topic, "direct", from, more, "events.start=earliest"));
    assertThatThrownBy(() -> config("again", topic, "direct", from, "events.start=earliest"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContainingAll("start.from leaves nothing of the budget", "earliest");
    cluster.createTopic("copies", 1, Map.of());
    spends(limit, config("again", "copies", "direct", from, more));
    spends(
        Math.hypot(limit, 0.5),
        config("again", "copies", "direct", from, more, "privacy.spent.mu=0.5"));
    spends(
        2 * limit,
        config("again", "copies", "direct", from, more, "privacy.adjacency=replace-one"));
    Path file = folder.resolve("costly.model");
    ModelFiles.write(
        file, new PublishedRun(cluster.clients(), "costly").version(OptionalLong.of(4)));
    spends(limit, config("again", topic, "direct", "start.from=" + file, more));
    assertThatThrownBy(
            () -> config("again", topic, "direct", from, more, "privacy.unit=key", "unit.from=key"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("bounds nothing of unit key");
    SottoConfig old = config("costly", topic, "direct");
    try (LearnerService running = new LearnerService(old.learner(), old.service())) {
      running.start();
      Awaitility.await().atMost(Trial.PATIENCE).until(running::isRunning);
      assertThatThrownBy(() -> config("again", topic, "direct", from, more))
          .hasMessageContaining("costly still runs")
          .isInstanceOfSatisfying(
              SottoException.class,
              refused -> assertThat(refused.kind()).isEqualTo(FailureKind.IN_USE));
      spends(limit, config("again", topic, "direct", from, more, "events.start=earliest"));
    }
    send(topic, 1, 30, 2);
    SottoConfig beside = config("again", topic, "direct", from, more, "events.start=earliest");
    List<LedgerEntry> entries = learn(beside, 2);
    assertThat(entries.get(0).terms().spentMu()).isEqualTo(limit);
    assertThat(entries.get(0).guarantee().mu()).isGreaterThan(limit);
    assertThat(entries.get(0).ranges().get(0).from()).isZero();
  }

  /** Through any number of runs: what is learned again is paid for again. */
  @Tag("long")
  @Test
  void carriesTheCostOfAWholeChain() throws Exception {
    String topic = learned("first", "direct", 1);
    send(topic, 1, 40, 2);
    learn(config("second", topic, "direct", "start.from=first.snapshots", "privacy.epsilon=1"), 1);
    double first = ledger("first").get(0).guarantee().muLimit();
    LedgerEntry newest = ledger("second").get(0);
    double second = newest.guarantee().muLimit();
    assertThat(newest.terms().spentMu()).isZero();
    assertThat(newest.terms().earlierMu()).isEqualTo(first);
    assertThat(second).isLessThan(first / 4);
    String from = "start.from=second.snapshots";
    SottoConfig third = config("third", topic, "direct", from);
    assertThat(third.learner().plan().budget().spentMu()).isZero();
    assertThat(third.learner().plan().budget().earlierMu())
        .isEqualTo(Math.nextUp(Math.hypot(first, second)));
    String more = "privacy.epsilon=20";
    spends(
        Math.hypot(first, second),
        config("third", topic, "direct", from, more, "events.start=earliest"));
    learn(config("first", topic, "direct"), 5); // records of the second run, too
    spends(Math.hypot(first, second), config("third", topic, "direct", from, more));
    cluster.deleteTopic(Names.start("second"));
    spends(Math.hypot(first, second), config("third", topic, "direct", from, more));
    SottoConfig again = config("second", topic, "direct", "start.from=first.snapshots");
    refused(again, "second.ledger", "privacy.epsilon was", "put the old settings back");
  }

  /** The second run has no entry of a partition that had nothing for it: the first one does. */
  @Test
  void learnsNothingAgainThatARunBeforeTheOldOneLearned() {
    String topic = learned("spring", "ordered", 2);
    List<OffsetRange> first = config("brook", topic, "ordered", "start.from=spring.snapshots")
        .learner()
        .learnedBefore();
    assertThat(first).hasSize(2);
    send(topic, 1, 40, 2); // all of them to the first partition
    learn(config("brook", topic, "ordered", "start.from=spring.snapshots"), 1);
    List<OffsetRange> second = config("river", topic, "ordered", "start.from=brook.snapshots")
        .learner()
        .learnedBefore();
    assertThat(second).hasSize(2);
    assertThat(second.get(0).to()).isGreaterThan(first.get(0).to());
    assertThat(second.get(1)).isEqualTo(first.get(1));
    assertThatThrownBy(() -> config("spring", topic, "ordered", "start.from=brook.snapshots"))
        .hasMessageContaining("comes after one of app.id spring");
  }

  /** What a group says can be moved; the ledger tells how far an order has been learned. */
  @Tag("long")
  @Test
  void knowsHowFarAnOrderHasBeenLearned() throws InterruptedException {
    String topic = learned("poured", "ordered", 3);
    Map<TopicPartition, OffsetAndMetadata> back = Map.of(
        new TopicPartition(topic, 0), new OffsetAndMetadata(0),
        new TopicPartition(topic, 1), new OffsetAndMetadata(0),
        new TopicPartition(topic, 2), new OffsetAndMetadata(0));
    Cluster.get(cluster
        .admin()
        .alterConsumerGroupOffsets("poured", back)
        .all()
        .toCompletionStage()
        .toCompletableFuture());
    String from = "start.from=poured.snapshots";
    List<OffsetRange> learned = config("cup", topic, "ordered", from).learner().learnedBefore();
    List<LedgerEntry> ledger = ledger("poured");
    assertThat(learned).hasSize(3).allMatch(each -> each.from() == 0);
    assertThat(learned.stream().mapToLong(OffsetRange::to).sum())
        .as("slots of published versions, and no others")
        .isEqualTo(ledger.get(ledger.size() - 1).slots());
  }

  private static void spends(double mu, SottoConfig config) {
    assertThat(config.learner().plan().budget().spentMu()).isCloseTo(mu, within(1e-9));
    assertThat(config.learner().plan().budget().spentMu()).isGreaterThanOrEqualTo(mu - 1e-15);
    assertThat(config.learner().learnedBefore()).isEmpty();
  }

  @Test
  void refusesWeightsWhoseCostNobodyKnows() throws Exception {
    String topic = learned("honest", "direct", 1);
    assertThatThrownBy(() -> config("thief", topic, "direct", "start.from=honest.snapshots@5"))
        .hasMessageContainingAll("no whole version 5", "[2, 4, 6, 8]");
    cluster.createTopic(Names.snapshots("lonely"));
    for (var record : Published.read(cluster.clients(), Names.snapshots("honest"))) {
      copy(Names.snapshots("lonely"), record.key(), record.value());
    }
    assertThatThrownBy(() -> config("thief", topic, "direct", "start.from=lonely.snapshots"))
        .hasMessageContaining("lonely.ledger does not exist");
    cluster.createTopic(Names.ledger("lonely"));
    List<byte[]> entries = Published.read(cluster.clients(), Names.ledger("honest")).stream()
        .map(each -> each.value())
        .toList();
    for (byte[] entry : entries.subList(0, 3)) {
      copy(Names.ledger("lonely"), null, entry);
    }
    assertThatThrownBy(() -> config("thief", topic, "direct", "start.from=lonely.snapshots"))
        .hasMessageContaining("no entry that confirms version 8");
    byte[] forged = entries.get(3).clone();
    forged[forged.length / 2] ^= 1;
    copy(Names.ledger("lonely"), null, forged);
    assertThatThrownBy(() -> config("thief", topic, "direct", "start.from=lonely.snapshots"))
        .hasMessageContaining("lonely.ledger does not hold");
    Path file = folder.resolve("cut.model");
    ModelFiles.write(
        file, new PublishedRun(cluster.clients(), "honest").version(OptionalLong.of(4)));
    byte[] whole = Files.readAllBytes(file);
    for (int at : new int[] {20, whole.length / 2, whole.length - 1}) {
      byte[] damaged = whole.clone();
      damaged[at] ^= 1;
      Files.write(file, damaged);
      assertThatThrownBy(() -> config("thief", topic, "direct", "start.from=" + file))
          .as("byte %d", at)
          .isInstanceOf(RuntimeException.class);
    }
    assertThatThrownBy(() -> config("thief", topic, "direct", "start.from=missing.model"))
        .hasMessageContainingAll("missing.model", "does not exist", "sotto snapshot --out");
    assertThatThrownBy(() -> config("honest", topic, "direct", "start.from=honest.snapshots"))
        .hasMessageContaining("own snapshots");
  }

  private static void copy(String topic, byte[] key, byte[] value) throws Exception {
    try (var producer = cluster.producer(Map.of())) {
      producer.send(new ProducerRecord<>(topic, 0, key, value)).get();
    }
  }

  /**
   * What a released version has published, kept as a file: its state may be unreadable one day, its
   * topics keep what was learned. With {@code -Dfixture.update=true} the file is written where
   * there is none yet.
   */
  @Tag("long")
  @Test
  void beginsAtWhatAReleasedVersionPublished() throws Exception {
    Path file = Path.of("src/test/resources/fixture/topics-semantics-4.txt");
    if (Boolean.getBoolean("fixture.update") && Files.notExists(file)) {
      learned("released", "direct", 1);
      List<String> lines = new ArrayList<>();
      for (String name : List.of("snapshots", "ledger")) {
        Published.read(cluster.clients(), "released." + name)
            .forEach(each -> lines.add(name + " " + Published.line(each)));
      }
      Files.createDirectories(file.getParent());
      Files.write(file, lines);
    }
    cluster.createTopic("kept.snapshots");
    cluster.createTopic("kept.ledger");
    for (String line : Files.readAllLines(file)) {
      String[] words = line.split(" ");
      copy(
          "kept." + words[0],
          words[1].getBytes(StandardCharsets.UTF_8),
          HexFormat.of().parseHex(words[2]));
    }
    cluster.createTopic("kept-events", 1, Map.of());
    send("kept-events", 1, 60, 2);
    SottoConfig config = config(
        "upgraded", "kept-events", "direct", "start.from=kept.snapshots", "privacy.epsilon=20");
    double limit = GaussianDp.mu(BUDGET, DELTA); // nothing tells whether these records are new
    assertThat(config.learner().plan().budget().spentMu()).isCloseTo(limit, within(1e-6));
    assertThat(config.learner().plan().start())
        .isEqualTo(new PublishedRun(cluster.clients(), "kept")
            .version(OptionalLong.of(8))
            .weights())
        .isNotEqualTo(new double[18]);
    assertThat(learn(config, 2)).hasSize(2);
  }

  /** Features that both have keep their weights; what changes is told. */
  @Tag("long")
  @Test
  void carriesFeaturesOverByName() {
    String topic = learned("narrow", "direct", 1);
    SottoConfig config = config(
        "wide",
        topic,
        "direct",
        "start.from=narrow.snapshots",
        "features.hash.bits=5",
        "features.numeric.age.field=age",
        "features.numeric.age.min=0",
        "features.numeric.age.max=1",
        "features.numeric.age.optional=true");
    double[] old = newest("narrow"); // bias, size, 16 hashed
    double[] now = config.learner().plan().start(); // bias, age and size by name, 32 hashed
    assertThat(now).hasSize(3 + 32);
    assertThat(now[0]).isEqualTo(old[0]);
    assertThat(List.of(now[1], now[2])).containsExactlyInAnyOrder(0.0, old[1]);
    for (int i = 0; i < 32; i++) {
      assertThat(now[3 + i]).isEqualTo(old[2 + i % 16]);
    }
    assertThat(config.learner().run().start().orElseThrow().notes())
        .anyMatch(each -> each.contains("age") && each.contains("new"));
  }
}
