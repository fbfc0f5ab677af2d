package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.LedgerEntry;
import dev.sotto.learner.key.Sha256;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.LedgerLog;
import dev.sotto.topology.log.Place;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotLog;
import dev.sotto.topology.log.SourceRecord;
import dev.sotto.topology.store.LearnerStore;
import dev.sotto.topology.store.StateTable;

/**
 * Learns from one partition of its source. A record of it is an event, in layout ordered an
 * announcement of events, in layout rounds a piece of a partial sum. Between the ends of versions
 * it holds sums on the heap only and writes nothing: the log is the buffer. After every restart it
 * reads again what lies between the position of its stored state and the first record that it is
 * given (docs/decisions/0002-the-log-is-the-buffer.md).
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
  final TrainerProgress progress;
  private final LedgerChain chain;
  private final StateChecks checks;
  private final RoundCloser closer;
  private final TrainerHead head;
  private boolean warm;
  private boolean leftBehind;

  PartitionTrainer(TrainerSettings settings, Stores stores, Logs logs, TrainerOutput output) {
    this.settings = settings;
    this.store = new LearnerStore(stores.heads(), stores.arrays());
    this.output = output;
    this.chain = new LedgerChain(logs.ledger(), settings.partition());
    this.checks = new StateChecks(settings);
    this.models = new ModelCache(settings, store, chain, checks, stores.heads(), stores.units());
    this.closer = new RoundCloser(settings, output, chain, models);
    this.source = TrainerSource.of(settings, logs);
    this.head = new TrainerHead(settings, store, closer, source);
    this.progress = new TrainerProgress(head, models, source, settings);
  }

  /** Reads again no longer than a transaction bears; until this is called, whatever one bears. */
  public final void within(ReadTime readTime) {
    source.within(readTime);
  }

  /**
   * Takes the next record that the source hands out: an event, whose slot it is, or in layout
   * rounds a piece of a partial sum.
   *
   * @param live whether it has never been handed to a trainer: then it is set aside where it cannot
   *     be used
   * @return the place of the slots that are taken next: behind it, or further back where a block
   *     needs another pass
   */
  abstract long learn(SourceRecord record, boolean live);

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
    PartitionHead stored = store.partitionHead();
    if (stored != null) {
      checks.settings(stored);
      leftBehind = source.hasLeft(stored);
    }
  }

  /** The place in the order from which the stored state goes on. */
  public final OrderPlace orderPlace() {
    PartitionHead stored = store.partitionHead();
    return stored == null ? OrderPlace.beginning() : stored.order();
  }

  /** Whether it, or an earlier life, has taken a record. */
  public final boolean hasBegun() {
    return warm || store.partitionHead() != null;
  }

  final boolean isWarm() {
    return warm;
  }

  /** Takes the next record of the source. */
  public final void accept(SourceRecord record) {
    accept(record, Place.behind(record.place()));
  }

  /**
   * Takes the next record of the source, with which others were handed over.
   *
   * @param end offset behind the last of those: once this {@link #isBehind}, they need not be given
   */
  public final void accept(SourceRecord record, long end) {
    boolean wasBehind = isBehind();
    if (!warm) {
      warmUp(record.place(), 0);
    }
    source.offer(record, end);
    learnAll(wasBehind);
  }

  /** Learns from all slots that there are now. */
  private void learnAll(boolean wasBehind) {
    progress.begin();
    for (SourceRecord slot = source.next(); slot != null; slot = source.next()) {
      long place = slot.place();
      long next = learn(slot, !progress.isTaken(place) && source.isNew(place));
      progress.took(place);
      if (next <= place) {
        source.rewind(next);
      }
    }
    boolean headDue = progress.end();
    if (source.isOrder() && !models.isEmpty()) { // else an open block may begin further back
      source.forgetBelow(progress.firstNeeded(source.position()));
    }
    if (wasBehind || isBehind()) {
      pieceDone();
    } else if (progress.isCheckpointDue()) {
      checkpoint();
    } else if (headDue) {
      progress.save();
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

  /**
   * Begins, or goes on, with the first call of this life.
   *
   * @param offset of the record that is handed over first
   * @param handedTo offset up to which an earlier life was handed records, where none has to come
   *     to go on; else 0
   */
  private void warmUp(long offset, long handedTo) {
    PartitionHead stored = store.partitionHead();
    LedgerEntry last = chain.open();
    if (stored != null) {
      goOn(stored, last);
    } else if (last != null) {
      deriveAgain(last);
    } else {
      long from = source.first(offset);
      head.begin(originOf(from), from);
    }
    progress.start();
    source.start(stored, head.position(), offset, handedTo);
    if (stored == null) {
      progress.save();
    }
    warm = true;
    begun();
  }

  /** From the stored state; what was published behind it comes out again. */
  private void goOn(PartitionHead stored, LedgerEntry last) {
    checks.settings(stored);
    checks.ledger(stored, last, chain.hash());
    head.resume(stored);
    closer.resume(stored.ledgerSequence(), stored.ledgerHash());
    if (chain.sequence() > stored.ledgerSequence()) {
      chain.expect(stored.ledgerSequence() + 1, stored.ledgerHash());
    }
  }

  /** The state is lost: all of it comes out again, from where the ledger began. */
  private void deriveAgain(LedgerEntry last) {
    head.begin(last.origin(), last.origin());
    chain.expect(1, Sha256.none());
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
    boolean version = closer.close(model, ranges, head.origin(), to);
    if (version) {
      progress.published();
    }
    return version;
  }

  /** Slots filled in a model's open round; -1 where the model is not in memory. */
  public final long openSlots(String modelId) {
    return models.openSlots(modelId);
  }

  /** Whether a start would read slots again of which a version was published. */
  public final boolean isUnsaved() {
    return progress.isUnsaved();
  }

  /** Ends what it keeps open; it is of no use afterwards. */
  public final void close() {
    source.close();
    models.close();
  }
}
