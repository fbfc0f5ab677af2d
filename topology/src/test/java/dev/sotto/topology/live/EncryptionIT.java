package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.broker.BrokerSettings;
import dev.sotto.broker.EmbeddedBroker;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.RunName;
import dev.sotto.learner.release.ReleaserState;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.encryption.Encryption;
import dev.sotto.topology.encryption.Keyset;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.Names;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What somebody finds who has the disks: without encryption much, with it nothing. */
class EncryptionIT {
  private static final double FEATURE = 0.12345678901234567;
  private static final String PERSON = "person-of-the-planted-event";
  private static final String WORD = "word-of-the-planted-event";
  private static final int ROUNDS = 6;

  private static EmbeddedBroker broker;
  private static Cluster cluster;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    broker = EmbeddedBroker.start(BrokerSettings.temporary()
        .withProperties(Map.of("log.index.size.max.bytes", "65536"))); // all files are read
    cluster = new Cluster(broker.bootstrapServers(), broker::close);
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private Trial trial(String app, Layout layout) {
    Trial trial = Trial.of(app, folder.resolve(app), cluster.clients())
        .with(layout)
        .withModel(
            Trial.DIMENSION, 4, () -> new ExampleCodec(Trial.DIMENSION, 1 << 20, UnitSource.UNIT))
        .withClients(Map.of("producer.compression.type", "none"));
    cluster.createTopic(trial.topic());
    return trial;
  }

  private static LearnerService service(Trial trial, Encryption encryption) {
    return new LearnerService(trial.learner().with(encryption), trial.service());
  }

  private static void learn(Trial trial, Encryption encryption, int rounds) {
    try (LearnerService service = service(trial, encryption)) {
      service.start();
      trial.awaitRounds(service, rounds);
    }
  }

