package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.app.explain.RecordExplainer;
import dev.sotto.app.explain.RecordExplanation;
import dev.sotto.app.explain.RecordOutcome;
import dev.sotto.app.explain.RecordPosition;
import dev.sotto.config.SottoConfig;
import dev.sotto.config.source.EffectiveSettings;
import dev.sotto.evaluation.text.JsonRenderer;
import dev.sotto.evaluation.text.TextRenderer;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.VersionSchedule;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.live.Published;
import dev.sotto.topology.live.Trial;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelIdRule;
import dev.sotto.topology.settings.Names;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Every record is told its round, or why it has none; compared with the ledger's own ranges. */
class ExplainIT {
  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private Trial trial(String app) {
    return Trial.of(app, folder, cluster.clients());
  }

  private static Object field(RecordExplanation explanation, String name) {
    return JsonRenderer.fields(explanation.describe()).get(name);
  }

  private static RecordExplanation explain(
      SottoConfig config, String topic, int partition, long offset) {
    try (RecordExplainer explain = new RecordExplainer(config, (task, done, most) -> {})) {
      return explain.explain(new RecordPosition(topic, partition, offset));
    }
  }

  private static RecordExplanation explain(Trial trial, long offset) {
    return explain(PreflightIT.config(trial), trial.topic(), 0, offset);
  }

  private static void transaction(
      KafkaProducer<byte[], byte[]> producer, String topic, List<byte[]> events, boolean commit) {
    producer.beginTransaction();
    events.forEach(each -> producer.send(new ProducerRecord<>(topic, 0, null, each)));
    producer.flush();
    if (commit) {
      producer.commitTransaction();
    } else {
      producer.abortTransaction();
    }
    cluster.awaitMarkers(topic);
  }

  @Test
  void tellsEveryRecordOfADirectLearnerItsRoundOrWhyItHasNone() {
    Trial trial = trial("told");
    cluster.createTopic(trial.topic());
    assertThat(explain(trial, 0).outcome()).isEqualTo(RecordOutcome.NOT_WRITTEN);
    try (var producer = cluster.producer(Map.of("transactional.id", "told-writer"))) {
      producer.initTransactions();
      List<byte[]> first = new ArrayList<>(Trial.events(5, 1));
      first.set(2, new byte[] {7});
      transaction(producer, trial.topic(), first, true); // 0 to 4, marker 5
      transaction(producer, trial.topic(), Trial.events(2, 2), false); // 6, 7, marker 8
      transaction(producer, trial.topic(), Trial.events(5, 3), true); // 9 to 13, marker 14
      assertThat(explain(trial, 3).outcome()).isEqualTo(RecordOutcome.NOT_BEGUN);
      trial.learnRounds(2);

      assertThat(explain(trial, 0)).satisfies(each -> {
        assertThat(each.outcome()).isEqualTo(RecordOutcome.IN_ROUND);
        assertThat(each.round()).isEqualTo(1);
        assertThat(field(each, "version")).isEqualTo(1L);
        assertThat(field(each, "model")).isEqualTo("model");
        assertThat(field(each, "setAside")).isNull();
        assertThat(TextRenderer.of(each.describe()))
            .contains("version 1 is the first", "inside the trust boundary");
      });
      assertThat(explain(trial, 2)).satisfies(each -> {
        assertThat(each.round()).isEqualTo(1);
        assertThat(field(each, "setAside")).asString().startsWith("UNREADABLE (");
      });
      assertThat(explain(trial, 4).round()).isEqualTo(2);
      assertThat(explain(trial, 5).outcome()).isEqualTo(RecordOutcome.NO_RECORD);
      assertThat(explain(trial, 7).outcome()).isEqualTo(RecordOutcome.ABORTED);
      assertThat(explain(trial, 11).round()).isEqualTo(2);
      assertThat(explain(trial, 12)).satisfies(each -> {
        assertThat(each.outcome()).isEqualTo(RecordOutcome.IN_OPEN_ROUND);
        assertThat(each.round()).isEqualTo(3);
        assertThat(field(each, "slotsMissing")).isEqualTo(2L);
      });
      Trial other = trial.withModel(trial.dimension(), 2 * trial.batch(), trial.decoder());
      assertThat(explain(other, 4).round()).as("which the ledger says").isEqualTo(2);
      assertThatThrownBy(() -> explain(other, 12))
          .as("of an open round, which only the settings tell")
          .hasMessageContaining("made under others");
      assertThat(explain(trial, 15).outcome()).isEqualTo(RecordOutcome.NOT_WRITTEN);

      producer.beginTransaction();
      producer.send(
          new ProducerRecord<>(trial.topic(), 0, null, Trial.events(1, 4).get(0)));
      producer.flush();
      assertThat(explain(trial, 15).outcome()).isEqualTo(RecordOutcome.NOT_COMMITTED);
      producer.commitTransaction();
      cluster.awaitMarkers(trial.topic());
      transaction(producer, trial.topic(), Trial.events(3, 5), true); // 17 to 19
      assertThat(field(explain(trial, 12), "slotsMissing")).isEqualTo(0L);
      assertThat(explain(trial, 19)).satisfies(each -> {
        assertThat(each.outcome()).isEqualTo(RecordOutcome.WAITING);
        assertThat(each.round()).isEqualTo(4);
      });
    }
    cluster.deleteRecords(trial.topic(), 0, 12);
    assertThat(explain(trial, 0)).satisfies(each -> {
      assertThat(field(each, "gone")).isEqualTo(true);
      assertThat(each.round()).isEqualTo(1);
    });
  }

