package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.RememberedSlots;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.store.LearnerStore;
import dev.sotto.topology.store.StateTable;

/**
 * Learns from one partition. Between the ends of versions it holds sums on the heap only and writes
 * nothing: the log is the buffer. After every restart it reads again what lies between the position
 * of its stored state and the first record that it is given
 * (docs/decisions/0002-the-log-is-the-buffer.md).
 *
 * <p>Promises, for any schedule of crashes, re-deliveries and restarts in which state and outputs
 * are committed together: every record is taken once, and the committed ledger and snapshots are
 * those of an undisturbed run, bit for bit. Not safe for use by several threads.
 */
public abstract sealed class PartitionTrainer permits SlotTrainer, RoundCoordinator {
  /**
   * The stores of one partition.
   *
   * @param heads how far everything has come
   * @param arrays large state
   * @param units histories of privacy units; null where none are kept
   */
  public record Stores(StateTable heads, StateTable arrays, StateTable units) {}

  /**
   * What is read again: the source, and the ledger that was published.
   *
   * @param slots those of the source, or of the events that an order announces
   * @param ledger that was published
   * @param announcements the order's topic; null where the source holds the slots
   */
  public record Logs(SlotLog slots, LedgerLog ledger, SlotLog announcements) {
    /** Logs of a source that holds the slots. */
    public Logs(SlotLog slots, LedgerLog ledger) {
      this(slots, ledger, null);
    }
  }

  final TrainerSettings settings;
  final LearnerStore store;
  final TrainerOutput output;
  final ModelCache models;
  final TrainerSource source;
  private final RememberedSlots remembered; // null where no record is taken twice
  private final SlotLog slots;
  private final LedgerChain chain;
  private final StateChecks checks;
  private final RoundCloser closer;

  /** Slots without a model. */
  long nullSlots;

  private boolean warm;
  private boolean leftBehind;
  private long origin;
  private long savedPosition;
  private OrderPlace savedOrder;
  private long savedNullSlots;
  private long slotsSinceSave;
  private boolean unsavedVersion; // one was published that is not in the stored state
  private boolean learning; // the head is written behind it, since it says what is left
  private boolean headDue;
  private long seen; // place behind the last slot that was ever taken

  PartitionTrainer(TrainerSettings settings, Stores stores, Logs logs, TrainerOutput output) {
    this.settings = settings;
    this.store = new LearnerStore(stores.heads(), stores.arrays());
    this.output = output;
    this.chain = new LedgerChain(logs.ledger(), settings.partition());
    this.checks = new StateChecks(settings);
    this.models = new ModelCache(settings, store, chain, checks, stores.heads(), stores.units());
    this.closer = new RoundCloser(settings, output, chain, models);
    SlotOrder order = logs.announcements() == null ? null : new SlotOrder(logs.slots());
    this.slots = order == null ? logs.slots() : order;
    this.remembered = readsAgain(settings.plan()) ? new RememberedSlots(slots) : null;
    SlotReader reader = new SlotReader(
        remembered == null ? slots : remembered, settings.partition(), settings.readTimeLimit());
    this.source = order == null
        ? new DirectSource(reader, settings.partition())
        : new OrderedSource(logs.announcements(), order, reader, settings.readTimeLimit());
  }

  private static boolean readsAgain(Plan plan) {
    return plan.block().readsAgain();
  }

  /** Reads again no longer than a transaction bears; until this is called, whatever one bears. */
  public final void within(ReadTime readTime) {
    source.within(readTime);
  }

  /**
   * Takes one slot in its turn.
   *
   * @param live whether it has never been handed to a trainer: then it is set aside where it cannot
   *     be used
   * @return the place of the slots that are taken next: behind it, or further back where a block
   *     needs another pass
   */
  abstract long learn(SourceRecord slot, boolean live);

  /** The origin that the ledger states where the first record ever seen has this place. */
  abstract long originOf(long firstPlace);

  /**
   * Writes what the heap holds and the store does not; decides nothing, and bounds what a restart
   * reads again.
   */
  public abstract void checkpoint();

  /** Writes how far reading again has come. */
  abstract void savePiece();

  /**
   * Compares the stored state with the settings, so that a refusal need not wait for a record;
   * writes nothing.
   */
  public final void inspect() {
    PartitionHead head = store.partitionHead();
    if (head != null) {
      checks.settings(head);
      leftBehind = source.hasLeft(head);
    }
  }

  /** The place in the order from which the stored state goes on. */
  public final OrderPlace orderPlace() {
    PartitionHead head = store.partitionHead();
    return head == null ? OrderPlace.beginning() : head.order();
  }

  /** Whether it, or an earlier life, has taken a record. */
  public final boolean hasBegun() {
    return warm || store.partitionHead() != null;
  }

  final boolean isWarm() {
    return warm;
  }

  /** Takes the next record of the partition. */
  public final void accept(SourceRecord record) {
    accept(record, Place.behind(record.place()));
  }

  /**
   * Takes the next record of the partition, with which others were handed over.
   *
   * @param end offset behind the last of those: once this {@link #isBehind}, they need not be given
   */
  public final void accept(SourceRecord record, long end) {
    boolean wasBehind = isBehind();
    if (!warm) {
      warmUp(record.place(), 0);
    }
    source.handOver(record, end);
    learnAll(wasBehind);
  }

