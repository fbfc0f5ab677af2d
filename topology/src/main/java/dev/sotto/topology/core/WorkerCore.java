package dev.sotto.topology.core;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.release.NoiseKey;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.PartLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.learner.round.Question;
import dev.sotto.learner.round.Slicing;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.PackedDoubles;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.serdes.record.RoundPoint;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.NavigableMap;
import java.util.TreeMap;

/**
 * Sums the slices of one partition, round by round, at the points that the coordinator sends. It stores nothing: which
 * round is open stands in the control log, and where its slice begins follows from the round
 * (docs/decisions/0012-rounds.md). After a restart it sums the slice again and sends its part again; the coordinator takes
 * the first.
 *
 * <p>Expects records in logical order: the opening of round r, the events of slice r, the closing of round r. Not safe
 * for use by several threads.
 */
public final class WorkerCore {
  private final Plan plan;
  private final Objective objective;
  private final int partition;
  private final Slicing slicing;
  private final EventDecoder decoder;
  private final SlotLog events;
  private final PointLog points;
  private final WorkerOutbox outbox;
  private final Duration slice;
  private final PartLearner learner;
  private final Slot slot;
  private final NavigableMap<Long, Opening> openings = new TreeMap<>();

  private boolean warm;
  private boolean gap;
  private boolean behind;
  private boolean summing;
  private long current;
  private long next;
  private long reach;

  /**
   * A cold worker.
   *
   * @param runId of the model
   * @param slice for how long records are read again without a commit in between
   */
  public WorkerCore(
      Plan plan,
      NoiseKey key,
      byte[] runId,
      int partition,
      Slicing slicing,
      EventDecoder decoder,
      SlotLog events,
      PointLog points,
      WorkerOutbox outbox,
      Duration slice) {
    this.plan = plan;
    this.objective = plan.objective();
    this.partition = partition;
    this.slicing = slicing;
    this.decoder = decoder;
    this.events = events;
    this.points = points;
    this.outbox = outbox;
    this.slice = slice;
    this.learner = new PartLearner(plan, key, runId);
    this.slot = new Slot(plan.inputs());
    if (decoder.dimension() != plan.inputs()) {
      throw new IllegalArgumentException(
          "the decoder must give " + plan.inputs() + " features, but gives " + decoder.dimension());
    }
  }

  /** Takes a piece of the opening of a round; one that is known already changes nothing. */
  public void open(RoundPoint piece) {
    if (warm && piece.round() < current) {
      return;
    }
    openings
        .computeIfAbsent(piece.round(), round -> new Opening(piece.keyId(), piece.pieces()))
        .put(piece);
    // A long control log is read through at the start; only its end matters.
    openings.headMap(openings.lastKey() - plan.lag() - 2).clear();
  }

  /** Takes the next event of the partition. */
  public void event(long offset, byte[] key, byte[] value) {
    if (offset < slicing.origin(partition)) {
      return;
    }
    warmUp();
    if (gap && next < offset) {
      reach = Math.max(reach, offset + 1);
      if (!readAgain(offset)) {
        setAside(offset, key, value); // it is read again too, when its turn comes
        return;
      }
    }
    if (offset < next) {
      setAside(offset, key, value); // it has been read already
      return;
    }
    gap = false;
    absorb(offset, key, value, true);
  }

  /** Every event of a round's slice has been handed over: what is missing are offsets without a record. */
  public void close(long round) {
    warmUp();
    if (round < current) {
      return;
    }
    long end = slicing.end(partition, round);
    if (gap && next < end) {
      reach = Math.max(reach, end);
      readAgain(end);
      return;
    }
    gap = false;
    advance(end);
  }

  /**
   * To be called once, a while after a start: what was handed over to an earlier life, and is a whole slice, may be all
   * that the coordinator waits for, and nothing new comes before it goes on.
   */
  public void wake() {
    warmUp();
    while (gap && !behind && isOpen(current)) {
      long end = slicing.end(partition, current);
      if (points.endOfEvents(partition) < end) {
        return; // more events will come, and with them everything else
      }
      reach = Math.max(reach, end);
      readAgain(end);
      gap = true; // whatever comes next may again lie behind what was handed over before
    }
  }

  /** Whether events that were handed over still wait to be read again. */
  public boolean isBehind() {
    return behind;
  }

  /** Reads on for a while, where it {@link #isBehind}. */
  public void goOn() {
    if (behind && readAgain(reach)) {
      gap = true;
      wake();
    }
  }