  @Test
  void knowsWhatLaysBeforeTheOriginAndWhatCameAfterTheBudgetWasSpent() {
    Trial trial = trial("spent");
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(5, 1));
    cluster.deleteRecords(trial.topic(), 0, 2); // learning begins at 2
    LearnerSettings settings = trial.learner();
    double one = trial.plan().guarantee(1).epsilon();
    SottoConfig config = new SottoConfig(
        spending(settings, one * 1.01),
        trial.service(),
        Optional.empty(),
        EffectiveSettings.NONE,
        List.of());
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      cluster.send(trial.topic(), Trial.events(20, 2));
      trial.awaitRounds(service, 1);
    }
    LedgerEntry last = trial.published().ledger().get(trial.published().ledger().size() - 1);
    assertThat(last.last()).isTrue();
    assertThat(explain(config, trial.topic(), 0, 1).outcome())
        .isEqualTo(RecordOutcome.BEFORE_ORIGIN);
    assertThat(explain(config, trial.topic(), 0, 2).round()).isEqualTo(1);
    assertThat(explain(config, trial.topic(), 0, 24).outcome())
        .isEqualTo(RecordOutcome.AFTER_BUDGET);
  }

  private static LearnerSettings spending(LearnerSettings settings, double epsilon) {
    Plan plan = settings.plan();
    Plan bounded =
        plan.toBuilder().budget(new Budget(epsilon, plan.budget().delta())).build();
    return new LearnerSettings(
        settings.app(),
        settings.layout(),
        new LearnerSettings.Events(settings.eventTopic(), settings.modelIds(), settings.decoder()),
        new LearnerSettings.Run(bounded, settings.key(), settings.label()),
        settings.cadence());
  }

  /** Versions of three rounds of four slots: a record's version is named, not its round. */
  @Test
  void tellsEveryRecordItsVersionWhereVersionsHaveSeveralRounds() {
    Trial trial = trial("versions");
    cluster.createTopic(trial.topic());
    cluster.send(trial.topic(), Trial.events(30, 1));
    LearnerSettings usual = trial.learner();
    Plan plan = usual.plan().toBuilder().versions(new VersionSchedule(12, 0)).build();
    LearnerSettings settings = new LearnerSettings(
        usual.app(),
        usual.layout(),
        new LearnerSettings.Events(usual.eventTopic(), usual.modelIds(), usual.decoder()),
        new LearnerSettings.Run(plan, usual.key(), usual.label()),
        usual.cadence());
    SottoConfig config = new SottoConfig(
        settings, trial.service(), Optional.empty(), EffectiveSettings.NONE, List.of());
    try (LearnerService service = new LearnerService(settings, trial.service())) {
      service.start();
      trial.awaitRounds(service, 2); // two entries
    }
    assertThat(explain(config, trial.topic(), 0, 3)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.IN_ROUND);
      assertThat(field(each, "firstRound")).isEqualTo(1L);
      assertThat(each.round()).isEqualTo(3);
      assertThat(field(each, "version")).isEqualTo(3L);
      assertThat(TextRenderer.of(each.describe())).contains("rounds    1 to 3, one of them");
    });
    assertThat(explain(config, trial.topic(), 0, 12)).satisfies(each -> {
      assertThat(field(each, "firstRound")).isEqualTo(4L);
      assertThat(each.round()).isEqualTo(6);
    });
    assertThat(explain(config, trial.topic(), 0, 28)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.IN_OPEN_VERSION);
      assertThat(each.round()).isEqualTo(8);
      assertThat(field(each, "slotsMissing")).isEqualTo(6L);
      assertThat(TextRenderer.of(each.describe()))
          .contains("6 slots until its version ends, at the latest");
    });
  }

  @Test
  void tellsModelsOfOnePartitionApart() {
    Trial trial = trial("several");
    cluster.createTopic(trial.topic());
    LearnerSettings one = trial.learner();
    LearnerSettings keyed = new LearnerSettings(
        one.app(),
        one.layout(),
        new LearnerSettings.Events(
            one.eventTopic(), new ModelIdRule(ModelIdRule.Source.KEY, ""), one.decoder()),
        new LearnerSettings.Run(one.plan(), one.key(), one.label()),
        one.cadence());
    SottoConfig config = new SottoConfig(
        keyed, trial.service(), Optional.empty(), EffectiveSettings.NONE, List.of());
    List<byte[]> events = Trial.events(12, 1);
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < events.size(); i++) {
        byte[] key = i == 6 ? null : (i % 3 == 0 ? "a" : "b").getBytes(StandardCharsets.UTF_8);
        producer.send(new ProducerRecord<>(trial.topic(), 0, key, events.get(i)));
      }
    }
    try (LearnerService service = new LearnerService(keyed, trial.service())) {
      service.start();
      trial.awaitRounds(service, 2); // a: 0 3 9; b: 1 2 4 5, 7 8 10 11
    }
    assertThat(explain(config, trial.topic(), 0, 5)).satisfies(each -> {
      assertThat(field(each, "model")).isEqualTo("b");
      assertThat(each.round()).isEqualTo(1);
    });
    assertThat(explain(config, trial.topic(), 0, 8).round()).isEqualTo(2);
    assertThat(explain(config, trial.topic(), 0, 3)).satisfies(each -> {
      assertThat(field(each, "model")).isEqualTo("a");
      assertThat(each.outcome()).isEqualTo(RecordOutcome.IN_OPEN_ROUND);
      assertThat(field(each, "slotsMissing")).isEqualTo(1L);
    });
    assertThat(explain(config, trial.topic(), 0, 6)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.NO_MODEL);
      assertThat(field(each, "setAside")).asString().startsWith("NO_MODEL");
    });
  }

  @Test
  void findsEveryEventOfAnOrder() {
    Trial trial = trial("woven").with(Layout.ORDERED);
    cluster.createTopic(trial.topic(), 3, Map.of());
    List<byte[]> events = new ArrayList<>(Trial.events(61, 1));
    events.set(10, null);
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < events.size(); i++) {
        producer.send(new ProducerRecord<>(trial.topic(), i % 3, null, events.get(i)));
      }
    }
    List<ConsumerRecord<byte[], byte[]>> ordered = new ArrayList<>();
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 15);
      Awaitility.await().until(() -> {
        ordered.clear();
        ordered.addAll(new OrderReplay(
                Published.read(cluster.clients(), trial.topic()),
                Published.read(cluster.clients(), Names.order("woven")))
            .inOrder());
        return ordered.size() == 61;
      });
    }
    SottoConfig config = PreflightIT.config(trial);
    try (RecordExplainer explain = new RecordExplainer(config, (task, done, most) -> {})) {
      for (int i = 0; i < ordered.size(); i++) {
        var record = ordered.get(i);
        Long round = i / 4 + 1L;
        RecordExplanation found =
            explain.explain(new RecordPosition(trial.topic(), record.partition(), record.offset()));
        assertThat(found.outcome())
            .isEqualTo(i == 60 ? RecordOutcome.IN_OPEN_ROUND : RecordOutcome.IN_ROUND);
        assertThat(found.round()).isEqualTo(round);
        assertThat(field(found, "version")).isEqualTo(i == 60 ? null : (Object) round);
        assertThat(field(found, "setAside") != null).isEqualTo(record.value() == null);
      }
    }
    try (var producer = cluster.producer(Map.of())) {
      producer.send(new ProducerRecord<>(trial.topic(), 1, null, events.get(0)));
    }
    assertThat(explain(config, trial.topic(), 1, 20).outcome())
        .isEqualTo(RecordOutcome.NOT_ANNOUNCED);
  }

  @Test
  void tellsWhatARoundOverPartitionsWaitsFor() {
    Trial trial = trial("sliced").with(Layout.ROUNDS); // two offsets of each partition
    cluster.createTopic(trial.topic(), 2, Map.of());
    SottoConfig config = PreflightIT.config(trial);
    List<byte[]> events = new ArrayList<>(Trial.events(7, 1));
    events.set(2, new byte[] {7});
    cluster.send(trial.topic(), 0, events);
    cluster.send(trial.topic(), 1, Trial.events(2, 2));
    cluster.deleteRecords(trial.topic(), 0, 1); // learning begins at 1
    assertThat(explain(config, trial.topic(), 0, 1).outcome()).isEqualTo(RecordOutcome.NOT_BEGUN);
    trial.learnRounds(1);
    assertThat(explain(config, trial.topic(), 0, 0).outcome())
        .isEqualTo(RecordOutcome.BEFORE_ORIGIN);
    assertThat(explain(config, trial.topic(), 0, 2)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.IN_ROUND);
      assertThat(each.round()).isEqualTo(1);
      assertThat(field(each, "version")).isEqualTo(1L);
      assertThat(field(each, "setAside")).asString().startsWith("UNREADABLE (");
    });
    assertThat(explain(config, trial.topic(), 1, 1).round()).isEqualTo(1);
    assertThat(explain(config, trial.topic(), 0, 3)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.IN_OPEN_ROUND);
      assertThat(each.round()).isEqualTo(2);
      assertThat(field(each, "awaited")).isEqualTo(Map.of("1", 2L));
      assertThat(TextRenderer.of(each.describe()))
          .contains("waits for partition 1: 2 more offsets");
    });
    assertThat(explain(config, trial.topic(), 0, 6)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.WAITING);
      assertThat(each.round()).isEqualTo(3);
    });
    assertThat(explain(config, trial.topic(), 1, 2).outcome()).isEqualTo(RecordOutcome.NOT_WRITTEN);

    try (var producer = cluster.producer(Map.of("transactional.id", "sliced-writer"))) {
      producer.initTransactions();
      producer.beginTransaction();
      Trial.events(2, 3)
          .forEach(each -> producer.send(new ProducerRecord<>(trial.topic(), 1, null, each)));
      producer.flush();
      producer.abortTransaction(); // 2, 3, marker 4
    }
    cluster.awaitMarkers(trial.topic());
    assertThat(explain(config, trial.topic(), 1, 3)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.ABORTED_SLOT);
      assertThat(each.round()).isEqualTo(2);
      assertThat(field(each, "awaited")).isEqualTo(Map.of("1", 0L));
      assertThat(TextRenderer.of(each.describe()))
          .contains("waits for partition 1: a record after its slice");
    });
    assertThat(explain(config, trial.topic(), 1, 4)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.EMPTY_SLOT);
      assertThat(each.round()).isEqualTo(3);
    });
    cluster.send(trial.topic(), 1, Trial.events(1, 4)); // behind the slice: round 2 can close
    assertThat(field(explain(config, trial.topic(), 1, 3), "awaited")).isNull();
    trial.learnRounds(2);
    assertThat(explain(config, trial.topic(), 1, 3)).satisfies(each -> {
      assertThat(each.outcome()).isEqualTo(RecordOutcome.ABORTED_SLOT);
      assertThat(field(each, "ledgerSequence")).isEqualTo(2L);
    });
  }

  @Test
  void refusesWhatItDoesNotLearnFrom() {
    Trial trial = trial("foreign");
    cluster.createTopic(trial.topic());
    SottoConfig config = PreflightIT.config(trial);
    assertThatThrownBy(() -> explain(config, "other", 0, 0))
        .isInstanceOf(SottoException.class)
        .hasMessage("the record must be of foreign-events, but was of other");
    assertThatThrownBy(() -> explain(config, trial.topic(), 1, 0))
        .hasMessage("topic foreign-events has partitions 0 to 0, but not 1");
  }
}
