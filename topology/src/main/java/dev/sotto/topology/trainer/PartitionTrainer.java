package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.release.Releaser;
import dev.sotto.learner.training.Plan;
import dev.sotto.serdes.avro.Sha256;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.CatchUpReader;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.ReadBudget;
import dev.sotto.topology.log.RememberedSlots;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SlotOrder;
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
public abstract sealed class PartitionTrainer implements CatchUpReader.Visitor
    permits SlotTrainer, RoundCoordinator {
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
  final CatchUpReader reader;
  final RememberedSlots remembered; // null where no record is taken twice
  final SlotOrder order; // null where the source holds the slots
  private final OrderFollower follower; // null without an order
  private final SlotLog slots;
  private final LedgerChain chain;
  private final StateChecks checks;
  private final RoundCloser closer;

  /** Slots without a model. */
  long nullSlots;

  private boolean warm;
  private boolean leftBehind;
  private long firstHandedOver;
  private long origin;
  private long savedPosition;
  private OrderPlace savedOrder;
  private long savedNullSlots;
  private long slotsSinceSave;
  private boolean published; // a version that is not in the stored state
  private boolean inReading;
  private boolean headDue;
  private long seen; // offset behind the last record that was ever taken

  PartitionTrainer(TrainerSettings settings, Stores stores, Logs logs, TrainerOutput output) {
    this.settings = settings;
    this.store = new LearnerStore(stores.heads(), stores.arrays());
    this.output = output;
    this.chain = new LedgerChain(logs.ledger(), settings.partition());
    this.checks = new StateChecks(settings);
    this.models = new ModelCache(settings, store, chain, checks, stores.heads(), stores.units());
    this.closer = new RoundCloser(settings, output, chain, models);
    this.order = logs.announcements() == null ? null : new SlotOrder(logs.slots());
    this.slots = order == null ? logs.slots() : order;
    this.remembered = readsAgain(settings.plan()) ? new RememberedSlots(slots) : null;
    this.reader = new CatchUpReader(
        remembered == null ? slots : remembered,
        settings.partition(),
        settings.readTimeLimit(),
        this);
    this.follower = order == null
        ? null
        : new OrderFollower(logs.announcements(), order, reader, settings.readTimeLimit());
  }

  private static boolean readsAgain(Plan plan) {
    return plan.learnsFromBlocks() && plan.block().readsAgain();
  }

  /** Reads again no longer than a transaction bears; until this is called, whatever one bears. */
  public final void within(ReadBudget budget) {
    reader.within(budget);
  }

  /** Takes one record in its turn. */
  abstract void learn(SourceRecord record, boolean live);

  /** The origin that the ledger states where the first record ever seen has this offset. */
  abstract long originOf(long firstOffset);

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
      leftBehind = order == null ? head.handedTo() > head.position() : head.handedTo() >= 0;
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
    accept(record, record.offset() + 1);
  }

  /**
   * Takes the next record of the partition, with which others were handed over.
   *
   * @param end offset behind the last of those: once this {@link #isBehind}, they need not be given
   */
  public final void accept(SourceRecord record, long end) {
    boolean wasBehind = isBehind();
    if (!warm) {
      warmUp(record.offset(), 0);
    }
    if (order != null) {
      follow(() -> follower.take(record), wasBehind);
      return;
    }
    reader.handedOver(end);
    if (reader.take(record) && isCheckpointDue()) {
      checkpoint();
    }
  }

  /** Reads slots; the head is written behind them, since it says whether some are left. */
  private void follow(Runnable reading, boolean wasBehind) {
    inReading = true;
    headDue = false;
    reading.run();
    inReading = false;
    if (!models.isEmpty()) { // else a block that is open in the store may begin further back
      order.forgetBelow(firstNeeded(reader.position()));
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
    return Math.min(models.firstOffset(position), position);
  }

  @Override
  public final void record(SourceRecord record, boolean again) {
    if (remembered != null) {
      remembered.add(record);
    }
    boolean live = !again || record.offset() >= firstHandedOver;
    learn(record, live && (order == null || follower.isNew(record.offset())));
    seen = Math.max(seen, record.offset() + 1);
    slotsSinceSave++;
  }

  /** Whether a record has been taken before, by this life of the trainer. */
  final boolean isTaken(long offset) {
    return offset < seen;
  }

  /** A slot without a model; one that is read again has been counted. */
  final void countNullSlot(long offset) {
    if (offset >= seen) {
      nullSlots++;
    }
  }

  /**
   * The records from an offset on are taken again behind the one that is being taken: a block that
   * needs another pass. What was set aside in them has been set aside already.
   *
   * @param taken offset of the one that is being taken
   */
  final void readAgain(long offset, long taken) {
    firstHandedOver = Math.max(firstHandedOver, Math.max(seen, taken + 1));
    reader.rewind(offset);
  }

  @Override
  public final void pieceDone() {
    savePiece();
    output.commitSoon();
  }

  /**
   * Whether records that were handed over still wait to be read again, in this life or from the one
   * before.
   */
  public final boolean isBehind() {
    boolean behind = order == null ? reader.isBehind() : follower.isBehind();
    return behind || !warm && leftBehind;
  }

  /** Reads on for a while, where it {@link #isBehind}. */
  public final void goOn() {
    boolean wasBehind = isBehind();
    if (!warm && leftBehind) {
      long handedTo = store.partitionHead().handedTo(); // no further record may ever come
      warmUp(handedTo, handedTo);
    }
    if (order == null) {
      reader.readOn();
    } else {
      follow(follower::goOn, wasBehind);
    }
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
    reader.handedOver(end);
    reader.leaveRest();
  }

  /**
   * Leaves the records that were handed over with the last one to a later reading, since a
   * transaction bears no more.
   */
  public final void leaveRest() {
    reader.leaveRest();
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
      closer.resume(head.ledgerSequence(), head.ledgerHash());
      if (chain.sequence() > head.ledgerSequence()) {
        chain.expect(head.ledgerSequence() + 1, head.ledgerHash());
      }
    } else if (last != null) { // the state is lost: derive it again from where the ledger began
      origin = last.origin();
      from = origin;
      chain.expect(1, Sha256.none());
    } else { // the first record ever seen
      origin = order == null ? originOf(offset) : 0;
      from = order == null ? offset : 0;
    }
    savedPosition = from;
    seen = from;
    nullSlots = savedNullSlots;
    if (order != null) {
      savedOrder = head == null ? OrderPlace.beginning() : head.order();
      follower.start(savedOrder, from, handedTo);
      firstHandedOver = 0;
      if (head != null && head.handedTo() >= 0) {
        follower.lettersFrom(head.lettersFrom(), head.lettersAnnounced());
      }
    } else if (head != null && head.lettersFrom() >= 0) {
      firstHandedOver = Math.min(offset, head.lettersFrom());
      reader.startBehind(from, handedTo);
    } else {
      firstHandedOver = offset;
      reader.start(from);
    }
    if (head == null) {
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
   * @param to every slot of the model below this offset is in a closed round
   * @return whether it ended a version
   */
  final boolean close(CachedModel model, VersionRanges ranges, long to) {
    boolean version = closer.close(model, ranges, origin, to);
    published |= version;
    return version;
  }

  /** Slots filled in a model's open round; -1 where the model is not in memory. */
  public final long openSlots(String modelId) {
    return models.openSlots(modelId);
  }

  /** Whether a start would read slots again of which a version was published. */
  public final boolean isUnsaved() {
    return published;
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
      published = false;
      if (order != null && !models.isEmpty()) {
        savedOrder = order.placeAt(firstNeeded(position), isInVersion());
      }
    }
    saveHead();
  }

  /** Writes the head at the position that was saved last. */
  final void saveHead() {
    if (inReading) {
      headDue = true;
      return;
    }
    boolean behind = isBehind();
    long handedTo = order == null ? reader.reach() : follower.handedTo();
    store.put(new PartitionHead(
        savedPosition,
        origin,
        savedNullSlots,
        closer.sequence(),
        closer.hash(),
        settings.topicId(),
        settings.routing(),
        behind ? lettersFrom() : -1,
        behind ? handedTo : -1,
        Releaser.SEMANTICS,
        settings.source().eventTopicId(),
        behind && order != null ? follower.newAnnounced() : -1,
        savedOrder));
  }

  /** Where records begin that were handed over but not set aside yet; -1 where it is not known. */
  private long lettersFrom() {
    long seenHere = Math.max(reader.position(), firstHandedOver);
    if (order == null) {
      return seenHere;
    }
    return follower.newFrom() < 0 ? -1 : Math.max(seenHere, follower.newFrom());
  }

  /** Whether a version is open. */
  abstract boolean isInVersion();

  /** Ends what it keeps open; it is of no use afterwards. */
  public final void close() {
    slots.close();
    models.close();
  }
}
