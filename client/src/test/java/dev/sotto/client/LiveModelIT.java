package dev.sotto.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.client.ModelPublisher.Fault;
import dev.sotto.serdes.record.AliasTarget;
import dev.sotto.serdes.record.ModelAlias;
import dev.sotto.serdes.topic.PublishedTopicNames;
import dev.sotto.testbroker.Cluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A client's model follows what is committed, and keeps what it has where that is damaged. */
class LiveModelIT {
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  private static void awaitVersion(LiveModel model, long version) {
    Awaitility.await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> assertThat(model.current().map(ScoringModel::version)).contains(version));
  }

  /** Each has looked at what is written now, and could not decide on it. */
  private static void awaitUndecided(LiveModel... models) {
    long[] before = Stream.of(models).mapToLong(LiveModel::undecidedLooks).toArray();
    for (int i = 0; i < models.length; i++) {
      LiveModel model = models[i];
      long looks = before[i];
      Awaitility.await().atMost(PATIENCE).until(() -> model.undecidedLooks() > looks);
    }
  }

  private static void awaitHealth(LiveModel model, ModelHealth.State state, String... text) {
    Awaitility.await().atMost(PATIENCE).untilAsserted(() -> {
      assertThat(model.health().state()).isEqualTo(state);
      assertThat(model.health().text()).contains(text);
    });
  }

  @Test
  void followsNewVersionsAndKeepsTheLastWhereOneIsDamaged() throws InterruptedException {
    try (ModelPublisher publisher = new ModelPublisher(cluster, "live")) {
      publisher.publish("model", 1, Fault.NONE);
      publisher.publish("model", 2, Fault.NONE);
      publisher.publish("model/other", 9, Fault.NONE);
      List<Long> changes = new CopyOnWriteArrayList<>();
      ModelListener listener = new ModelListener() {
        @Override
        public void changed(ScoringModel fresh) {
          changes.add(fresh.version());
        }
      };
      try (LiveModel model = LiveModel.open(
          cluster.clients(),
          "live",
          options -> options.withModel("model").withListener(listener))) {
        ScoringModel first = model.await(PATIENCE);
        assertThat(first.version()).isEqualTo(2);
        assertThat(first.scorer().score(new double[ModelPublisher.WEIGHTS])).isEqualTo(0.5);
        assertThat(model.age().orElseThrow()).isBetween(Duration.ofMinutes(-1), PATIENCE);
        publisher.publish("model", 3, Fault.NONE);
        awaitVersion(model, 3);
        long version = 3;
        for (Fault fault : Fault.values()) {
          if (fault == Fault.NONE) {
            continue;
          }
          publisher.publish("model", ++version, fault);
          awaitHealth(model, ModelHealth.State.DAMAGED, "version " + version, "stays in place");
          assertThat(model.health().text())
              .contains(
                  switch (fault) {
                    case WEIGHTS_CHANGED, CHUNK_MISSING -> "does not verify";
                    case UNKNOWN_LOSS -> "tweedie(2)";
                    case UNKNOWN_FEATURES -> "feature-map 7";
                    case OTHER_LEDGER_ENTRY -> "not what its ledger entry";
                    default -> "ledger has no entry";
                  });
          long before = version - 1;
          assertThat(model.current().orElseThrow().version()).isEqualTo(before);
          publisher.publish("model", ++version, Fault.NONE);
          awaitVersion(model, version);
          awaitHealth(model, ModelHealth.State.CURRENT, "version " + version);
        }
        assertThat(first.version()).as("what somebody holds does not change").isEqualTo(2);
        assertThat(changes).doesNotHaveDuplicates().isSorted().contains(2L, 3L, version);
      }
    }
  }

  /**
   * A transaction ends in one partition after the other: its entry, or what an alias names, may be
   * committed a moment later.
   */
  @Test
  void waitsUntilAllPartitionsHaveHeardOfACommit() throws InterruptedException {
    try (ModelPublisher publisher = new ModelPublisher(cluster, "late");
        ModelPublisher beside = publisher.beside(cluster)) {
      publisher.publish("model", 1, Fault.NONE);
      List<ModelHealth> said = new CopyOnWriteArrayList<>();
      ModelListener listener = new ModelListener() {
        @Override
        public void health(ModelHealth health) {
          said.add(health);
        }
      };
      try (LiveModel model =
          LiveModel.open(cluster.clients(), "late", options -> options.withListener(listener))) {
        assertThat(model.await(PATIENCE).version()).isOne();
        beside.beginEntry("model", 2);
        publisher.publish("model", 2, Fault.NO_LEDGER_ENTRY);
        try (LiveModel pinned = LiveModel.open(
            cluster.clients(),
            "late",
            options -> options.withVersion("model", 2).withListener(listener))) {
          awaitUndecided(model, pinned);
          beside.commit();
          assertThat(pinned.await(PATIENCE).version()).isEqualTo(2);
        }
        awaitVersion(model, 2);
        cluster.createTopic(PublishedTopicNames.aliases("late"), 1, Map.of());
        beside.begin("model", 3);
        publisher.publish(ModelAlias.first("champion", target(3), "me", ""));
        try (LiveModel named = LiveModel.open(
                cluster.clients(),
                "late",
                options -> options.withAlias("champion").withListener(listener));
            LiveModel pinned = LiveModel.open(
                cluster.clients(),
                "late",
                options -> options.withVersion("model", 3).withListener(listener))) {
          awaitUndecided(named, pinned);
          beside.commit();
          assertThat(named.await(PATIENCE).version()).isEqualTo(3);
          assertThat(pinned.await(PATIENCE).version()).isEqualTo(3);
        }
        assertThat(said)
            .extracting(ModelHealth::state)
            .doesNotContain(ModelHealth.State.DAMAGED, ModelHealth.State.MISSING);
        // The twin: an entry that was aborted is none.
        awaitVersion(model, 3);
        beside.beginEntry("model", 4);
        publisher.publish("model", 4, Fault.NO_LEDGER_ENTRY);
        awaitUndecided(model);
        beside.abort();
        awaitHealth(model, ModelHealth.State.DAMAGED, "version 4", "ledger has no entry");
        assertThat(model.current().orElseThrow().version()).isEqualTo(3);
      }
    }
  }

  /** Somebody died in a transaction: what lies before it is used, and what lies behind it later. */
  @Test
  void usesTheVersionBeforeWhileATransactionIsLeftOpen() throws InterruptedException {
    try (ModelPublisher publisher = new ModelPublisher(cluster, "held");
        ModelPublisher beside = publisher.beside(cluster)) {
      publisher.publish("model", 1, Fault.NONE);
      cluster.awaitMarkers(PublishedTopicNames.ledger("held"));
      beside.beginEntry("model", 2);
      for (long version = 2; version <= 20; version++) {
        publisher.publish("model", version, version == 2 ? Fault.NO_LEDGER_ENTRY : Fault.NONE);
      }
      try (LiveModel model = LiveModel.open(cluster.clients(), "held")) {
        assertThat(model.await(PATIENCE).version()).isOne();
        awaitHealth(model, ModelHealth.State.DAMAGED, "version 20", "a transaction is open");
        assertThat(model.current().orElseThrow().version()).isOne();
        beside.commit();
        awaitVersion(model, 20);
        awaitHealth(model, ModelHealth.State.CURRENT, "version 20");
      }
    }
  }

  /** A twin of the damage: without the ledger, what only the ledger contradicts is taken. */
  @Test
  void takesVersionsByTheirDigestAloneWhereTheLedgerIsLeftOut() throws InterruptedException {
    try (ModelPublisher publisher = new ModelPublisher(cluster, "unchecked")) {
      publisher.publish("model", 1, Fault.OTHER_LEDGER_ENTRY);
      try (LiveModel model =
          LiveModel.open(cluster.clients(), "unchecked", LiveModel.Options::withoutLedger)) {
        assertThat(model.await(PATIENCE).version()).isOne();
      }
      try (LiveModel model = LiveModel.open(cluster.clients(), "unchecked")) {
        awaitHealth(model, ModelHealth.State.DAMAGED, "not what its ledger entry");
        assertThatThrownBy(() -> model.await(Duration.ofMillis(1)))
            .isInstanceOf(ModelUnavailableException.class)
            .hasMessageContaining("version 1");
      }
    }
  }

  @Test
  void staysAtAVersionThatIsPinnedAndSaysWhatIsThereInstead() throws InterruptedException {
    try (ModelPublisher publisher = new ModelPublisher(cluster, "pinned")) {
      publisher.publish("model", 3, 9_998);
      publisher.publish("other", 150, Fault.NONE);
      try (LiveModel unclear = LiveModel.open(cluster.clients(), "pinned")) {
        awaitHealth(unclear, ModelHealth.State.MISSING, "several models", "model, other");
      }
      publisher.publish("model", 9_999, 10_002);
      try (LiveModel model = LiveModel.open(
              cluster.clients(), "pinned", options -> options.withVersion("model", 4));
          LiveModel other =
              LiveModel.open(cluster.clients(), "pinned", options -> options.withModel("other"));
          LiveModel gone = LiveModel.open(
              cluster.clients(), "pinned", options -> options.withVersion("model", 2))) {
        assertThat(model.await(PATIENCE).version()).isEqualTo(4);
        assertThat(other.await(PATIENCE).version()).isEqualTo(150);
        awaitHealth(
            gone,
            ModelHealth.State.MISSING,
            "version 2 of model model is not there",
            "from 3 to 10002");
        publisher.publish("model", 10_003, Fault.NONE);
        try (LiveModel newest = LiveModel.open(
            cluster.clients(), "pinned", options -> options.withVersion("model", 10_003))) {
          assertThat(newest.await(PATIENCE).version()).isEqualTo(10_003);
        }
        assertThat(model.current().orElseThrow().version()).isEqualTo(4);
      }
    }
  }

  private static AliasTarget target(long version) {
    return new AliasTarget("model", new byte[16], version);
  }

  @Test
  void followsAnAliasAndKeepsTheLastVersionWhereItsTargetIsGone() throws InterruptedException {
    try (ModelPublisher publisher = new ModelPublisher(cluster, "aliased")) {
      publisher.publish("model", 5, 9);
      try (LiveModel model =
          LiveModel.open(cluster.clients(), "aliased", options -> options.withAlias("champion"))) {
        awaitHealth(model, ModelHealth.State.MISSING, "alias champion names no version");
        cluster.createTopic(PublishedTopicNames.aliases("aliased"), 1, Map.of());
        ModelAlias alias = ModelAlias.first("champion", target(6), "me", "");
        publisher.publish(alias);
        publisher.publish(ModelAlias.first("other", target(9), "me", ""));
        assertThat(model.await(PATIENCE).version()).isEqualTo(6);
        publisher.publish("model", 10, Fault.NONE);
        alias = alias.set(target(8), "me", "");
        publisher.publish(alias);
        awaitVersion(model, 8);
        alias = alias.set(target(2), "me", "");
        publisher.publish(alias);
        awaitHealth(model, ModelHealth.State.MISSING, "model@2", "from 5 to 10", "version 8 stays");
        alias = alias.delete("me", "");
        publisher.publish(alias);
        awaitHealth(model, ModelHealth.State.MISSING, "names no version", "version 8 stays");
        publisher.publish(alias.set(target(6), "me", ""));
        awaitVersion(model, 6);
      }
    }
  }

  @Test
  void beginsWithTheNewestGoodVersionAndSaysThatNewerOnesAreDamaged() throws InterruptedException {
    try (ModelPublisher publisher = new ModelPublisher(cluster, "begins")) {
      publisher.publish("model", 1, 3);
      publisher.publish("model", 4, Fault.OTHER_LEDGER_ENTRY);
      publisher.publish("model", 5, Fault.UNKNOWN_LOSS);
      try (LiveModel model = LiveModel.open(cluster.clients(), "begins")) {
        assertThat(model.await(PATIENCE).version()).isEqualTo(3);
        awaitHealth(model, ModelHealth.State.DAMAGED, "version 5", "tweedie(2)", "version 3 stays");
      }
      publisher.publish("model", 6, Fault.NONE);
      publisher.publish("model", 7, Fault.CHUNK_MISSING);
      try (LiveModel model = LiveModel.open(cluster.clients(), "begins")) {
        assertThat(model.await(PATIENCE).version()).isEqualTo(6);
        awaitHealth(model, ModelHealth.State.DAMAGED, "version 7", "does not verify", "6 stays");
      }
    }
  }

  @Test
  void waitsForALearnerThatHasNotStarted() throws InterruptedException {
    try (LiveModel model = LiveModel.open(cluster.clients(), "later")) {
      awaitHealth(model, ModelHealth.State.WAITING, "later.snapshots does not exist", "app.id");
      try (ModelPublisher publisher = new ModelPublisher(cluster, "later")) {
        publisher.publish("model", 1, Fault.NONE);
        assertThat(model.await(PATIENCE).version()).isOne();
      }
    }
  }
}
