package dev.sotto.topology.trainer;

import dev.sotto.serdes.record.PartitionHead;

/**
 * Where the slots of an order begin that no earlier life was handed, and so has not set aside:
 * those of the first announcement that this life is handed. It is known as the offset of that
 * announcement, and as a place once that has been added to the order. Not safe for use by several
 * threads.
 */
final class NewSlots {
  private static final long NONE = Long.MAX_VALUE;

  private long announced = NONE;
  private long place = NONE;

  /**
   * As it was stored, where an earlier life was handed what it did not take; else not known yet.
   */
  void start(PartitionHead head) {
    boolean left = head != null && head.handedTo() >= 0;
    boolean placed = left && head.lettersFrom() >= 0;
    place = placed ? head.lettersFrom() : NONE;
    announced = left && !placed ? head.lettersAnnounced() : NONE;
  }

  /** An announcement is handed over. */
  void handedOver(long offset) {
    if (place == NONE && announced == NONE) {
      announced = offset;
    }
  }

  /**
   * An announcement is about to be added to the order.
   *
   * @param end where its slots begin
   */
  void added(long offset, long end) {
    if (offset >= announced) {
      place = end;
      announced = NONE;
    }
  }

  /** Whether a slot is one of them. */
  boolean has(long slot) {
    return slot >= place;
  }

  /** The place of the first; -1 where it is not known. */
  long place() {
    return place == NONE ? -1 : place;
  }

  /** Offset of the announcement of the first, where its place is not known; else -1. */
  long announced() {
    return announced == NONE ? -1 : announced;
  }
}
