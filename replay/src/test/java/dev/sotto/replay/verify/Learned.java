package dev.sotto.replay.verify;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.Sha256;
import dev.sotto.replay.Replay;
import dev.sotto.replay.cluster.OutputListener;
import dev.sotto.replay.recording.InMemoryRecording;
import dev.sotto.replay.recording.Recording;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.ExampleCodec;
import dev.sotto.testing.Seed;
import dev.sotto.topology.settings.ModelIdRule;
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
final class Learned implements PublishedOutputs, OutputListener {
  static final String EVENTS = "arrivals";
  static final int DIMENSION = 4;
  static final ModelIdRule ONE = new ModelIdRule(ModelIdRule.Source.CONSTANT, "model");

  final List<Item> ledger = new ArrayList<>();
  final List<Item> snapshots = new ArrayList<>();
  final List<Item> metrics = new ArrayList<>();

  record Item(int partition, byte[] key, byte[] value) {}

  static NoiseKey key(int number) {
    byte[] secret = new byte[32];
    secret[0] = (byte) number;
    return NoiseKey.of(secret);
  }

  /** An event of a stream. */
  record Event(int partition, long offset, byte[] key, byte[] value) {}

  /** So many offsets of every partition, from 0 on, each with a record but for one in nine. */
  static List<Event> events(int partitions, int offsets) {
    Random random = Seed.random(7);
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

  /**
   * The recording of a stream whose partitions reach over offsets from one (inclusive) to another
   * (exclusive).
   */
  static InMemoryRecording recording(List<Event> events, int partitions, long from, long to) {
    InMemoryRecording.Builder made = InMemoryRecording.of(EVENTS).topicId("topic-id");
    for (int partition = 0; partition < partitions; partition++) {
      made.partition(partition, from);
    }
    for (Event each : events) {
      if (each.offset() >= from && each.offset() < to) {
        made.add(each.partition(), each.offset(), 0, each.key(), each.value(), new RecordHeaders());
      }
    }
    InMemoryRecording reached = made.build();
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
    byte[] hash = Sha256.none();
    for (int i = 0; i < ledger.size(); i++) {
      LedgerEntry entry = change.apply(Codecs.LEDGER.decode(ledger.get(i).value()));
      byte[] bytes = Codecs.LEDGER.encode(chained(entry, hash));
      ledger.set(i, new Item(ledger.get(i).partition(), ledger.get(i).key(), bytes));
      hash = Sha256.sha256(bytes);
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
        of.firstRound(),
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
