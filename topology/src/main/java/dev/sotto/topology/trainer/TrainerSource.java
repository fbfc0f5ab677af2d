package dev.sotto.topology.trainer;

import dev.sotto.learner.accounting.OffsetRange;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.log.EventPlaces;
import dev.sotto.topology.log.ReadTime;
import dev.sotto.topology.log.SlotOrder;
import dev.sotto.topology.log.SlotReader;
import dev.sotto.topology.log.SlotSource;
import dev.sotto.topology.log.SourceRecord;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * The slots of a trainer, with what its head must say to find them again after a restart. A place
 * is an offset of the partition ({@link DirectSource}), or in the order of several ({@link
 * OrderedSource}).
 */
sealed interface TrainerSource extends SlotSource, EventPlaces permits DirectSource, OrderedSource {
  /** The slots of a trainer, by its logs. */
  static TrainerSource of(TrainerSettings settings, PartitionTrainer.Logs logs) {
    boolean remembers = settings.plan().block().readsAgain();
    if (logs.announcements() == null) {
      return new DirectSource(
          new SlotReader(logs.slots(), remembers, settings.partition(), settings.readTimeLimit()),
          settings.partition());
    }
    SlotOrder order = new SlotOrder(logs.slots());
    return new OrderedSource(
        logs.announcements(),
        order,
        new SlotReader(order, remembers, settings.partition(), settings.readTimeLimit()),
        settings.readTimeLimit());
  }

  /** Hands out slots no longer than a transaction bears. */
  void within(ReadTime readTime);

  /** Whether an earlier life was handed what it did not take. */
  boolean hasLeft(PartitionHead head);

  /** The place of the first slot ever, where the first record ever seen has an offset. */
  long first(long offset);

  /**
   * Starts.
   *
   * @param head what was stored; null where nothing was
   * @param from the first slot that is not in the stored state
   * @param offset of the record that is handed over first
   * @param handedTo offset up to which an earlier life was handed records; at most 0 where no
   *     record need be handed over to go on
   */
  void start(PartitionHead head, long from, long offset, long handedTo);

  /**
   * Takes over a record of the source, with which others were handed over.
   *
   * @param end offset behind the last of those
   */
  void offer(SourceRecord record, long end);

  /** Leaves what was handed over, all below an offset, to a later reading. */
  void leaveTo(long end);

  /** Whether a slot was never handed to an earlier life, which would have set it aside. */
  boolean isNew(long place);

  /** The place of the first such slot; -1 where it is not known. */
  long newFrom();

  /** Offset of the announcement of that slot, where the place is not known; else -1. */
  long newAnnounced();

  /** Offset behind the last record that was handed over. */
  long handedTo();

  /** Whether places are those of an order. */
  boolean isOrder();

  /**
   * The place in an order from which everything behind a place can be found again; null without.
   */
  OrderPlace placeAt(long place, boolean inVersion);

  /** A version begins at a place. */
  void beginVersion(long place);

  /** Where the open version lies, between two places. */
  List<OffsetRange> version(long from, long to);

  /** No slot below a place is handed out again. */
  void forgetBelow(long place);

  /**
   * Slots below a place are in no open block: they need not be kept in memory.
   *
   * @param place asked for where any are kept alone: it takes a look at every model on the heap
   */
  void closedBelow(LongSupplier place);

  /** Ends what it keeps open; it is of no use afterwards. */
  void close();
}
