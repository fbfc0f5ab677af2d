package dev.sotto.topology.core;

import static org.assertj.core.api.Assertions.assertThat;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Losses;
import dev.sotto.learner.optim.Potentials;
import dev.sotto.learner.optim.PrivateFtrl;
import dev.sotto.learner.optim.StepSize;
import dev.sotto.learner.privacy.Adjacency;
import dev.sotto.learner.privacy.Budget;
import dev.sotto.learner.privacy.Generations;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.PrivacyUnit;
import dev.sotto.learner.release.Mechanism;
import dev.sotto.learner.release.Mechanisms;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.release.Paged;
import dev.sotto.learner.round.MetricsPlan;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.unit.Participation;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.PackedDoubles;
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

/**
 * One partition of a cluster in memory: a source log with holes, a store and outputs that commit together with the
 * group's offset, or not at all. It runs a trainer's core and breaks it wherever it is told to.
 */
final class World {
  static final int DIMENSION = 4;

  /** One record of the source. */
  record Event(byte[] key, byte[] value) {}

  /** One published record, committed or not. */
  record Output(String topic, String key, byte[] value) {}

  final NavigableMap<Long, Event> log = new TreeMap<>();
  final Map<String, byte[]> heads = new HashMap<>();
  final Map<String, byte[]> arrays = new HashMap<>();
  final Map<String, byte[]> units = new HashMap<>();
  final List<Output> committed = new ArrayList<>();
  final List<Output> everything = new ArrayList<>();
  final List<Long> deadLetters = new ArrayList<>();
  int unitCount = 23;
  long groupOffset;
  long told;
  TrainerSettings settings;
  SlotLog slotLog = this::read;
  ModelRouting routing = (key, header) -> "model";
  BiFunction<String, StateTable, StateTable> atRest = (name, table) -> table;
  int pageBytes = Paged.PAGE_BYTES;
  long rereads;
  long slices;

  private Overlay headsNow;
  private Overlay arraysNow;
  private Overlay unitsNow;
  private List<Output> pending = new ArrayList<>();
  private List<Long> pendingLetters = new ArrayList<>();
  private TrainerCore core;
  private long next;

  World(TrainerSettings settings) {
    this.settings = settings;
  }

  static TrainerSettings settings(
      Mechanisms mechanism, long batch, long checkpointSlots, long stateEvery) {
    return settings(plan(mechanism, batch, 1e6), checkpointSlots, stateEvery);
  }

  static TrainerSettings settings(Plan plan, long checkpointSlots, long stateEvery) {
    return new TrainerSettings(
        plan,
        NoiseKey.of(new byte[32]),
        "1",
        0,
        "topic",
        "constant",
        Duration.ofDays(1),
        checkpointSlots,
        stateEvery,
        1);
  }

  static Plan plan(Mechanisms mechanism, long batch, double epsilon) {
    return plan(mechanism.make(), batch, epsilon, new Participation.Once(), Generations.NONE, null);
  }

  static Plan plan(
      Mechanism mechanism,
      long batch,
      double epsilon,
      Participation participation,
      Generations generations,
      MetricsPlan metrics) {
    boolean record =
        participation instanceof Participation.Once || participation instanceof Participation.ById;
    return new Plan(
        "test",
        DIMENSION,
        "logistic",
        Losses.LOGISTIC.make(),
        "private-ftrl",
        "decreasing 1",
        new PrivateFtrl(
            Potentials.L2.make(Potentials.Shape.ofRadius(Double.POSITIVE_INFINITY)),
            new StepSize.Decreasing(1)),
        mechanism,
        1,
        batch,
        0.5,
        Adjacency.ZERO_OUT,
        record ? PrivacyUnit.RECORD : PrivacyUnit.KEY,
        new Budget(epsilon, 1e-6),
        participation,
        generations,
        metrics);
  }

