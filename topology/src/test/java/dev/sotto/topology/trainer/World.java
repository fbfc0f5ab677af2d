package dev.sotto.topology.trainer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.accounting.Adjacency;
import dev.sotto.learner.accounting.Budget;
import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.accounting.PrivacyUnit;
import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.example.RecordStatus;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.mechanism.Mechanisms;
import dev.sotto.learner.mechanism.PagedBytes;
import dev.sotto.learner.optimizer.EuclideanBall;
import dev.sotto.learner.optimizer.PrivateFtrl;
import dev.sotto.learner.optimizer.StepSize;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.participation.Participation;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.PlanBuilder;
import dev.sotto.serdes.avro.PackedDoubles;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.testing.Seed;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.settings.LearnerSettings;
import dev.sotto.topology.settings.ModelRouting;
import dev.sotto.topology.store.StateTable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongUnaryOperator;

/**
 * One partition of a cluster in memory: a source log with holes, a store and outputs that commit
 * together with the group's offset, or not at all. It runs a trainer's core and breaks it wherever
 * it is told to.
 */
public final class World {
  public static final int DIMENSION = 4;

  /** One record of the source. */
  public record Event(byte[] key, byte[] value) {}

  /** One published record, committed or not. */
  public record Output(String topic, String key, byte[] value) {}

  public final NavigableMap<Long, Event> log = new TreeMap<>();
  public final Map<String, byte[]> heads = new HashMap<>();
  public final Map<String, byte[]> arrays = new HashMap<>();
  public final Map<String, byte[]> units = new HashMap<>();
  public final List<Output> committed = new ArrayList<>();
  final List<Output> everything = new ArrayList<>();
  final List<Long> deadLetters = new ArrayList<>();
  private final Map<String, Long> paid = new HashMap<>(); // newest committed round of each model
  int unitCount = 23;
  public long groupOffset;
  long told;
  public TrainerSettings settings;
  SlotLog slotLog = this::read;
  ModelRouting routing = (key, header) -> "model";
  public BiFunction<String, StateTable, StateTable> atRest = (name, table) -> table;
  LongUnaryOperator appended = offset -> SourceRecord.NO_TIME;
  public int pageBytes = PagedBytes.PAGE_BYTES;
  long rereads;
  public long slices;

  private Overlay headsNow;
  private Overlay arraysNow;
  private Overlay unitsNow;
  private List<Output> pending = new ArrayList<>();
  private List<Long> pendingLetters = new ArrayList<>();
  private SlotTrainer core;
  private long next;
  private int together = 1; // records that are handed over in one batch, at most

  public World(TrainerSettings settings) {
    this.settings = settings;
  }

  public static TrainerSettings settings(
      Mechanisms mechanism, long batch, long checkpointSlots, long stateEvery) {
    return settings(plan(mechanism, batch, 1e6), checkpointSlots, stateEvery);
  }

  public static TrainerSettings settings(Plan plan, long checkpointSlots, long stateEvery) {
    return new TrainerSettings(
        "",
        new LearnerSettings.Run(plan, NoiseKey.of(new byte[32]), "1"),
        new TrainerSettings.Source(0, "topic", "constant"),
        Duration.ofDays(1),
        new LearnerSettings.Cadence(checkpointSlots, Duration.ofSeconds(60), stateEvery));
  }

  public static Plan plan(Mechanisms mechanism, long batch, double epsilon) {
    return plan(
        mechanism.make(), batch, epsilon, new Participation.Once(), GenerationSchedule.NONE, null);
  }

  public static Plan plan(
      Mechanism mechanism,
      long batch,
      double epsilon,
      Participation participation,
      GenerationSchedule generations,
      PrivateMetrics metrics) {
    boolean record =
        participation instanceof Participation.Once || participation instanceof Participation.ById;
    return new PlanBuilder()
        .features("test")
        .dimension(DIMENSION)
        .loss("logistic", Losses.LOGISTIC.make())
        .algorithm(
            "private-ftrl",
            "decreasing 1",
            new PrivateFtrl(
                new EuclideanBall(null, Double.POSITIVE_INFINITY), new StepSize.Decreasing(1)))
        .mechanism(mechanism)
        .clip(1)
        .batch(batch)
        .sigma(0.5)
        .adjacency(Adjacency.ZERO_OUT)
        .unit(record ? PrivacyUnit.RECORD : PrivacyUnit.KEY)
        .budget(new Budget(epsilon, 1e-6))
        .participation(participation)
        .generations(generations)
        .metrics(metrics)
        .build();
  }

