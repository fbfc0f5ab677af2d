package dev.sotto.topology.trainer;

import dev.sotto.learner.release.Releaser;
import dev.sotto.serdes.record.OrderPlace;
import dev.sotto.serdes.record.PartitionHead;
import dev.sotto.topology.store.LearnerStore;

/**
 * How far a trainer has come, as it is stored: every slot below its position is in the stored
 * state, or was never to be. Not safe for use by several threads.
 */
final class TrainerHead {
  private final TrainerSettings settings;
  private final LearnerStore store;
  private final RoundCloser closer;
  private final TrainerSource source;
  private long origin;
  private long position;
  private OrderPlace order; // null where places are offsets
  private long nullSlots;

  TrainerHead(
      TrainerSettings settings, LearnerStore store, RoundCloser closer, TrainerSource source) {
    this.settings = settings;
    this.store = store;
    this.closer = closer;
    this.source = source;
  }

  /** Goes on from what is stored. */
  void resume(PartitionHead stored) {
    origin = stored.origin();
    position = stored.position();
    order = stored.order();
    nullSlots = stored.nullSlots();
  }

  /**
   * Begins where nothing is stored.
   *
   * @param ofLedger the origin that the ledger states
   * @param from place of the first slot
   */
  void begin(long ofLedger, long from) {
    origin = ofLedger;
    position = from;
    order = source.isOrder() ? OrderPlace.beginning() : null;
  }

  /** The origin that the ledger states. */
  long origin() {
    return origin;
  }

  /** Every slot below this place is in the stored state. */
  long position() {
    return position;
  }

  /** Slots below it without a model. */
  long nullSlots() {
    return nullSlots;
  }

  /** No model holds anything of the slots below a place that the store does not. */
  void moveTo(long place, long slotsWithoutModel) {
    position = place;
    nullSlots = slotsWithoutModel;
  }

  /** From here on the order is asked for again after a restart. */
  void moveOrderTo(OrderPlace from) {
    order = from;
  }

  /**
   * Writes it.
   *
   * @param behind whether records that were handed over wait to be read again
   * @param seen place behind the last slot that was ever taken
   */
  void write(boolean behind, long seen) {
    store.put(new PartitionHead(
        position,
        origin,
        nullSlots,
        closer.sequence(),
        closer.hash(),
        settings.topicId(),
        settings.routing(),
        behind ? lettersFrom(seen) : -1,
        behind ? source.handedTo() : -1,
        Releaser.SEMANTICS,
        settings.source().eventTopicId(),
        behind ? source.newAnnounced() : -1,
        order));
  }

  /** Where records begin that were handed over but not set aside yet; -1 where it is not known. */
  private long lettersFrom(long seen) {
    long from = source.newFrom();
    return from < 0 ? -1 : Math.max(from, Math.max(source.position(), seen));
  }
}