  /** Learns from all slots that there are now. */
  private void learnAll(boolean wasBehind) {
    learning = true;
    headDue = false;
    for (SourceRecord slot = source.next(); slot != null; slot = source.next()) {
      long place = slot.place();
      if (remembered != null) {
        remembered.add(slot);
      }
      long next = learn(slot, !isTaken(place) && source.isNew(place));
      seen = Math.max(seen, Place.behind(place));
      slotsSinceSave++;
      if (next <= place) {
        source.rewind(next);
      }
    }
    learning = false;
    if (source.isOrder() && !models.isEmpty()) { // else an open block may begin further back
      source.forgetBelow(firstNeeded(source.position()));
    }
    if (wasBehind || isBehind()) {
      pieceDone();
    } else if (isCheckpointDue()) {
      checkpoint();
    } else if (headDue) {
      saveHead();
    }
  }

  private long firstNeeded(long position) {
    return Math.min(models.firstPlace(position), position);
  }

  /** Slots below a place that no open block reads again need not be remembered. */
  final void forget(long place) {
    if (remembered != null) {
      remembered.forgetBelow(models.firstPlace(place));
    }
  }

  /** Whether a record has been taken before, by this life of the trainer. */
  final boolean isTaken(long place) {
    return place < seen;
  }

  /** A slot without a model; one that is read again has been counted. */
  final void countNullSlot(long place) {
    if (place >= seen) {
      nullSlots++;
    }
  }

  /** What must survive is written now and committed soon: some is left, or no more. */
  private void pieceDone() {
    savePiece();
    output.commitSoon();
  }

  /**
   * Whether records that were handed over still wait to be read again, in this life or from the one
   * before.
   */
  public final boolean isBehind() {
    return source.isBehind() || !warm && leftBehind;
  }

  /** Reads on for a while, where it {@link #isBehind}. */
  public final void goOn() {
    boolean wasBehind = isBehind();
    if (!warm && leftBehind) {
      long handedTo = store.partitionHead().handedTo(); // no further record may ever come
      warmUp(handedTo, handedTo);
    }
    source.goOn();
    learnAll(wasBehind);
  }

  /**
   * Leaves records that were handed over to a later reading, since a transaction bears no more.
   *
   * @param offset of the first
   * @param end offset behind the last
   */
  public final void leave(long offset, long end) {
    if (!warm) {
      warmUp(offset, 0);
    }
    leaveTo(end);
  }

  /**
   * Leaves the records that were handed over with the last one to a later reading, since a
   * transaction bears no more.
   */
  public final void leaveRest() {
    leaveTo(0);
  }

  private void leaveTo(long end) {
    source.leaveTo(end);
    if (source.isBehind()) {
      pieceDone();
    }
  }

  private void warmUp(long offset, long handedTo) {
    PartitionHead head = store.partitionHead();
    LedgerEntry last = chain.open();
    long from;
    if (head != null) {
      checks.settings(head);
      checks.ledger(head, last, chain.hash());
      origin = head.origin();
      from = head.position();
      savedNullSlots = head.nullSlots();
      savedOrder = head.order();
      closer.resume(head.ledgerSequence(), head.ledgerHash());
      if (chain.sequence() > head.ledgerSequence()) {
        chain.expect(head.ledgerSequence() + 1, head.ledgerHash());
      }
    } else if (last != null) { // the state is lost: derive it again from where the ledger began
      origin = last.origin();
      from = origin;
      chain.expect(1, Sha256.none());
    } else { // the first record ever seen
      from = source.first(offset);
      origin = originOf(from);
    }
    savedPosition = from;
    seen = from;
    nullSlots = savedNullSlots;
    source.start(head, from, offset, handedTo);
    if (head == null) {
      savedOrder = source.isOrder() ? OrderPlace.beginning() : null;
      saveHead();
    }
    warm = true;
    begun();
  }

  /** The stored state is known, and fits the ledger; no record has been taken yet. */
  void begun() {}

  /**
   * Closes the round of a model.
   *
   * @param ranges where the slots of some rounds lie
   * @param to every slot of the model below this place is in a closed round
   * @return whether it ended a version
   */
  final boolean close(CachedModel model, VersionRanges ranges, long to) {
    boolean version = closer.close(model, ranges, origin, to);
    unsavedVersion |= version;
    return version;
  }

  /** Slots filled in a model's open round; -1 where the model is not in memory. */
  public final long openSlots(String modelId) {
    return models.openSlots(modelId);
  }

  /** Whether a start would read slots again of which a version was published. */
  public final boolean isUnsaved() {
    return unsavedVersion;
  }

  final boolean isCheckpointDue() {
    return slotsSinceSave >= settings.checkpointSlots();
  }

  /** Writes the head; its position moves where no model holds anything that the store does not. */
  final void saveHeadAt(long position) {
    if (models.allSaved()) {
      savedPosition = position;
      savedNullSlots = nullSlots;
      slotsSinceSave = 0;
      unsavedVersion = false;
      if (source.isOrder() && !models.isEmpty()) {
        savedOrder = source.placeAt(firstNeeded(position), isInVersion());
      }
    }
    saveHead();
  }

  /** Writes the head at the position that was saved last. */
  final void saveHead() {
    if (learning) {
      headDue = true;
      return;
    }
    boolean behind = isBehind();
    store.put(new PartitionHead(
        savedPosition,
        origin,
        savedNullSlots,
        closer.sequence(),
        closer.hash(),
        settings.topicId(),
        settings.routing(),
        behind ? lettersFrom() : -1,
        behind ? source.handedTo() : -1,
        Releaser.SEMANTICS,
        settings.source().eventTopicId(),
        behind ? source.newAnnounced() : -1,
        savedOrder));
  }

  /** Where records begin that were handed over but not set aside yet; -1 where it is not known. */
  private long lettersFrom() {
    long from = source.newFrom();
    return from < 0 ? -1 : Math.max(from, Math.max(source.position(), seen));
  }

  /** Whether a version is open. */
  abstract boolean isInVersion();

  /** Ends what it keeps open; it is of no use afterwards. */
  public final void close() {
    slots.close();
    models.close();
  }
}
