package dev.sotto.topology.core;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.ModelSnapshot;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Round;
import dev.sotto.learner.round.Slicing;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.Codecs;
import dev.sotto.serdes.record.PackedDoubles;
import dev.sotto.serdes.record.RoundCodecs;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.serdes.record.RoundPoint;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/**
 * A cluster in memory that learns over rounds: event partitions with holes, a control log for each, one log of parts,
 * workers and a coordinator. Each of them commits its offsets, outputs and state together, or crashes and has done
 * nothing; a worker gets its records in logical order, and only while both of its logs have one, as Streams does it.
 */
final class RoundsWorld {
  private static final String MODEL = "model";

  /** One record of a control log: a piece of an opening, or with no piece a closing. */
  private record Control(long round, RoundPoint piece) {
    long time() {
      return piece == null ? 4 * round + 2 : 4 * round;
    }
  }

  final List<LedgerEntry> ledger = new ArrayList<>();
  final List<byte[]> ledgerBytes = new ArrayList<>();
  final Map<Integer, List<Long>> deadLetters = new TreeMap<>();
  final List<NavigableMap<Long, byte[]>> events = new ArrayList<>();
  final Map<String, byte[]> heads = new HashMap<>();
  final Map<String, byte[]> arrays = new HashMap<>();
  int crashes;
  int sentTwice;

  private final TrainerSettings settings;
  private final Plan plan;
  private final Slicing slicing;
  private final List<List<Control>> controls = new ArrayList<>();
  private final List<byte[]> parts = new ArrayList<>();
  private final List<Node> nodes = new ArrayList<>();
  private final Random random;
  private final boolean slow;

  RoundsWorld(TrainerSettings settings, int partitions, long slots, long seed, boolean slow) {
    this.settings = settings;
    this.plan = settings.plan();
    this.random = new Random(seed);
    this.slow = slow;
    this.slicing = new Slicing(IntStream.range(0, partitions)
        .mapToObj(each -> new OffsetRange(each, 5L * each, 5L * each + slots))
        .toList());
    for (int i = 0; i < partitions; i++) {
      events.add(new TreeMap<>());
      controls.add(new ArrayList<>());
    }
    double[] first = plan.optimizer().start(plan.start()).point().clone();
    for (long round = 1; round <= 1 + plan.lag(); round++) {
      new Opener(controls).open(round, settings.key().id(), first);
    }
  }

  /** Fills the logs: about one offset in nine is a hole, one record in eleven is poison. */
  RoundsWorld fill(int offsets, long seed) {
    Random made = new Random(seed);
    for (int i = 0; i < events.size(); i++) {
      for (long offset = slicing.origin(i); offset < slicing.origin(i) + offsets; offset++) {
        double[] values = made.doubles(plan.inputs() + 1, -0.5, 0.5).toArray();
        values[plan.inputs()] = made.nextInt(2);
        if (made.nextInt(9) > 0) {
          events
              .get(i)
              .put(offset, made.nextInt(11) == 0 ? new byte[3] : PackedDoubles.pack(values));
        }
      }
    }
    return this;
  }

  /** Runs until nobody can go on; with a mean number of steps between faults, or 0 for none. */
  RoundsWorld run(int meanRun) {
    for (int i = 0; i < events.size(); i++) {
      nodes.add(new Worker(i));
    }
    nodes.add(new Coordinator());
    nodes.forEach(Node::restart);
    while (true) {
      List<Node> ready = nodes.stream().filter(Node::isReady).toList();
      if (ready.isEmpty()) {
        boolean pending = nodes.stream().anyMatch(each -> each.uncommitted);
        if (!pending) {
          return this;
        }
        nodes.forEach(Node::commit);
        continue;
      }
      Node node = ready.get(random.nextInt(ready.size()));
      node.step();
      int dice = meanRun == 0 ? random.nextInt(6) + 4 : random.nextInt(meanRun * 4);
      if (dice < 2) {
        nodes.get(random.nextInt(nodes.size())).restart();
        crashes++;
      } else if (dice < 8) {
        node.commit();
      }
    }
  }