  /** Good events of one person, the planted feature in each, and two that are only text. */
  private static List<byte[]> events() {
    List<byte[]> events = new ArrayList<>();
    for (int i = 0; i < 4 * ROUNDS; i++) {
      double[] values = {FEATURE, i / 100.0, -0.25, 0.125};
      events.add(ExampleCodec.encodeDense(null, bytes(PERSON), values, i % 2, 1));
    }
    events.set(5, bytes(WORD));
    events.set(14, bytes(WORD));
    return events;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static byte[] bytes(double value, ByteOrder order) {
    return ByteBuffer.allocate(Double.BYTES).order(order).putDouble(value).array();
  }

  /** What to look for: what was planted, and what the learner keeps after each round. */
  private static DiskSearch search(Trial trial) {
    DiskSearch search = new DiskSearch()
        .plant("feature, little-endian", bytes(FEATURE, ByteOrder.LITTLE_ENDIAN))
        .plant("feature, big-endian", bytes(FEATURE, ByteOrder.BIG_ENDIAN))
        .plant("feature, text", bytes("0.1234567890123456"))
        .plant("person", bytes(PERSON))
        .plant("word", bytes(WORD));
    ModelLearner model = ModelLearner.start(
        trial.plan(),
        ModelKeys.of(NoiseKey.of(trial.key())),
        "model",
        new RunName(trial.app(), "1"),
        null);
    EventDecoder reader = trial.learner().decoder().get();
    Slot slot = new Slot(Trial.DIMENSION);
    for (byte[] event : events()) {
      reader.decode(null, event, slot);
      if (model.fill(slot)) {
        model.close();
        ReleaserState state = model.state().release();
        search.plant("digest of round " + state.round(), state.digest());
        search.plant("prefix of round " + state.round(), state.prefix().join());
      }
    }
    return search;
  }

  /**
   * The broker's folders of an application and of Kafka itself, but for those that are to hold
   * events in clear.
   */
  private static List<Path> brokerFolders(Trial trial) {
    List<String> clear = List.of(trial.topic() + "-0", Names.deadLetters(trial.app()) + "-0");
    List<Path> folders = DiskSearch.folders(
        broker.folder().resolve("logs"),
        name -> !clear.contains(name) && (name.startsWith(trial.app()) || name.startsWith("__")));
    assertThat(folders)
        .extracting(each -> each.getFileName().toString())
        .contains(trial.app() + "-learner-changelog-0", trial.app() + "-heads-changelog-0");
    return folders;
  }

  private static String topicId(String topic) {
    return Cluster.get(cluster
            .admin()
            .describeTopics(List.of(topic))
            .allTopicNames()
            .toCompletionStage()
            .toCompletableFuture())
        .get(topic)
        .topicId()
        .toString();
  }

  @Test
  void leavesNothingOfAnOrderOnTheDisks() throws Exception {
    leavesNothingOnTheDisksThatAnEventOrTheLearnerHeld(Layout.ORDERED);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(names = {"DIRECT", "ROUNDS"})
  void leavesNothingOnTheDisksThatAnEventOrTheLearnerHeld(Layout layout) throws IOException {
    String name = layout.configName();
    Path file = folder.resolve("keyset");
    Keyset keyset = Keyset.create(file);
    Trial sealed = trial("sealed-" + name, layout);
    cluster.send(sealed.topic(), events().subList(0, 14));
    learn(sealed, keyset, 3);
    Keyset rotated = Keyset.rotate(file);
    cluster.send(sealed.topic(), events().subList(14, 4 * ROUNDS));
    Trial elsewhere = sealed.withFolder(folder.resolve("restored")); // from changelogs alone
    learn(elsewhere, rotated, ROUNDS);
    DiskSearch search = search(sealed);
    assertThat(search.in(brokerFolders(sealed))).isEmpty();
    Published published = sealed.published();

    Trial clear = trial("clear-" + name, layout);
    cluster.send(clear.topic(), events());
    learn(clear, Encryption.none(), ROUNDS);
    Map<String, TreeSet<String>> found = search(clear).in(brokerFolders(clear));
    assertThat(found.keySet())
        .contains("digest of round 6", "prefix of round 6", "digest of round 1");
    assertThat(found.get("digest of round 6"))
        .containsExactly(clear.app() + "-heads-changelog-0", clear.app() + "-learner-changelog-0");
    assertThat(found.get("prefix of round 6"))
        .containsExactly(clear.app() + "-learner-changelog-0");
    if (layout != Layout.DIRECT) { // sums are encrypted in any case, and an order has no events
      assertThat(found).doesNotContainKeys("feature, little-endian", "person");
    }
    assertThat(found).doesNotContainKey("word"); // no event that could not be read got anywhere

    assertThat(published.ledger()).hasSize(ROUNDS);
    assertThat(digests(published)).containsExactlyElementsOf(sealed.expectedDigests(events()));
    assertThat(digests(clear.published()))
        .containsExactlyElementsOf(clear.expectedDigests(events()));
    if (layout == Layout.DIRECT) { // elsewhere the ranges are another order
      assertThat(published.ledger())
          .usingRecursiveComparison()
          .ignoringFields("runId", "snapshotDigest", "previousHash") // which follow from app.id
          .isEqualTo(clear.published().ledger());
    }
    assertThat(published.letters()).hasSize(2);

    // The local store holds the id of the topic; it stands for all that RocksDB is given.
    assertThat(stateShows(clear, clear.learner().trainingTopic())).isTrue();
    for (Trial each : List.of(sealed, elsewhere)) {
      assertThat(stateShows(each, each.learner().trainingTopic())).isFalse();
      assertThat(search.in(List.of(each.folder()))).isEmpty();
    }
  }

  private static List<byte[]> digests(Published published) {
    return published.ledger().stream().map(LedgerEntry::snapshotDigest).toList();
  }

  private static boolean stateShows(Trial trial, String topic) {
    return !new DiskSearch()
        .plant("topic id", bytes(topicId(topic)))
        .in(List.of(trial.folder()))
        .isEmpty();
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource(names = {"ORDERED", "ROUNDS"})
  void refusesToGoOnOtherThanItBegan(Layout layout) throws IOException {
    Keyset keyset = Keyset.create(folder.resolve("keyset"));
    Keyset other = Keyset.create(folder.resolve("other"));
    Trial clear = trial("begun-in-clear-" + layout.configName(), layout);
    cluster.send(clear.topic(), events().subList(0, 8));
    learn(clear, Encryption.none(), 2);
    refuses(clear, keyset, "was written without encryption", "Remove encryption.key.file");

    Trial sealed = trial("begun-encrypted-" + layout.configName(), layout);
    cluster.send(sealed.topic(), events().subList(0, 8));
    learn(sealed, keyset, 2);
    refuses(sealed, Encryption.none(), "is encrypted", "Set encryption.key.file");
    refuses(sealed, other, "under key " + keyset.primaryId(), "has only " + other.primaryId());

    cluster.send(sealed.topic(), events().subList(8, 4 * ROUNDS));
    learn(sealed, keyset, ROUNDS);
    assertThat(digests(sealed.published()))
        .containsExactlyElementsOf(sealed.expectedDigests(events()));
  }

  private static void refuses(Trial trial, Encryption encryption, String... words) {
    int before = trial.published().ledger().size();
    try (LearnerService service = service(trial, encryption)) {
      SottoException failure = failure(service);
      assertThat(failure).isNotNull();
      assertThat(failure.kind()).isEqualTo(FailureKind.REFUSED);
      assertThat(failure).hasMessageContainingAll(words);
    }
    assertThat(trial.published().ledger()).hasSize(before);
  }

  /** At the start, or as soon as a store is opened. */
  private static SottoException failure(LearnerService service) {
    try {
      service.start();
    } catch (SottoException atStart) {
      return atStart;
    }
    Awaitility.await().atMost(Trial.PATIENCE).until(service::hasEnded);
    return service.failure();
  }
}
