package dev.sotto.topology.core;

import dev.sotto.learner.example.Slot;
import dev.sotto.learner.example.Verdict;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.privacy.LedgerEntry;
import dev.sotto.learner.privacy.OffsetRange;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.round.ModelLearner;
import dev.sotto.learner.round.Plan;
import dev.sotto.serdes.event.EventDecoder;
import dev.sotto.serdes.record.PartitionHead;
import java.util.List;
import java.util.Set;

/**
 * Learns from one partition. Between the closings of rounds it holds sums on the heap only and writes nothing:
 * the log is the buffer. After every restart it reads again what lies between the position of its stored state
 * and the first record that it is given (docs/decisions/0002-the-log-is-the-buffer.md).
 *
 * <p>Promises, for any schedule of crashes, re-deliveries and restarts in which state and outputs are committed
 * together: every record fills one slot of one model, and the committed ledger and snapshots are those of an
 * undisturbed run, bit for bit. Not safe for use by several threads.
 */
public final class TrainerCore {
  private final TrainerSettings settings;
  private final Plan plan;
  private final Objective objective;
  private final ModelRouting routing;
  private final EventDecoder decoder;
  private final LearnerStore store;
  private final Outbox outbox;
  private final SlotLog slotLog;
  private final Chain chain;
  private final Closing closing;
  private final Slot slot;
  private final Tracks tracks;
  private final Parts parts; // null where records are slots
  private final StateChecks checks;

  private boolean warm;
  private long position;
  private long reach;
  private long firstHandedOver;
  private boolean behind;
  private boolean gap;
  private boolean leftBehind;
  private long savedPosition;
  private long origin;
  private long nullSlots;
  private long savedNullSlots;
  private long slotsSinceSave;

  /** A cold trainer of slots: nothing is read or written before the first record. */
  public TrainerCore(
      TrainerSettings settings,
      ModelRouting routing,
      EventDecoder decoder,
      StateTable heads,
      StateTable arrays,
      StateTable units,
      Outbox outbox,
      SlotLog slotLog,
      LedgerLog ledgerLog) {
    this(
        settings,
        routing,
        decoder,
        new Stores(heads, arrays, units),
        outbox,
        slotLog,
        ledgerLog,
        null);
    if (decoder.dimension() != plan.inputs()) {
      throw new IllegalArgumentException(
          "the decoder must give " + plan.inputs() + " features, but gives " + decoder.dimension());
    }
  }

  /**
   * A cold trainer of one model whose records are parts of rounds: the coordinator.
   *
   * @param rounds how the model's rounds are shared out, and where the next ones are opened
   * @param decoder of records
   */
  public static TrainerCore ofParts(
      TrainerSettings settings,
      RoundsSettings rounds,
      PartDecoder decoder,
      StateTable heads,
      StateTable arrays,
      Outbox outbox,
      SlotLog slotLog,
      LedgerLog ledgerLog) {
    Parts parts = new Parts(settings.plan(), rounds, decoder);
    return new TrainerCore(
        settings,
        (key, header) -> rounds.modelId(),
        null,
        new Stores(heads, arrays, null),
        outbox,
        slotLog,
        ledgerLog,
        parts);
  }

  private record Stores(StateTable heads, StateTable arrays, StateTable units) {}

  private TrainerCore(
      TrainerSettings settings,
      ModelRouting routing,
      EventDecoder decoder,
      Stores stores,
      Outbox outbox,
      SlotLog slotLog,
      LedgerLog ledgerLog,
      Parts parts) {
    this.settings = settings;
    this.plan = settings.plan();
    this.objective = plan.objective();
    this.routing = routing;
    this.decoder = decoder;
    this.store = new LearnerStore(stores.heads(), stores.arrays());
    this.outbox = outbox;
    this.slotLog = slotLog;
    this.chain = new Chain(ledgerLog, settings.partition());
    this.slot = new Slot(plan.inputs());
    this.checks = new StateChecks(settings);
    this.tracks = new Tracks(settings, store, chain, checks, stores.heads(), stores.units());
    this.closing = new Closing(settings, outbox, chain, tracks);
    this.parts = parts;
  }

  /**
   * Compares the stored state with the settings, so that a refusal need not wait for a record; writes nothing.
   */
  public void inspect() {
    PartitionHead head = store.partitionHead();
    if (head != null) {
      checks.settings(head);
      leftBehind = head.handedTo() > head.position();
    }
  }

  /** Whether it, or an earlier life, has taken a record. */
  public boolean hasBegun() {
    return warm || store.partitionHead() != null;
  }

  /** Takes the next record of the partition. */
  public void accept(long offset, byte[] key, byte[] value, byte[] modelHeader) {
    if (!warm) {
      warmUp(offset);
    }
    reach = Math.max(reach, offset + 1);
    if (gap && position < offset && !readAgain(offset)) {
      return; // this record too is read again, when its turn comes: the position is the truth
    }
    if (offset < position) {
      return; // its slot is filled: the store is ahead of the group's offset
    }
    gap = false;
    absorb(offset, key, value, modelHeader, true);
    position = offset + 1;
    if (++slotsSinceSave >= settings.checkpointSlots()) {
      checkpoint();
    }
  }

  /** Whether records that were handed over still wait to be read again, in this life or from the one before. */
  public boolean isBehind() {
    return behind || !warm && leftBehind;
  }

  /** Reads on for a while, where it {@link #isBehind}. */
  public void goOn() {
    if (!warm && leftBehind) {
      long handedTo = store.partitionHead().handedTo();
      warmUp(handedTo); // no further record may ever come
      reach = handedTo;
    }
    if (behind) {
      readAgain(reach);
    }
  }