  /** What the pure learner makes of the same slots, in order of partitions: digests of round after round. */
  List<String> reference(long rounds) {
    ModelLearner learner = ModelLearner.start(plan, settings.key(), MODEL, settings.label());
    Literal decoder = new Literal(plan.inputs());
    Slot slot = new Slot(plan.inputs());
    List<String> digests = new ArrayList<>();
    for (long round = 1; round <= rounds; round++) {
      for (int i = 0; i < events.size(); i++) {
        for (long offset = slicing.start(i, round); offset < slicing.end(i, round); offset++) {
          byte[] value = events.get(i).get(offset);
          if (value == null) {
            learner.fillAbsent(1);
          } else {
            decoder.decode(null, value, slot);
            learner.fill(slot);
          }
        }
      }
      Round closed = learner.close();
      digests.add(digest(ModelSnapshot.digest(closed.weights(), closed.guarantee())));
    }
    return digests;
  }

  List<String> digests() {
    return ledger.stream().map(each -> digest(each.snapshotDigest())).toList();
  }

  private static String digest(byte[] bytes) {
    return HexFormat.of().formatHex(bytes);
  }

  /** One task: a processor whose outputs and offsets commit together. */
  private abstract class Node {
    final List<Runnable> pending = new ArrayList<>();
    boolean uncommitted;

    abstract boolean isReady();

    abstract void take();

    abstract void cold();

    abstract void committed();

    void step() {
      uncommitted = true;
      take();
    }

    void commit() {
      pending.forEach(Runnable::run);
      pending.clear();
      uncommitted = false;
      committed();
    }

    void restart() {
      pending.clear();
      uncommitted = false;
      cold();
    }
  }

  private final class Worker extends Node implements WorkerOutbox {
    private final int partition;
    private final Set<Long> sent = new HashSet<>();
    private long eventOffset;
    private int controlOffset;
    private long nextEvent;
    private int nextControl;
    private boolean woken;
    private WorkerCore core;

    Worker(int partition) {
      this.partition = partition;
    }

    @Override
    boolean isReady() {
      return !woken
          || core.isBehind()
          || events.get(partition).ceilingKey(nextEvent) != null
              && nextControl < controls.get(partition).size();
    }

    @Override
    void take() {
      boolean more = events.get(partition).ceilingKey(nextEvent) != null
          && nextControl < controls.get(partition).size();
      if (!woken && (!more || random.nextInt(4) == 0)) {
        woken = true;
        core.wake();
        return;
      }
      if (core.isBehind() && (!more || random.nextBoolean())) {
        core.goOn();
        return;
      }
      Map.Entry<Long, byte[]> event = events.get(partition).ceilingEntry(nextEvent);
      Control control = controls.get(partition).get(nextControl);
      if (control.time() < 4 * slicing.roundOf(partition, event.getKey()) + 1) {
        nextControl++;
        if (control.piece() == null) {
          core.close(control.round());
        } else {
          core.open(control.piece());
        }
      } else {
        nextEvent = event.getKey() + 1;
        core.event(event.getKey(), null, event.getValue());
      }
    }

    @Override
    void cold() {
      woken = false;
      nextEvent = eventOffset;
      nextControl = controlOffset;
      byte[] runId = settings.key().runId(MODEL, plan.fingerprint(), settings.label());
      core = new WorkerCore(
          plan,
          settings.key(),
          runId,
          partition,
          slicing,
          new Literal(plan.inputs()),
          this::read,
          new Points(),
          this,
          slow ? Duration.ZERO : Duration.ofDays(1));
    }

    private boolean read(int which, long from, long to, SlotLog.Visitor visitor) {
      for (var each : events.get(which).subMap(from, to).entrySet()) {
        if (!visitor.accept(each.getKey(), null, each.getValue(), null)) {
          return false;
        }
      }
      return true;
    }

    @Override
    void committed() {
      eventOffset = nextEvent;
      controlOffset = nextControl;
    }

    @Override
    public void part(RoundPart piece) {
      byte[] bytes = RoundCodecs.PART.encode(piece);
      pending.add(() -> {
        sentTwice += sent.add(piece.round()) ? 0 : 1;
        parts.add(bytes);
      });
    }

