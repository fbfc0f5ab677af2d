package dev.sotto.app.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.sotto.app.config.SottoConfig;
import dev.sotto.app.operations.Explain;
import dev.sotto.app.operations.Explanation;
import dev.sotto.app.operations.Fate;
import dev.sotto.app.operations.RecordPlace;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.record.SlotCodec;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerService;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.Names;
import dev.sotto.topology.StartFailure;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every record is told its round, or why it has none; compared with the ledger's own ranges. */
@Timeout(180)
class ExplainIT {
  private static Cluster cluster;

  @TempDir
  Path folder;

  @BeforeAll
  static void start() {
    cluster = Cluster.embedded();
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private Trial trial(String app) {
    return Trial.of(app, folder, cluster.clients());
  }

  private static Explanation explain(SottoConfig config, String topic, int partition, long offset) {
    try (Explain explain = new Explain(config, (task, done, most) -> {})) {
      return explain.explain(new RecordPlace(topic, partition, offset));
    }
  }

  private static Explanation explain(Trial trial, long offset) {
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
  }

  @Test
  void tellsEveryRecordOfADirectLearnerItsRoundOrWhyItHasNone() {
    Trial trial = trial("told");
    cluster.createTopic(trial.topic());
    assertThat(explain(trial, 0).fate()).isEqualTo(Fate.NOT_WRITTEN);
    try (var producer = cluster.producer(Map.of("transactional.id", "told-writer"))) {
      producer.initTransactions();
      List<byte[]> first = new ArrayList<>(Trial.events(5, 1));
      first.set(2, new byte[] {7});
      transaction(producer, trial.topic(), first, true); // 0 to 4, marker 5
      transaction(producer, trial.topic(), Trial.events(2, 2), false); // 6, 7, marker 8
      transaction(producer, trial.topic(), Trial.events(5, 3), true); // 9 to 13, marker 14
      assertThat(explain(trial, 3).fate()).isEqualTo(Fate.NOT_BEGUN);
      trial.learnRounds(2);

      assertThat(explain(trial, 0)).satisfies(each -> {
        assertThat(each.fate()).isEqualTo(Fate.IN_ROUND);
        assertThat(each.round()).isEqualTo(1);
        assertThat(each.version()).isEqualTo(1);
        assertThat(each.model()).isEqualTo("model");
        assertThat(each.setAside()).isNull();
        assertThat(each.text()).contains("version 1 is the first", "inside the trust boundary");
      });
      assertThat(explain(trial, 2)).satisfies(each -> {
        assertThat(each.round()).isEqualTo(1);
        assertThat(each.setAside()).startsWith("UNREADABLE (");
      });
      assertThat(explain(trial, 4).round()).isEqualTo(2);
      assertThat(explain(trial, 5).fate()).isEqualTo(Fate.NO_RECORD);
      assertThat(explain(trial, 7).fate()).isEqualTo(Fate.ABORTED);
      assertThat(explain(trial, 11).round()).isEqualTo(2);
      assertThat(explain(trial, 12)).satisfies(each -> {
        assertThat(each.fate()).isEqualTo(Fate.IN_OPEN_ROUND);
        assertThat(each.round()).isEqualTo(3);
        assertThat(each.slotsMissing()).isEqualTo(2);
      });
      assertThat(explain(trial, 15).fate()).isEqualTo(Fate.NOT_WRITTEN);

      producer.beginTransaction();
      producer.send(
          new ProducerRecord<>(trial.topic(), 0, null, Trial.events(1, 4).get(0)));
      producer.flush();
      assertThat(explain(trial, 15).fate()).isEqualTo(Fate.NOT_COMMITTED);
      producer.commitTransaction();
      transaction(producer, trial.topic(), Trial.events(3, 5), true); // 17 to 19
      assertThat(explain(trial, 12).slotsMissing()).isZero();
      assertThat(explain(trial, 19)).satisfies(each -> {
        assertThat(each.fate()).isEqualTo(Fate.WAITING);
        assertThat(each.round()).isEqualTo(4);
      });
    }
    cluster.deleteRecords(trial.topic(), 0, 12);
    assertThat(explain(trial, 0)).satisfies(each -> {
      assertThat(each.gone()).isTrue();
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
        spending(settings, one * 1.01), trial.service(), Optional.empty(), Map.of(), List.of());
    try (LearnerService service = new LearnerService(config.learner(), config.service())) {
      service.start();
      cluster.send(trial.topic(), Trial.events(20, 2));
      trial.awaitRounds(service, 1);
    }
    LedgerEntry last = trial.published().ledger().get(trial.published().ledger().size() - 1);
    assertThat(last.last()).isTrue();
    assertThat(explain(config, trial.topic(), 0, 1).fate()).isEqualTo(Fate.BEFORE_ORIGIN);
    assertThat(explain(config, trial.topic(), 0, 2).round()).isEqualTo(1);
    assertThat(explain(config, trial.topic(), 0, 24).fate()).isEqualTo(Fate.AFTER_BUDGET);
  }

  private static LearnerSettings spending(LearnerSettings settings, double epsilon) {
    Plan plan = settings.plan();
    Plan bounded = new Plan(
        plan.features(),
        plan.dimension(),
        plan.lossName(),
        plan.loss(),
        plan.algorithm(),
        plan.steps(),
        plan.optimizer(),
        plan.mechanism(),
        plan.clip(),
        plan.batch(),
        plan.sigma(),
        plan.adjacency(),
        plan.unit(),
        new Budget(epsilon, plan.budget().delta()));
    return new LearnerSettings(
        settings.app(),
        settings.layout(),
        settings.eventTopic(),
        settings.modelIds(),
        bounded,
        settings.key(),
        settings.label(),
        settings.decoder(),
        settings.cadence());
  }

  @Test
  void tellsModelsOfOnePartitionApart() {
    Trial trial = trial("several");
    cluster.createTopic(trial.topic());
    LearnerSettings one = trial.learner();
    LearnerSettings keyed = new LearnerSettings(
        one.app(),
        one.layout(),
        one.eventTopic(),
        new ModelIds(ModelIds.Source.KEY, ""),
        one.plan(),
        one.key(),
        one.label(),
        one.decoder(),
        one.cadence());
    SottoConfig config =
        new SottoConfig(keyed, trial.service(), Optional.empty(), Map.of(), List.of());
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
      assertThat(each.model()).isEqualTo("b");
      assertThat(each.round()).isEqualTo(1);
    });
    assertThat(explain(config, trial.topic(), 0, 8).round()).isEqualTo(2);
    assertThat(explain(config, trial.topic(), 0, 3)).satisfies(each -> {
      assertThat(each.model()).isEqualTo("a");
      assertThat(each.fate()).isEqualTo(Fate.IN_OPEN_ROUND);
      assertThat(each.slotsMissing()).isEqualTo(1);
    });
    assertThat(explain(config, trial.topic(), 0, 6)).satisfies(each -> {
      assertThat(each.fate()).isEqualTo(Fate.NO_MODEL);
      assertThat(each.setAside()).startsWith("NO_MODEL");
    });
  }

