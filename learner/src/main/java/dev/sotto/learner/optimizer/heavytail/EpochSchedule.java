package dev.sotto.learner.optimizer.heavytail;

import java.util.ArrayList;
import java.util.List;

/**
 * Epochs of doubling length for strongly convex losses (Section G.3): each is a
 * {@link LocalizedSchedule} over slots of its own, within a distance that shrinks.
 */
public final class EpochSchedule {
  private EpochSchedule() {}

  /** Slots of the epochs: of the last half of the slots, of the one before a quarter, and so on. */
  static List<Long> halves(long slots) {
    int count = count(slots);
    List<Long> epochs = new ArrayList<>();
    for (int j = count; j >= 1; j--) {
      epochs.add(Math.max(1, Long.highestOneBit(checked(slots)) >> j));
    }
    return epochs;
  }

  /** M = ceil(log2 log2 n). */
  private static int count(long slots) {
    double log = StrictMath.log(checked(slots)) / StrictMath.log(2);
    return Math.max(1, (int) Math.ceil(StrictMath.log(log) / StrictMath.log(2) - 1e-12));
  }

  private static long checked(long slots) {
    if (slots < 4) {
      throw new IllegalArgumentException("a block must have at least 4 slots, but had " + slots);
    }
    return slots;
  }

  /**
   * The schedules of the epochs of a block.
   *
   * @param convexity modulus of strong convexity, positive
   */
  public static List<LocalizedSchedule> of(
      BlockSize size, LocalMoments moments, double diameter, double convexity) {
    double distance = Math.min(diameter, 2 * moments.mean() / convexity);
    List<LocalizedSchedule> schedules = new ArrayList<>();
    for (long slots : halves(size.slots())) {
      LocalizedSchedule next = new LocalizedSchedule(size.of(slots), moments, distance);
      schedules.add(next);
      distance = Math.min(distance, Math.sqrt(2 * next.risk() / convexity));
    }
    return schedules;
  }
}