    @Override
    public void commitSoon() {}

    @Override
    public void deadLetter(long offset, byte[] key, byte[] value, Verdict verdict) {
      pending.add(() ->
          deadLetters.computeIfAbsent(partition, none -> new ArrayList<>()).add(offset));
    }
  }

  private final class Coordinator extends Node implements Outbox {
    private int offset;
    private int next;
    private World.Overlay headsNow;
    private World.Overlay arraysNow;
    private TrainerCore core;

    @Override
    boolean isReady() {
      return next < parts.size() || core.isBehind(); // also of the life before
    }

    @Override
    void take() {
      if (next < parts.size()) {
        core.accept(next, null, parts.get(next), null);
        next++;
      } else {
        core.goOn();
      }
    }

    @Override
    void cold() {
      next = offset;
      headsNow = new World.Overlay(heads);
      arraysNow = new World.Overlay(arrays);
      List<List<Control>> opened = controls;
      PointOutbox later = (round, keyId, point) -> {
        double[] kept = point.clone();
        pending.add(() -> new Opener(opened).open(round, keyId, kept));
      };
      core = TrainerCore.ofParts(
          settings,
          new RoundsSettings(MODEL, slicing, later),
          RoundCodecs.PART::decode,
          headsNow,
          arraysNow,
          this,
          (partition, from, to, visitor) -> {
            for (long at = from; at < Math.min(to, parts.size()); at++) {
              if (!visitor.accept(at, null, parts.get((int) at), null)) {
                return false;
              }
            }
            return true;
          },
          new Ledger());
      core.inspect();
    }

    @Override
    void committed() {
      headsNow.commit();
      arraysNow.commit();
      offset = next;
    }

    @Override
    public void ledger(String modelId, byte[] entry) {
      pending.add(() -> {
        ledgerBytes.add(entry);
        ledger.add(Codecs.LEDGER.decode(entry));
      });
    }

    @Override
    public void snapshot(String modelId, String key, byte[] value) {}

    @Override
    public void metrics(String modelId, byte[] value) {}

    @Override
    public void commitSoon() {}

    @Override
    public void deadLetter(long at, byte[] key, byte[] value, Verdict verdict) {
      throw new AssertionError("a part is never set aside");
    }
  }

  private final class Ledger implements LedgerLog {
    @Override
    public Optional<byte[]> last(int partition) {
      return ledgerBytes.isEmpty()
          ? Optional.empty()
          : Optional.of(ledgerBytes.get(ledgerBytes.size() - 1));
    }

    @Override
    public void read(int partition, long fromSequence, Consumer<byte[]> visitor) {
      List.copyOf(ledgerBytes).stream().skip(fromSequence - 1).forEach(visitor);
    }
  }

  private final class Points implements PointLog {
    @Override
    public void read(int partition, Consumer<RoundPoint> visitor) {
      controls.get(partition).stream()
          .filter(each -> each.piece() != null)
          .forEach(each -> visitor.accept(each.piece()));
    }

    @Override
    public long endOfEvents(int partition) {
      return events.get(partition).lastKey() + 1;
    }
  }

  private record Opener(List<List<Control>> controls) implements PointOutbox {
    @Override
    public void open(long round, String keyId, double[] point) {
      byte[] whole = PackedDoubles.pack(point);
      for (List<Control> control : controls) {
        control.add(new Control(round, new RoundPoint(round, keyId, 0, 1, whole)));
        control.add(new Control(round, null));
      }
    }
  }

  /** Features and a label as packed doubles; anything else is unreadable. */
  private record Literal(int dimension) implements EventDecoder {
    @Override
    public Verdict decode(byte[] key, byte[] value, Slot into) {
      into.clear();
      if (value.length != 8 * (dimension + 1)) {
        return into.verdict(Verdict.UNREADABLE);
      }
      double[] values = PackedDoubles.unpack(value);
      System.arraycopy(values, 0, into.example().dense(), 0, dimension);
      into.example().label(values[dimension]);
      return into.verdict(Verdict.USED);
    }
  }
}
