package dev.sotto.serdes.record;

import java.util.List;

/**
 * A place in the order of the slots of several event partitions: enough to go on from there.
 *
 * @param nextAnnouncement offset of the first one that may name slots at or behind the place
 * @param at the place itself: how many offsets are announced before it
 * @param partitions those that were announced before it
 */
public record OrderPlace(long nextAnnouncement, long at, List<Reached> partitions) {
  /**
   * How far the order has come in one event partition.
   *
   * @param partition its number
   * @param from where the open version begins in it; the same as {@code to} where none is open
   * @param to every offset below it lies before the place
   */
  public record Reached(int partition, long from, long to) {
    public Reached {
      if (partition < 0 || from < 0 || to < from) {
        throw new IllegalArgumentException(
            "partition " + partition + " cannot have been announced from " + from + " to " + to);
      }
    }
  }

  public OrderPlace {
    partitions = List.copyOf(partitions);
  }

  /** Before the first announcement. */
  public static OrderPlace beginning() {
    return new OrderPlace(0, 0, List.of());
  }
}
