package dev.sotto.learner.optimizer.heavytail;

import java.util.ArrayList;
import java.util.List;

/**
 * Epochs of doubling length for strongly convex losses (Section G.3): each is a
 * {@link LocalizedSchedule} over slots of its own, within a distance that shrinks.
 */
public final class EpochSchedule {
  private EpochSchedule() {}

  /**
   * The printed epochs: {@code 2^(j - 2) n / log2 n} slots, rounded down to a power of two. They
   * use about half of the slots.
   */
  public static List<Long> printed(long slots) {
    double log = StrictMath.log(checked(slots)) / StrictMath.log(2);
    List<Long> epochs = new ArrayList<>();
    for (int j = 1; j <= count(slots); j++) {
      epochs.add(Long.highestOneBit(Math.max(1, (long) (StrictMath.pow(2, j - 2) * slots / log))));
    }
    return epochs;
  }

  /** As many epochs, the last with half of the slots, the one before with a quarter, and so on. */
  public static List<Long> halves(long slots) {
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
   * The schedules of epochs.
   *
   * @param epochs slots of each
   * @param convexity modulus of strong convexity, positive
   */
  public static List<LocalizedSchedule> of(
      BlockSize size, List<Long> epochs, LocalMoments moments, double diameter, double convexity) {
    double distance = Math.min(diameter, 2 * moments.mean() / convexity);
    List<LocalizedSchedule> schedules = new ArrayList<>();
    for (long slots : epochs) {
      LocalizedSchedule next = new LocalizedSchedule(size.of(slots), moments, distance);
      schedules.add(next);
      distance = Math.min(distance, Math.sqrt(2 * next.risk() / convexity));
    }
    return schedules;
  }
}