  @Test
  void findsEveryEventOfAFunnelInItsSequence() {
    Trial trial = trial("woven").with(Layout.FUNNEL);
    cluster.createTopic(trial.topic(), 3, Map.of());
    List<byte[]> events = new ArrayList<>(Trial.events(61, 1));
    events.set(10, null);
    try (var producer = cluster.producer(Map.of())) {
      for (int i = 0; i < events.size(); i++) {
        producer.send(new ProducerRecord<>(trial.topic(), i % 3, null, events.get(i)));
      }
    }
    try (LearnerService service = trial.start()) {
      trial.awaitRounds(service, 15);
      Awaitility.await()
          .until(
              () -> Published.read(cluster.clients(), Names.sequence("woven")).size() == 61);
    }
    SottoConfig config = PreflightIT.config(trial);
    Published published = trial.published();
    SlotCodec codec = new SlotCodec();
    Slot slot = new Slot(Trial.DIMENSION);
    int told = 0;
    try (Explain explain = new Explain(config, (task, done, most) -> {})) {
      for (var record : Published.read(cluster.clients(), Names.sequence("woven"))) {
        Verdict verdict = codec.decode(record.value(), slot);
        long round = round(published, record.offset());
        Explanation found =
            explain.explain(new RecordPlace(trial.topic(), codec.partition(), codec.offset()));
        assertThat(found.sequenceOffset()).isEqualTo(record.offset());
        assertThat(found.fate()).isEqualTo(round == 0 ? Fate.IN_OPEN_ROUND : Fate.IN_ROUND);
        assertThat(found.round()).isEqualTo(round == 0 ? 16 : round);
        assertThat(found.version()).isEqualTo(round);
        assertThat(found.setAside() != null).isEqualTo(verdict != Verdict.USED);
        RecordPlace sequenced = new RecordPlace(Names.sequence("woven"), 0, record.offset());
        if (record.offset() % 10 == 0) {
          assertThat(explain.explain(sequenced).round()).isEqualTo(found.round());
        }
        told++;
      }
    }
    assertThat(told).isEqualTo(61);
    try (var producer = cluster.producer(Map.of())) {
      producer.send(new ProducerRecord<>(trial.topic(), 1, null, events.get(0)));
    }
    assertThat(explain(config, trial.topic(), 1, 20).fate()).isEqualTo(Fate.NOT_FORWARDED);
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
    assertThat(explain(config, trial.topic(), 0, 1).fate()).isEqualTo(Fate.NOT_BEGUN);
    trial.learnRounds(1);
    assertThat(explain(config, trial.topic(), 0, 0).fate()).isEqualTo(Fate.BEFORE_ORIGIN);
    assertThat(explain(config, trial.topic(), 0, 2)).satisfies(each -> {
      assertThat(each.fate()).isEqualTo(Fate.IN_ROUND);
      assertThat(each.round()).isEqualTo(1);
      assertThat(each.version()).isEqualTo(1);
      assertThat(each.setAside()).startsWith("UNREADABLE (");
    });
    assertThat(explain(config, trial.topic(), 1, 1).round()).isEqualTo(1);
    assertThat(explain(config, trial.topic(), 0, 3)).satisfies(each -> {
      assertThat(each.fate()).isEqualTo(Fate.IN_OPEN_ROUND);
      assertThat(each.round()).isEqualTo(2);
      assertThat(each.awaited()).isEqualTo(Map.of(1, 2L));
      assertThat(each.text()).contains("waits for partition 1: 2 more offsets");
    });
    assertThat(explain(config, trial.topic(), 0, 6)).satisfies(each -> {
      assertThat(each.fate()).isEqualTo(Fate.WAITING);
      assertThat(each.round()).isEqualTo(3);
    });
    assertThat(explain(config, trial.topic(), 1, 2).fate()).isEqualTo(Fate.NOT_WRITTEN);

    try (var producer = cluster.producer(Map.of("transactional.id", "sliced-writer"))) {
      producer.initTransactions();
      producer.beginTransaction();
      Trial.events(2, 3)
          .forEach(each -> producer.send(new ProducerRecord<>(trial.topic(), 1, null, each)));
      producer.flush();
      producer.abortTransaction(); // 2, 3, marker 4
    }
    assertThat(explain(config, trial.topic(), 1, 3)).satisfies(each -> {
      assertThat(each.fate()).isEqualTo(Fate.ABORTED_SLOT);
      assertThat(each.round()).isEqualTo(2);
      assertThat(each.awaited()).isEqualTo(Map.of(1, 0L));
      assertThat(each.text()).contains("waits for partition 1: a record behind its slice");
    });
    assertThat(explain(config, trial.topic(), 1, 4)).satisfies(each -> {
      assertThat(each.fate()).isEqualTo(Fate.EMPTY_SLOT);
      assertThat(each.round()).isEqualTo(3);
    });
    cluster.send(trial.topic(), 1, Trial.events(1, 4)); // behind the slice: round 2 can close
    assertThat(explain(config, trial.topic(), 1, 3).awaited()).isEmpty();
    trial.learnRounds(2);
    assertThat(explain(config, trial.topic(), 1, 3)).satisfies(each -> {
      assertThat(each.fate()).isEqualTo(Fate.ABORTED_SLOT);
      assertThat(each.entry().round()).isEqualTo(2);
    });
  }

  private static long round(Published published, long offset) {
    return published.ledger().stream()
        .filter(entry -> entry.ranges().stream()
            .anyMatch(range -> offset >= range.from() && offset < range.to()))
        .mapToLong(LedgerEntry::round)
        .findFirst()
        .orElse(0);
  }

  @Test
  void refusesWhatItDoesNotLearnFrom() {
    Trial trial = trial("foreign");
    cluster.createTopic(trial.topic());
    SottoConfig config = PreflightIT.config(trial);
    assertThatThrownBy(() -> explain(config, "other", 0, 0))
        .isInstanceOf(StartFailure.class)
        .hasMessage("the record must be of foreign-events, but was of other");
    assertThatThrownBy(() -> explain(config, trial.topic(), 1, 0))
        .hasMessage("topic foreign-events has partitions 0 to 0, but not 1");
  }
}
