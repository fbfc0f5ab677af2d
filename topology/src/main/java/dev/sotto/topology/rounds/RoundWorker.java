package dev.sotto.topology.rounds;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.learner.example.Slot;
import dev.sotto.learner.key.NoiseKey;
import dev.sotto.learner.key.Sha256;
import dev.sotto.learner.training.GradientQuery;
import dev.sotto.learner.training.PartialSumLearner;
import dev.sotto.learner.training.Plan;
import dev.sotto.learner.training.RoundSlices;
import dev.sotto.serdes.record.RoundPart;
import dev.sotto.serdes.record.RoundPoint;
import dev.sotto.topology.failure.TransientException;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.PointLog;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.RecordFault;
import dev.sotto.topology.log.SlotDecoders;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SourceRecord;
import java.nio.ByteBuffer;
import java.time.Duration;

/**
 * Sums the slices of one partition, round by round, at the points that the coordinator sends. It
 * stores nothing: which round is open stands in the control log, and where its slice begins follows
 * from the round (docs/decisions/0012-rounds.md). After a restart it sums the slice again and sends
 * its part again; the coordinator takes the first.
 *
 * <p>Expects records in logical order: the opening of round r, the events of slice r, the closing
 * of round r. Not safe for use by several threads.
 */
public final class RoundWorker {
  /**
   * What one worker needs to know.
   *
   * @param plan what is learned, and under which noise
   * @param key the noise key
   * @param runId of the model
   * @param partition of the events whose slices it sums
   * @param slicing how the partitions' offsets are cut into rounds
   * @param readTimeLimit for how long records are read again without a commit in between
   */
  public record Settings(
      Plan plan,
      NoiseKey key,
      byte[] runId,
      int partition,
      RoundSlices slicing,
      Duration readTimeLimit) {}

  private final Plan plan;
  private final int partition;
  private final RoundSlices slicing;
  private final SlotDecoders decoders;
  private final PointLog points;
  private final WorkerOutput output;
  private final SlotReader reader;
  private final PartialSumLearner learner;
  private final RoundOpenings openings;

  private long closed; // the newest round, or query, whose slice has been handed over
  private long taken; // offset behind the last event that any query has read
  private boolean warm;
  private boolean summing;
  private long current;

  /**
   * A cold worker.
   *
   * @param decoders of events
   */
  public RoundWorker(
      Settings settings,
      SlotDecoders decoders,
      SlotLog events,
      PointLog points,
      WorkerOutput output) {
    this.plan = settings.plan();
    this.partition = settings.partition();
    this.slicing = settings.slicing();
    this.decoders = decoders;
    this.points = points;
    this.output = output;
    boolean remembers = plan.queriesPerRound() > 1;
    this.reader = new SlotReader(events, remembers, partition, settings.readTimeLimit());
    this.learner = new PartialSumLearner(plan, settings.key(), settings.runId());
    this.openings = new RoundOpenings(partition, plan.lag(), plan.dimension());
  }

  /** Reads again no longer than a transaction bears; until this is called, whatever one bears. */
  public void within(ReadTime readTime) {
    reader.within(readTime);
  }

  /** Takes a piece of the opening of a round; one that is known already changes nothing. */
  public void takeOpening(RoundPoint piece) {
    if (!warm || piece.round() >= current) {
      openings.put(piece);
    }
  }

  /**
   * Takes the next event of the partition.
   *
   * @param inTime whether a transaction bears to take it now; else it is read later
   */
  public void event(SourceRecord record, boolean inTime) {
    if (record.place() < slicing.origin(partition)) {
      return;
    }
    warmUp();
    if (!leaves(record.place(), inTime) && take(record)) {
      return; // summed, and set aside there where it cannot be used
    }
    // What is read again is not set aside, so it is now: as it is handed over, once.
    decoders.read(0, record);
    setAside(record);
  }

  /** The record that was read last, where it cannot be used. */
  private void setAside(SourceRecord record) {
    RecordFault fault = decoders.fault(0);
    if (fault.status().isSetAside()) {
      output.deadLetter(record.place(), record.key(), record.value(), fault);
    }
  }

  /**
   * Leaves an event to a later reading: where it is read once more for a query that is not open
   * yet, and where it comes next but a transaction does not bear to take it.
   */
  private boolean leaves(long offset, boolean inTime) {
    if (offset < taken && !openings.has(current)) {
      return true;
    }
    if (inTime || offset < reader.position() || reader.isBehind()) {
      return false;
    }
    reader.extendReach(Place.behind(offset));
    reader.leaveRest();
    output.commitSoon();
    return true;
  }

  /** Whether it was the record's turn; else it has been taken already, or is read again later. */
  private boolean take(SourceRecord record) {
    boolean wasBehind = reader.isBehind();
    reader.offer(record);
    return sumAll(wasBehind) == record.place();
  }