  /** Fills the log: about one offset in nine is a hole, one record in eleven is poison. */
  public World fill(int records, int models, long seed) {
    return fill(records, models, Seed.random(seed));
  }

  World fill(int records, int models, Random random) {
    long offset = 7;
    for (int i = 0; i < records; i++) {
      offset += random.nextInt(9) == 0 ? 1 + random.nextInt(3) : 1;
      double[] values = random.doubles(DIMENSION + 1, -0.5, 0.5).toArray();
      values[DIMENSION] = random.nextInt(2);
      byte[] value =
          random.nextInt(11) == 0 ? new byte[random.nextInt(20)] : PackedDoubles.pack(values);
      byte[] key = {(byte) ('a' + random.nextInt(models))};
      log.put(offset, new Event(key, value));
    }
    groupOffset = log.firstKey();
    return this;
  }

  private SlotLog.Reading read(int partition, long from, long to) {
    return SlotLog.Reading.of(log.subMap(from, to).entrySet().stream()
        .map(each -> {
          rereads++;
          return record(each.getKey(), each.getValue());
        })
        .iterator());
  }

  private SourceRecord record(long offset, Event event) {
    return new SourceRecord(offset, appended.applyAsLong(offset), event.key(), event.value(), null);
  }

  /**
   * A fresh trainer from what is committed, as after a crash: what was not committed never
   * happened.
   */
  public void restart() {
    headsNow = new Overlay(heads);
    arraysNow = new Overlay(arrays);
    arraysNow.pageBytes = pageBytes;
    unitsNow = new Overlay(units);
    pending = new ArrayList<>();
    pendingLetters = new ArrayList<>();
    next = groupOffset;
    core = new SlotTrainer(
        settings,
        routing,
        List.of(new Literal()),
        new PartitionTrainer.Stores(
            atRest.apply("heads", headsNow),
            atRest.apply("arrays", arraysNow),
            atRest.apply("units", unitsNow)),
        new PartitionTrainer.Logs(slotLog, new Ledger()),
        new Out());
    core.inspect();
  }

  /** As if the stored state were that of another version of this program. */
  void writtenBy(int semantics) {
    PartitionHead head = Codecs.PARTITION_HEAD.decode(heads.get("partition"));
    heads.put(
        "partition",
        Codecs.PARTITION_HEAD.encode(new PartitionHead(
            head.position(),
            head.origin(),
            head.nullSlots(),
            head.ledgerSequence(),
            head.ledgerHash(),
            head.topicId(),
            head.routing(),
            head.lettersFrom(),
            head.handedTo(),
            semantics)));
  }

  /** Commits state, outputs and offset together. */
  public void commit() {
    headsNow.commit();
    arraysNow.commit();
    unitsNow.commit();
    committed.addAll(pending);
    pending.stream()
        .filter(each -> each.topic().equals("ledger"))
        .map(each -> Codecs.LEDGER.decode(each.value()))
        .forEach(each -> paid.merge(each.modelId(), each.round(), Math::max));
    deadLetters.addAll(pendingLetters);
    pending.clear();
    pendingLetters.clear();
    groupOffset = next;
  }

  public void checkpoint() {
    core.checkpoint();
  }

  /** Slots in a model's open round, -1 where it is not on the heap. */
  long openSlots(String modelId) {
    return core.openSlots(modelId);
  }

  /** Reads on where records that were handed over wait; whether some still do. */
  boolean goOn() {
    core.goOn();
    return core.isBehind();
  }

  /** Processes one record, or one batch of them; false at the end of the log. */
  public boolean step() {
    Map.Entry<Long, Event> entry = log.ceilingEntry(next);
    if (entry == null) {
      boolean behind = core.isBehind();
      core.goOn();
      return behind;
    }
    if (together == 1) {
      core.accept(record(entry.getKey(), entry.getValue()));
      next = entry.getKey() + 1;
      return true;
    }
    List<Map.Entry<Long, Event>> batch =
        log.tailMap(entry.getKey()).entrySet().stream().limit(together).toList();
    next = batch.get(batch.size() - 1).getKey() + 1;
    for (Map.Entry<Long, Event> each : batch) {
      core.accept(record(each.getKey(), each.getValue()), next);
      if (each.getKey() % 13 == 0) {
        core.leaveRest(); // as if it had taken long
      }
      if (core.isBehind()) {
        break;
      }
    }
    return true;
  }

  /** Runs to the end of the log without faults. */
  public World run() {
    restart();
    while (step()) {
      continue;
    }
    commit();
    return this;
  }

