package dev.sotto.topology.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.mechanism.QueryNoise;
import dev.sotto.learner.optimizer.momentum.FullBatchSchedule;
import dev.sotto.learner.optimizer.momentum.SensitivityReducedNsgd;
import dev.sotto.learner.training.ClosedRound;
import dev.sotto.learner.training.ModelKeys;
import dev.sotto.learner.training.ModelLearner;
import dev.sotto.learner.training.ModelSnapshot;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.testbroker.Cluster;
import dev.sotto.topology.failure.FailureKind;
import dev.sotto.topology.failure.SottoException;
import dev.sotto.topology.runtime.LearnerService;
import dev.sotto.topology.settings.Layout;
import dev.sotto.topology.settings.LearnerSettings;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * One model over three partitions whose slices are summed apart: the partitions' logs define it.
 */
class RoundsIT {
  private static final int PARTITIONS = 3;
  private static final int BATCH = 12;
  private static final int BLOCKS = 2; // instead of a lag
  private static final SensitivityReducedNsgd FULL_BATCH =
      new SensitivityReducedNsgd(new FullBatchSchedule(BATCH, 5, 1, 0.1, 0.1, 0.1));

  @RegisterExtension
  static Cluster cluster = Cluster.shared();

  @TempDir
  Path folder;

  private int sent;

  private Trial trial(String app) {
    Trial trial =
        Trial.of(app, folder, cluster.clients()).with(Layout.ROUNDS).withModel(4, BATCH, null);
    cluster.createTopic(trial.topic(), PARTITIONS, Map.of());
    return trial;
  }

  private static LearnerService start(Trial trial, int lag) {
    return trial.start(plan -> plan(plan, lag));
  }

  private static Plan plan(Plan plan, int lag) {
    return lag == BLOCKS
        ? plan.toBuilder()
            .algorithm("sensitivity-reduced-nsgd", FULL_BATCH.describe(), FULL_BATCH)
            .mechanism(new QueryNoise(FULL_BATCH.queries()))
            .build()
        : plan.toBuilder().lag(lag).build();
  }

  @Test
  void learnsBehindALagWhatThePureLearnerMakesOfTheSameSlices() {
    learnsWhatThePureLearnerMakesOfTheSameSlices(1);
  }

  @Tag("long")
  @ParameterizedTest
  @ValueSource(ints = {0, BLOCKS})
  void learnsWhatThePureLearnerMakesOfTheSameSlices(int lag) {
    Trial trial = trial("rounds" + lag);
    List<byte[]> events = new ArrayList<>(Trial.events(400, 1));
    int bad = 0;
    for (int i = 7; i < events.size(); i += 13) {
      events.set(i, new byte[i]);
      bad++;
    }
    try (var producer = cluster.producer(Map.of("transactional.id", trial.app() + "-writer"))) {
      producer.initTransactions();
      try (LearnerService service = start(trial, lag)) {
        write(producer, trial.topic(), events.subList(0, 200));
        trial.awaitRounds(service, 10);
      } // in the middle: what is summed and not committed is summed again
      write(producer, trial.topic(), events.subList(200, 400));
      try (LearnerService service = start(trial, lag)) {
        trial.awaitRounds(service, 45);
      }
    }
    Published published = trial.published();
    assertThat(published.letters()).hasSizeBetween(bad / 2, bad);
    assertThat(published.models()).hasSize(published.ledger().size());
    assertThat(
            published.ledger().stream().map(each -> hex(each.snapshotDigest())).toList())
        .isEqualTo(reference(trial, lag, published.ledger()));
  }

  /** The learner's pure step over the committed logs, by offsets alone. */
  private static List<String> reference(Trial trial, int lag, List<LedgerEntry> ledger) {
    Map<String, byte[]> values = new HashMap<>();
    for (ConsumerRecord<byte[], byte[]> each : Published.read(trial.clients(), trial.topic())) {
      values.put(each.partition() + "/" + each.offset(), each.value());
    }
    LearnerSettings settings = trial.learner();
    ModelLearner learner = ModelLearner.start(
        plan(settings.plan(), lag),
        ModelKeys.of(settings.key()),
        "model",
        settings.runName(),
        null);
    EventDecoder decoder = settings.decoder().get();
    Slot slot = new Slot(Trial.DIMENSION);
    List<String> digests = new ArrayList<>();
    int absent = 0;
    for (LedgerEntry entry : ledger) {
      assertThat(entry.ranges()).hasSize(PARTITIONS);
      boolean full = false;
      while (!full) { // a block is read several times
        for (OffsetRange range : entry.ranges()) {
          assertThat(range.from()).isEqualTo((entry.round() - 1) * BATCH / PARTITIONS);
          for (long offset = range.from(); offset < range.to(); offset++) {
            String place = range.partition() + "/" + offset;
            if (values.containsKey(place)) {
              decoder.decode(null, values.get(place), slot);
              full = learner.fill(slot);
            } else {
              full = learner.fillAbsent(1);
              absent++;
            }
          }
        }
      }
      ClosedRound round = learner.close();
      digests.add(hex(ModelSnapshot.digest(round.weights(), round.guarantee())));
    }
    assertThat(absent).isPositive();
    return digests;
  }

  private static String hex(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** Committed in small transactions, with an aborted one before each: offsets without a record. */
  private void write(KafkaProducer<byte[], byte[]> producer, String topic, List<byte[]> events) {
    for (int from = 0; from < events.size(); from += 25) {
      producer.beginTransaction();
      Trial.events(10, from).forEach(lost -> send(producer, topic, lost));
      producer.flush();
      producer.abortTransaction();
      producer.beginTransaction();
      events.subList(from, from + 25).forEach(kept -> send(producer, topic, kept));
      producer.commitTransaction();
    }
  }

  private void send(KafkaProducer<byte[], byte[]> producer, String topic, byte[] event) {
    producer.send(new ProducerRecord<>(topic, sent++ % PARTITIONS, null, event));
  }

  @Test
  void refusesABatchThatPartitionsCannotShare() {
    Trial trial = trial("uneven").withModel(4, 13, null);
    assertThat(failure(trial, 0).kind()).isEqualTo(FailureKind.CONFIGURATION);
  }

  /** The slices would be others. */
  @Test
  void refusesAnotherConfigurationAndMorePartitions() {
    Trial trial = trial("changed");
    try (LearnerService service = start(trial, 0)) {
      assertThat(service.failure()).isNull();
    }
    SottoException other = failure(trial, 1);
    assertThat(other.kind()).isEqualTo(FailureKind.REFUSED);
    assertThat(other).hasMessageContaining("was begun under configuration");
    byte[] key = new byte[32];
    key[0] = 1;
    assertThat(failure(trial.withKey(key), 0)).hasMessageContaining("begun under noise key");
  }

  private static SottoException failure(Trial trial, int lag) {
    try (LearnerService service = start(trial, lag)) {
      throw new AssertionError("it started: " + service);
    } catch (SottoException refused) {
      return refused;
    }
  }
}