  /**
   * Reads up to an offset, but not for longer than a transaction bears: how far it has come is written then, a commit
   * asked for, and the rest left for the next call.
   */
  private boolean readAgain(long to) {
    long deadline = System.nanoTime() + settings.slice().toNanos();
    boolean all = slotLog.read(settings.partition(), position, to, (offset, key, value, header) -> {
      absorb(offset, key, value, header, offset >= firstHandedOver);
      position = offset + 1;
      slotsSinceSave++;
      return System.nanoTime() - deadline < 0;
    });
    // Time may be up at the very last one. To be behind by nothing would let the next record in
    // without the head being
    // told, and the next life would begin behind that record.
    boolean whole = all || position >= to;
    if (whole) {
      position = to;
    }
    boolean wasBehind = behind;
    behind = !whole;
    gap = behind; // between records that are handed over in turn lie only markers and aborted ones
    if (behind || wasBehind) {
      if (parts == null && slotsSinceSave < settings.checkpointSlots()) {
        saveHead(position); // a large state at each slice would cost more than reading again
      } else {
        checkpoint();
      }
      outbox.commitSoon();
    }
    return whole;
  }

  private void warmUp(long offset) {
    PartitionHead head = store.partitionHead();
    LedgerEntry last = chain.open();
    if (head != null) {
      checks.settings(head);
      checks.ledger(head, last, chain.hash());
      origin = head.origin();
      position = head.position();
      savedNullSlots = head.nullSlots();
      closing.resume(head.ledgerSequence(), head.ledgerHash());
      if (chain.sequence() > head.ledgerSequence()) {
        chain.expect(head.ledgerSequence() + 1, head.ledgerHash());
      }
    } else if (last != null) { // the state is lost: derive it again from where the ledger began
      origin = last.origin();
      position = origin;
      chain.expect(1, Hashes.none());
    } else { // the first record ever seen
      // Where a part lies depends on how often a worker's transaction was aborted: the ledger must
      // not.
      origin = parts == null ? offset : 0;
      position = offset;
    }
    savedPosition = position;
    nullSlots = savedNullSlots;
    if (head == null) {
      store.put(head());
    }
    boolean lettersLeft = head != null && head.lettersFrom() >= 0;
    firstHandedOver = lettersLeft ? Math.min(offset, head.lettersFrom()) : offset;
    behind = lettersLeft;
    gap = true;
    reach = 0;
    warm = true;
  }

  private void absorb(long offset, byte[] key, byte[] value, byte[] modelHeader, boolean live) {
    if (parts != null) {
      absorbPart(offset, value);
      return;
    }
    String modelId = routing.modelOf(key, modelHeader);
    if (modelId == null) {
      nullSlots++;
      if (live) {
        outbox.deadLetter(offset, key, value, Verdict.NO_MODEL);
      }
      return;
    }
    ModelTrack track = tracks.of(modelId, position);
    if (offset < track.savedPosition) {
      return; // a checkpoint or a close of this model has it already
    }
    if (decoder.decode(key, value, slot) == Verdict.USED) {
      ModelLearner.admit(slot, objective);
    }
    if (live && slot.verdict() != Verdict.USED) {
      outbox.deadLetter(offset, key, value, slot.verdict());
    }
    tracks.markUnsaved(track);
    if (track.learner.isExhausted()) {
      track.skipped++;
      return;
    }
    if (track.firstOffset < 0) {
      track.firstOffset = offset;
    }
    if (track.learner.fill(slot)) {
      close(track, offset + 1);
    }
  }

  /** The round that parts are gathered for; 0 before the first record. */
  public long roundOfParts() {
    return warm ? partTrack().learner.round() + 1 : 0;
  }

  /** The source partitions whose part of that round has not come; none where the budget is spent. */
  public Set<Integer> missingParts() {
    return !warm || partTrack().learner.isExhausted() ? Set.of() : parts.missing(roundOfParts());
  }

  private ModelTrack partTrack() {
    return tracks.of(routing.modelOf(null, null), position);
  }

  private void absorbPart(long offset, byte[] value) {
    ModelTrack track = partTrack();
    if (offset < track.savedPosition) {
      return;
    }
    tracks.markUnsaved(track);
    parts.take(offset, value, track.learner.round());
    while (parts.fills(track.learner)) {
      long round = track.learner.round() + 1;
      long to = parts.close(round, offset + 1);
      if (closing.close(track, parts.ranges(round), origin, to)) {
        parts.openNext(track.learner);
      }
      saveHead(to);
    }
  }

  private void close(ModelTrack track, long to) {
    OffsetRange range = new OffsetRange(settings.partition(), track.firstOffset, to);
    closing.close(track, List.of(range), origin, to);
    track.firstOffset = -1;
    saveHead(to);
  }

  /** Slots filled in a model's open round; -1 where the model is not in memory. */
  public long openSlots(String modelId) {
    return tracks.openSlots(modelId);
  }

  /** Writes what the heap holds and the store does not; decides nothing, and bounds what a restart reads again. */
  public void checkpoint() {
    if (!warm) {
      return;
    }
    if (parts != null) { // parts of open rounds are few, and read again
      store.put(head());
      return;
    }
    tracks.checkpoint(position);
    saveHead(position);
  }

  private void saveHead(long at) {
    if (tracks.allSaved()) {
      savedPosition = at;
      savedNullSlots = nullSlots;
      slotsSinceSave = 0;
    }
    store.put(head());
  }

  private PartitionHead head() {
    return new PartitionHead(
        savedPosition,
        origin,
        savedNullSlots,
        closing.sequence(),
        closing.hash(),
        settings.topicId(),
        settings.routing(),
        behind ? Math.max(position, firstHandedOver) : -1,
        behind ? reach : -1,
        Releaser.SEMANTICS);
  }
}