  /**
   * Runs to the end of the log with commits, checkpoints and crashes at random moments; records come
   * one by one, or, of half of all seeds, in batches.
   */
  public World runWithFaults(long seed, int meanRun) {
    Random random = Seed.random(seed);
    restart();
    while (true) {
      together = (seed & 2) != 0 ? 1 : 1 + random.nextInt(7);
      if (!step()) {
        commit();
        return this;
      }
      int dice = random.nextInt(meanRun * 4);
      if (dice < 2) {
        restart();
      } else if (dice < 7) {
        commit();
      } else if (dice == 7) {
        checkpoint();
      }
    }
  }

  public List<LedgerEntry> ledger() {
    return committed.stream()
        .filter(each -> each.topic().equals("ledger"))
        .map(each -> Codecs.LEDGER.decode(each.value()))
        .toList();
  }

  /**
   * What was committed, as text that can be compared: every byte of every record, in order by
   * topic.
   */
  public List<String> published() {
    return committed.stream()
        .sorted(java.util.Comparator.comparing(Output::topic))
        .map(each -> each.topic() + " " + each.key() + " " + Arrays.hashCode(each.value()) + " "
            + LedgerChain.hex(Sha256.sha256(each.value())))
        .toList();
  }

  private final class Out implements TrainerOutput {
    @Override
    public void ledger(String modelId, byte[] entry) {
      add(new Output("ledger", modelId, entry));
    }

    @Override
    public void snapshot(String modelId, String key, byte[] value) {
      add(new Output("snapshots", key, value));
    }

    @Override
    public void metrics(String modelId, byte[] value) {
      add(new Output("metrics", modelId, value));
    }

    /** Never less than what the ledger already says of the model. */
    @Override
    public void versionClosed(String modelId, long firstRound, long round) {
      assertThat(round)
          .as("version told of %s", modelId)
          .isGreaterThanOrEqualTo(paid.getOrDefault(modelId, 0L));
      assertThat(firstRound).isBetween(1L, round);
      told++;
    }

    @Override
    public void commitSoon() {
      slices++;
    }

    @Override
    public void deadLetter(
        int partition, long offset, long appended, byte[] key, byte[] value, RecordStatus verdict) {
      pendingLetters.add(offset);
    }

    private void add(Output output) {
      pending.add(output);
      everything.add(output);
    }
  }

  private final class Ledger implements LedgerLog {
    @Override
    public Optional<byte[]> last(int partition) {
      return entries().reduce((first, second) -> second);
    }

    @Override
    public void read(int partition, long fromSequence, Consumer<byte[]> visitor) {
      entries().skip(fromSequence - 1).forEach(visitor);
    }

    private java.util.stream.Stream<byte[]> entries() {
      return List.copyOf(committed).stream()
          .filter(each -> each.topic().equals("ledger"))
          .map(Output::value);
    }
  }

  static final class Overlay implements StateTable {
    private final Map<String, byte[]> base;
    private int pageBytes = PagedBytes.PAGE_BYTES;
    private final Map<String, byte[]> changes = new HashMap<>();

    Overlay(Map<String, byte[]> base) {
      this.base = base;
    }

    @Override
    public byte[] get(String key) {
      return changes.containsKey(key) ? changes.get(key) : base.get(key);
    }

    @Override
    public void put(String key, byte[] value) {
      changes.put(key, value);
    }

    @Override
    public void delete(String key) {
      changes.put(key, null);
    }

    @Override
    public int pageBytes() {
      return pageBytes;
    }

    void commit() {
      base.putAll(changes);
      base.values().removeIf(each -> each == null);
      changes.clear();
    }
  }

  /** The unit of a record of these values; those whose first is 0.45 or more have none. */
  int unit(double[] values) {
    return (int) Math.floor((values[0] + 0.5) * unitCount);
  }

  /**
   * Features and label as packed doubles, the unit in the first feature; anything of another length
   * is poison.
   */
  public final class Literal implements EventDecoder {
    @Override
    public int dimension() {
      return DIMENSION;
    }

    @Override
    public RecordStatus decode(byte[] key, byte[] value, Slot into) {
      into.clear();
      if (value.length != 8 * (DIMENSION + 1)) {
        return into.verdict(RecordStatus.UNREADABLE);
      }
      double[] values = PackedDoubles.unpack(value);
      System.arraycopy(values, 0, into.example().dense(), 0, DIMENSION);
      into.example().label(values[DIMENSION]);
      if (values[0] < 0.45) {
        int unit = unit(values);
        into.unit(new byte[] {(byte) (unit >> 8), (byte) unit}, 0, 2);
      }
      return into.verdict(RecordStatus.USED);
    }
  }
}
