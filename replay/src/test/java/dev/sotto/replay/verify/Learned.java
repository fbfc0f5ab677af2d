package dev.sotto.replay.verify;

import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.optim.EuclideanBall;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.Outputs;
import dev.sotto.replay.recording.MemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.serdes.record.UnitSource;
import dev.sotto.topology.Layout;
import dev.sotto.topology.LearnerSettings;
import dev.sotto.topology.ModelIds;
import dev.sotto.topology.core.Hashes;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.apache.kafka.common.header.internals.RecordHeaders;

/** What a learner has published over a made stream, in memory, and how a test changes it. */
final class Learned implements Published, Outputs {
  static final String EVENTS = "arrivals";
  static final int DIMENSION = 4;
  static final ModelIds ONE = new ModelIds(ModelIds.Source.CONSTANT, "model");

  final List<Item> ledger = new ArrayList<>();
  final List<Item> snapshots = new ArrayList<>();
  final List<Item> metrics = new ArrayList<>();

  record Item(int partition, byte[] key, byte[] value) {}

  /** Settings of a learner that a test changes one by one. */
  record Setup(
      Layout layout,
      ModelIds ids,
      NoiseKey key,
      String label,
      String features,
      String steps,
      double clip,
      double sigma,
      long batch,
      MetricsPlan metering,
      long releaseEvery) {
    static Setup of(Layout layout) {
      return new Setup(
          layout, ONE, Learned.key(1), "run", "a line\nb line\n", "steps 1", 1, 0.5, 16, null, 1);
    }

    Setup with(ModelIds other) {
      return new Setup(
          layout, other, key, label, features, steps, clip, sigma, batch, metering, releaseEvery);
    }

    Setup with(NoiseKey other) {
      return new Setup(
          layout, ids, other, label, features, steps, clip, sigma, batch, metering, releaseEvery);
    }

    Setup withLabel(String other) {
      return new Setup(
          layout, ids, key, other, features, steps, clip, sigma, batch, metering, releaseEvery);
    }

    Setup withFeatures(String other) {
      return new Setup(
          layout, ids, key, label, other, steps, clip, sigma, batch, metering, releaseEvery);
    }

    Setup withSteps(String other) {
      return new Setup(
          layout, ids, key, label, features, other, clip, sigma, batch, metering, releaseEvery);
    }

    Setup withClip(double other) {
      return new Setup(
          layout, ids, key, label, features, steps, other, sigma, batch, metering, releaseEvery);
    }

    Setup withBatch(long other) {
      return new Setup(
          layout, ids, key, label, features, steps, clip, sigma, other, metering, releaseEvery);
    }

    Setup with(MetricsPlan other) {
      return new Setup(
          layout, ids, key, label, features, steps, clip, sigma, batch, other, releaseEvery);
    }

    Setup releasingEvery(long rounds) {
      return new Setup(
          layout, ids, key, label, features, steps, clip, sigma, batch, metering, rounds);
    }

    LearnerSettings settings() {
      Plan plan = new Plan(
          features,
          DIMENSION,
          "logistic",
          Objective.of(Losses.LOGISTIC.make()),
          "private-ftrl",
          steps,
          new PrivateFtrl(
              new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)),
          Mechanisms.BINARY_TREE.make(),
          clip,
          batch,
          sigma,
          Adjacency.ZERO_OUT,
          PrivacyUnit.RECORD,
          new Budget(1e6, 1e-6),
          new Participation.Once(),
          Generations.NONE,
          metering,
          0);
      LearnerSettings.Cadence usual = LearnerSettings.Cadence.everyRound();
      return new LearnerSettings(
          "trial",
          layout,
          EVENTS,
          ids,
          plan,
          key,
          label,
          () -> new ExampleCodec(plan.inputs(), 1 << 20, UnitSource.NONE),
          new LearnerSettings.Cadence(
              usual.checkpointSlots(), usual.checkpointInterval(), 1, releaseEvery));
    }
  }

  static NoiseKey key(int number) {
    byte[] secret = new byte[32];
    secret[0] = (byte) number;
    return NoiseKey.of(secret);
  }

  /** An event of a stream. */
  record Event(int partition, long offset, byte[] key, byte[] value) {}

  /** So many offsets of every partition, from 0 on, each with a record but for one in nine. */
  static List<Event> events(int partitions, int offsets) {
    Random random = new Random(7);
    List<Event> events = new ArrayList<>();
    for (int partition = 0; partition < partitions; partition++) {
      for (long offset = 0; offset < offsets; offset++) {
        double[] values = random.doubles(DIMENSION, -1, 1).toArray();
        byte[] value = ExampleCodec.encodeDense(null, null, values, random.nextInt(2), 1);
        byte[] key = {(byte) ('a' + random.nextInt(3))};
        if (offset % 9 != 4) {
          events.add(new Event(partition, offset, key, value));
        }
      }
    }
    return events;
  }

  /** The recording of a stream whose partitions reach over offsets from one (inclusive) to another (exclusive). */
  static MemoryRecording recording(List<Event> events, int partitions, long from, long to) {
    MemoryRecording.Builder made = MemoryRecording.of(EVENTS).topicId("topic-id");
    for (int partition = 0; partition < partitions; partition++) {
      made.partition(partition, from);
    }
    for (Event each : events) {
      if (each.offset() >= from && each.offset() < to) {
        made.add(each.partition(), each.offset(), 0, each.key(), each.value(), new RecordHeaders());
      }
    }
    MemoryRecording reached = made.build();
    reached.header().ranges().forEach(each -> made.skip(each.partition(), to - each.to()));
    return made.build();
  }

  /** What a learner of these settings publishes. */
  static Learned from(Setup setup, Recording recording) {
    Learned learned = new Learned();
    new Replay(setup.settings(), recording).run(learned);
    return learned;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void ledger(int partition, String modelId, byte[] entry) {
    ledger.add(new Item(partition, utf8(modelId), entry));
  }

  @Override
  public void snapshot(int partition, String key, byte[] value) {
    snapshots.add(new Item(partition, utf8(key), value));
  }

  @Override
  public void metrics(int partition, String modelId, byte[] value) {
    metrics.add(new Item(partition, utf8(modelId), value));
  }

  @Override
  public void ledger(Visitor visitor) {
    tell(ledger, visitor);
  }

  @Override
  public void snapshots(Visitor visitor) {
    tell(snapshots, visitor);
  }

  @Override
  public void metrics(Visitor visitor) {
    tell(metrics, visitor);
  }

  @Override
  public String clusterId() {
    return "";
  }

  private static void tell(List<Item> items, Visitor visitor) {
    Map<Integer, Long> offsets = new HashMap<>();
    for (Item each : items) {
      long offset = offsets.merge(each.partition(), 1L, Long::sum) - 1;
      visitor.take(each.partition(), offset, each.key(), each.value());
    }
  }

  List<LedgerEntry> entries() {
    return ledger.stream().map(each -> Codecs.LEDGER.decode(each.value())).toList();
  }

  /** Writes the ledger of one partition anew, its chain included; snapshots are dropped. */
  Learned rewritten(UnaryOperator<LedgerEntry> change) {
    byte[] hash = Hashes.none();
    for (int i = 0; i < ledger.size(); i++) {
      LedgerEntry entry = change.apply(Codecs.LEDGER.decode(ledger.get(i).value()));
      byte[] bytes = Codecs.LEDGER.encode(chained(entry, hash));
      ledger.set(i, new Item(ledger.get(i).partition(), ledger.get(i).key(), bytes));
      hash = Hashes.sha256(bytes);
    }
    snapshots.clear();
    return this;
  }

  private static LedgerEntry chained(LedgerEntry of, byte[] hash) {
    return changed(of, hash, of.keyId(), of.semantics());
  }

  static LedgerEntry changed(LedgerEntry of, byte[] previousHash, String keyId, int semantics) {
    return new LedgerEntry(
        of.sequence(),
        previousHash,
        of.modelId(),
        of.runId(),
        of.generation(),
        of.round(),
        of.algorithm(),
        of.clip(),
        of.sensitivity(),
        of.sigma(),
        of.matrixSensitivity(),
        of.guarantee(),
        of.budgetEpsilon(),
        of.epsilonLeft(),
        of.last(),
        of.slots(),
        of.origin(),
        of.ranges(),
        of.snapshotDigest(),
        of.fingerprint(),
        keyId,
        semantics,
        of.terms());
  }

  /** Keeps the newest record of each key only, as compaction does. */
  Learned compacted() {
    Set<String> seen = new HashSet<>();
    List<Item> newest = new ArrayList<>();
    for (int i = snapshots.size() - 1; i >= 0; i--) {
      if (seen.add(new String(snapshots.get(i).key(), StandardCharsets.UTF_8))) {
        newest.add(0, snapshots.get(i));
      }
    }
    snapshots.clear();
    snapshots.addAll(newest);
    return this;
  }
}