  /** Sums all events that there are now; returns the offset of the last that was not read again. */
  private long sumAll(boolean wasBehind) {
    long last = -1;
    for (SourceRecord event = reader.next(); event != null; event = reader.next()) {
      last = reader.isFromLog() ? last : event.place();
      sum(event, reader.isFromLog());
      moved(event.place() + 1);
    }
    moved(reader.position());
    if (wasBehind || reader.isBehind()) {
      output.commitSoon();
    }
    return last;
  }

  /**
   * Every event of a round's slice has been handed over: what is missing are offsets without a
   * record.
   */
  public void closeSlice(long round) {
    warmUp();
    closed = Math.max(closed, round);
    long before;
    do {
      before = current;
      if (closed >= current) {
        boolean wasBehind = reader.isBehind();
        reader.offeredAllBelow(slicing.end(partition, closed));
        sumAll(wasBehind);
      }
      // A slice may have been closed for a later query while an earlier one was still reading it.
    } while (current > before && !reader.isBehind() && openings.has(current));
  }

  /**
   * To be called once, a while after a start: what was handed over to an earlier life, and is a
   * whole slice, may be all that the coordinator waits for, and nothing new comes before it goes
   * on.
   */
  public void wake() {
    warmUp();
    while (reader.mayHaveGap() && openings.has(current)) {
      long end = slicing.end(partition, current);
      if (points.endOfEvents(partition) < end) {
        return; // more events will come, and with them everything else
      }
      boolean wasBehind = reader.isBehind();
      reader.readTo(end);
      sumAll(wasBehind);
      if (!reader.isBehind()) {
        reader.expectGap(); // what comes next may again lie behind what was handed over before
      }
    }
  }

  /** Whether events that were handed over still wait to be read again. */
  public boolean isBehind() {
    return reader.isBehind();
  }

  /** Reads on for a while, where it {@link #isBehind}. */
  public void goOn() {
    if (!reader.isBehind()) {
      return;
    }
    reader.goOn();
    sumAll(true);
    if (!reader.isBehind()) {
      reader.expectGap();
      wake();
      closeSlice(closed);
    }
  }

  /** Ends what it keeps open; it is of no use afterwards. */
  public void close() {
    reader.close();
  }

  private void warmUp() {
    if (warm) {
      return;
    }
    points.read(partition, this::takeOpening);
    long newest = openings.newest();
    if (newest == 0) {
      throw new TransientException("no round has been opened for partition " + partition
          + ": the control topic of this application lacks its beginning");
    }
    current = Math.max(1, newest - plan.lag());
    reader.start(slicing.start(partition, current));
    warm = true;
    forget();
  }

  /**
   * Letters go out as an event is handed over, which happens once, and never as it is read again.
   */
  private void sum(SourceRecord record, boolean fromLog) {
    moved(record.place());
    beginSum();
    Slot slot = decoders.read(0, record);
    if (!fromLog) {
      setAside(record);
    }
    learner.fill(slot);
    long place = partition * slicing.slots() + record.place() - slicing.start(partition, current);
    output.filled(plan.roundOf(current), place, slot);
  }

  /** Every event below a position has been taken: slices that end below it are sent. */
  private void moved(long position) {
    taken = Math.max(taken, position);
    while (position >= slicing.end(partition, current)) {
      send();
      long start = slicing.start(partition, current);
      if (start < slicing.end(partition, current - 1)) {
        reader.startAgain(start); // the next query reads the same slice, once it is opened
        return;
      }
      reader.forgetBelow(start);
    }
  }

  private void beginSum() {
    if (summing) {
      return;
    }
    RoundOpenings.Opening opening = openings.of(current);
    double[] previous = openings.point(current - 1);
    GradientQuery query =
        GradientQuery.of(plan, current, opening.point(), previous).with(opening.ranges());
    if (query.lacksPrevious(plan)) {
      throw new TransientException("the point of round " + (current - 1) + " is needed for round "
          + current + ", but the control topic no longer holds it");
    }
    learner.open(query, opening.keyId());
    summing = true;
  }

  private void send() {
    beginSum();
    OffsetRange range = slicing.slice(partition, current);
    learner.fillAbsent(slicing.slots() - learner.slots());
    byte[] sealed = learner.seal(PartialSums.place(current, range));
    int pieces = ChunkAssembler.count(sealed.length);
    long attempt = ByteBuffer.wrap(Sha256.sha256(sealed)).getLong();
    for (int i = 0; i < pieces; i++) {
      output.part(new RoundPart(
          current,
          partition,
          range.from(),
          range.to(),
          attempt,
          i,
          pieces,
          ChunkAssembler.piece(sealed, i)));
    }
    output.partSent(current);
    summing = false;
    current++;
    forget();
  }

  /** Of earlier rounds only the point of the one before is ever asked for. */
  private void forget() {
    openings.forgetBefore(current - 1);
  }
}
