package dev.sotto.learner.participation;

import dev.sotto.learner.participation.WorstSchedule.Alike;
import java.util.ArrayList;
import java.util.List;

/**
 * A bound from above on what any split of many participations can cost, by Lagrange's dual: for
 * every price p of a participation, {@code p k + sum over generations of max_a (f(a) - p a)} is
 * one, and the smallest is taken.
 *
 * <p>Where a generation has room for too many a to try them all, those between two that are tried
 * count as the larger by their cost and as the smaller by their price.
 */
final class SplitBound {
  private static final int SINGLE = 1024; // tried one by one
  private static final int STEPS = 128; // then in steps of 1/128

  private final long most;
  private final List<Choices> limited = new ArrayList<>();
  private double least; // no price below it is a bound, since some generations have no end
  private double highest;

  /**
   * What one of a number of generations may be asked for: at least {@code taken[i]} at a value of
   * {@code value[i]}.
   */
  private record Choices(long copies, double[] taken, double[] value) {
    double gain(double price) {
      double best = 0;
      for (int i = 0; i < taken.length; i++) {
        best = Math.max(best, value[i] - price * taken[i]);
      }
      return best;
    }

    double highestPrice() {
      double highest = 0;
      for (int i = 0; i < taken.length; i++) {
        highest = Math.max(highest, value[i] / taken[i]);
      }
      return highest;
    }
  }

  SplitBound(List<Alike> alike, long most, long separation, SquaredSensitivity f) {
    this.most = most;
    for (Alike these : alike) {
      Choices choices = choices(these, separation, f);
      highest = Math.max(highest, choices.highestPrice());
      if (these.copies() == Long.MAX_VALUE) {
        least = Math.max(least, choices.highestPrice());
      } else {
        limited.add(choices);
      }
    }
  }

  private Choices choices(Alike these, long separation, SquaredSensitivity f) {
    long room = these.room(new ContributionBound(most, separation));
    long[] ends = steps(room);
    double[] taken = new double[ends.length];
    double[] value = new double[ends.length];
    long before = 0;
    for (int i = 0; i < ends.length; i++) {
      taken[i] = before + 1;
      value[i] =
          WorstSchedule.checked(f, these.rounds(), new ContributionBound(ends[i], separation));
      before = ends[i];
    }
    return new Choices(these.copies(), taken, value);
  }

  /** From 1 to the room: the same steps for every room, so that bounds grow with it. */
  private static long[] steps(long room) {
    List<Long> ends = new ArrayList<>();
    for (long end = 1; end < room; end += 1 + (end < SINGLE ? 0 : end / STEPS)) {
      ends.add(end);
    }
    ends.add(room);
    return ends.stream().mapToLong(Long::longValue).toArray();
  }

  /** The bound. */
  double value() {
    if (highest == Double.POSITIVE_INFINITY) {
      return highest;
    }
    double low = least;
    double high = highest;
    double value = Math.min(at(low), at(high));
    for (int i = 0; i < 200; i++) { // convex in the price
      double left = low + (high - low) / 3;
      double right = high - (high - low) / 3;
      double atLeft = at(left);
      double atRight = at(right);
      value = Math.min(value, Math.min(atLeft, atRight));
      if (atLeft < atRight) {
        high = right;
      } else {
        low = left;
      }
    }
    return value * (1 + 0x1p-40); // far above the rounding of all sums
  }

  private double at(double price) {
    double value = price * most;
    for (Choices each : limited) {
      value += each.copies() * each.gain(price);
    }
    return value;
  }
}