  /** Fills the log: about one offset in nine is a hole, one record in eleven is poison. */
  World fill(int records, int models, long seed) {
    Random random = new Random(seed);
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

  private boolean read(int partition, long from, long to, SlotLog.Visitor visitor) {
    for (Map.Entry<Long, Event> each : log.subMap(from, to).entrySet()) {
      rereads++;
      Event event = each.getValue();
      if (!visitor.accept(each.getKey(), event.key(), event.value(), null)) {
        return false;
      }
    }
    return true;
  }

  /** A fresh trainer from what is committed, as after a crash: what was not committed never happened. */
  void restart() {
    headsNow = new Overlay(heads);
    arraysNow = new Overlay(arrays);
    arraysNow.pageBytes = pageBytes;
    unitsNow = new Overlay(units);
    pending = new ArrayList<>();
    pendingLetters = new ArrayList<>();
    next = groupOffset;
    core = new TrainerCore(
        settings,
        routing,
        new Literal(),
        atRest.apply("heads", headsNow),
        atRest.apply("arrays", arraysNow),
        atRest.apply("units", unitsNow),
        new Out(),
        slotLog,
        new Ledger());
    core.inspect();
  }

  /** Commits state, outputs and offset together. */
  void commit() {
    headsNow.commit();
    arraysNow.commit();
    unitsNow.commit();
    committed.addAll(pending);
    deadLetters.addAll(pendingLetters);
    pending.clear();
    pendingLetters.clear();
    groupOffset = next;
  }

  void checkpoint() {
    core.checkpoint();
  }

  /** Reads on where records that were handed over wait; whether some still do. */
  boolean goOn() {
    core.goOn();
    return core.isBehind();
  }

  /** Processes one record; false at the end of the log. */
  boolean step() {
    Map.Entry<Long, Event> entry = log.ceilingEntry(next);
    if (entry == null) {
      boolean behind = core.isBehind();
      core.goOn();
      return behind;
    }
    core.accept(entry.getKey(), entry.getValue().key(), entry.getValue().value(), null);
    next = entry.getKey() + 1;
    return true;
  }

  /** Runs to the end of the log without faults. */
  World run() {
    restart();
    while (step()) {
      continue;
    }
    commit();
    return this;
  }

  /** Runs to the end of the log with commits, checkpoints and crashes at random moments. */
  World runWithFaults(long seed, int meanRun) {
    Random random = new Random(seed);
    restart();
    while (true) {
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

  List<LedgerEntry> ledger() {
    return committed.stream()
        .filter(each -> each.topic().equals("ledger"))
        .map(each -> Codecs.LEDGER.decode(each.value()))
        .toList();
  }

  /** What was committed, as text that can be compared: every byte of every record, in order by topic. */
  List<String> published() {
    return committed.stream()
        .sorted(java.util.Comparator.comparing(Output::topic))
        .map(each -> each.topic() + " " + each.key() + " " + Arrays.hashCode(each.value()) + " "
            + Chain.hex(Hashes.sha256(each.value())))
        .toList();
  }

  private final class Out implements Outbox {
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
    public void roundClosed(String modelId, long round) {
      long paid = committed.stream()
          .filter(each -> each.topic().equals("ledger") && each.key().equals(modelId))
          .count();
      assertThat(round).as("round told of %s", modelId).isGreaterThanOrEqualTo(paid);
      told++;
    }

    @Override
    public void commitSoon() {
      slices++;
    }

    @Override
    public void deadLetter(long offset, byte[] key, byte[] value, Verdict verdict) {
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
    private int pageBytes = Paged.PAGE_BYTES;
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

  /** Features and label as packed doubles, the unit in the first feature; anything of another length is poison. */
  final class Literal implements EventDecoder {
    @Override
    public int dimension() {
      return DIMENSION;
    }

    @Override
    public Verdict decode(byte[] key, byte[] value, Slot into) {
      into.clear();
      if (value.length != 8 * (DIMENSION + 1)) {
        return into.verdict(Verdict.UNREADABLE);
      }
      double[] values = PackedDoubles.unpack(value);
      System.arraycopy(values, 0, into.example().dense(), 0, DIMENSION);
      into.example().label(values[DIMENSION]);
      if (values[0] < 0.45) {
        int unit = unit(values);
        into.unit(new byte[] {(byte) (unit >> 8), (byte) unit}, 0, 2);
      }
      return into.verdict(Verdict.USED);
    }
  }
}