  /** The round whose slice is being summed; 0 before the first record. */
  public long round() {
    return current;
  }

  private void warmUp() {
    if (warm) {
      return;
    }
    points.read(partition, this::open);
    long newest = 0;
    for (var each : openings.entrySet()) {
      newest = each.getValue().isWhole() ? Math.max(newest, each.getKey()) : newest;
    }
    if (newest == 0) {
      throw new IllegalStateException("no round has been opened for partition " + partition
          + ": the control topic of this application lacks its beginning");
    }
    current = Math.max(1, newest - plan.lag());
    next = slicing.start(partition, current);
    gap = true;
    warm = true;
    forget();
  }

  /** Reads up to an offset, but not for longer than a transaction bears; the rest is left for {@link #goOn}. */
  private boolean readAgain(long to) {
    long deadline = System.nanoTime() + slice.toNanos();
    boolean whole = next >= to
        || events.read(partition, next, to, (offset, key, value, header) -> {
          absorb(offset, key, value, false);
          return System.nanoTime() - deadline < 0;
        });
    behind = !whole;
    gap = behind;
    if (whole) {
      advance(to);
    } else {
      outbox.commitSoon();
    }
    return whole;
  }

  private void setAside(long offset, byte[] key, byte[] value) {
    if (decode(key, value) != Verdict.USED) {
      outbox.deadLetter(offset, key, value, slot.verdict());
    }
  }

  private Verdict decode(byte[] key, byte[] value) {
    if (decoder.decode(key, value, slot) == Verdict.USED) {
      ModelLearner.admit(slot, objective);
    }
    return slot.verdict();
  }

  /** Letters go out as an event is handed over, which happens once, and never as it is read again. */
  private void absorb(long offset, byte[] key, byte[] value, boolean live) {
    advance(offset);
    sum();
    if (decode(key, value) != Verdict.USED && live) {
      outbox.deadLetter(offset, key, value, slot.verdict());
    }
    learner.fill(slot);
    advance(offset + 1);
  }

  /** Nothing lies between the next offset and this one; slices that end on the way are sent. */
  private void advance(long to) {
    next = Math.max(next, to);
    while (next >= slicing.end(partition, current)) {
      send();
    }
  }

  private void sum() {
    if (summing) {
      return;
    }
    Opening opening = opening(current);
    Opening before = openings.get(current - 1);
    double[] previous = before != null && before.isWhole() ? before.point() : new double[0];
    Question question = Question.of(plan, current, opening.point(), previous);
    if (question.previousScale() != 0 && !question.isDifference()) {
      throw new IllegalStateException("the point of round " + (current - 1)
          + " is needed for round " + current + ", but the control topic no longer holds it");
    }
    learner.open(question, opening.keyId);
    summing = true;
  }

  private boolean isOpen(long round) {
    Opening opening = openings.get(round);
    return opening != null && opening.isWhole();
  }

  private Opening opening(long round) {
    Opening opening = openings.get(round);
    if (!isOpen(round)) {
      throw new IllegalStateException("partition " + partition + " shows events of round " + round
          + " before that round was opened: records came out of their logical order");
    }
    return opening;
  }

  private void send() {
    sum();
    OffsetRange range = slicing.slice(partition, current);
    learner.fillAbsent(slicing.slots() - learner.slots());
    byte[] sealed = learner.seal(Parts.place(current, range));
    int pieces = Pieces.count(sealed.length);
    long attempt = ByteBuffer.wrap(Hashes.sha256(sealed)).getLong();
    for (int i = 0; i < pieces; i++) {
      outbox.part(new RoundPart(
          current,
          partition,
          range.from(),
          range.to(),
          attempt,
          i,
          pieces,
          Pieces.piece(sealed, i)));
    }
    summing = false;
    current++;
    forget();
    outbox.commitSoon();
  }

  /** Of earlier rounds only the point of the one before is ever asked for. */
  private void forget() {
    openings.headMap(current - 1).clear();
  }

  /** The opening of one round as its pieces come. */
  private static final class Opening {
    private final String keyId;
    private final Pieces pieces;
    private double[] point;

    Opening(String keyId, int count) {
      this.keyId = keyId;
      this.pieces = new Pieces(count);
    }

    void put(RoundPoint piece) {
      pieces.put(piece.index(), piece.weights());
    }

    boolean isWhole() {
      return pieces.isWhole();
    }

    double[] point() {
      if (point == null) {
        point = PackedDoubles.unpack(pieces.whole());
      }
      return point;
    }
  }
}
