package dev.sotto.learner.accounting;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.range.RangeWindow;

/**
 * What the counts of a window cost beside the gradients of its rounds (docs/privacy.md, "Ranges of
 * numbers"). Counts and gradients are one Gaussian release. A unit that was first admitted in the
 * window is counted once, and its gradient of that slot is smaller: of the squared mu of its rounds
 * at least a share of that of one participation falls away, and that of the counts comes in.
 */
record RangeCost(RangeWindow window, Adjacency adjacency) {
  /** What one slot moves of the counts over their noise; infinite without noise. */
  double mu() {
    return sensitivity(window.numbers(), adjacency) / window.sigma();
  }

  /** Counts are not negative: where one content takes another's place |a - b|^2 is at most 2 F. */
  static double sensitivity(int numbers, Adjacency adjacency) {
    return switch (adjacency) {
      case ZERO_OUT -> Math.sqrt(numbers);
      case REPLACE_ONE -> Math.sqrt(2.0 * numbers);
    };
  }

  /**
   * mu of gradients and counts together.
   *
   * @param gradients mu of the rounds of a unit, as if no gradient was smaller
   * @param once mu of one participation in the first of these rounds
   */
  double joint(double gradients, double once) {
    double counts = mu();
    if (counts == Double.POSITIVE_INFINITY || gradients == Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    double more = counts * counts - window.share() * once * once;
    return more <= 0 ? gradients : Math.nextUp(Math.sqrt(gradients * gradients + more));
  }

  /**
   * Refuses what the arithmetic above does not hold for: it needs columns that do not depend on
   * their round, with inner products that are not negative, and counts that cost no more than what
   * falls away of one participation in the end.
   *
   * @param ratio s / sigma of one participation
   */
  void check(Mechanism mechanism, GenerationSchedule generations, double ratio) {
    boolean isVoid = mechanism.sensitivity(1) == Double.POSITIVE_INFINITY;
    boolean known = mechanism.ofPrefixes().isPresent() && mechanism.memory().isPresent();
    if (!known && !isVoid) {
      throw new IllegalArgumentException("ranges of numbers are not measured with mechanism "
          + mechanism.name() + ", beside which the cost of their counts is not known");
    }
    if (generations.kind() != GenerationSchedule.Kind.NONE) {
      throw new IllegalArgumentException(
          "ranges of numbers are not measured with generations " + generations.describe());
    }
    double once = ratio * mechanism.sensitivityLimit();
    if (!isVoid && !(mu() * mu() <= window.share() * once * once)) {
      throw new IllegalArgumentException("the counts of ranges must cost at most a share of "
          + window.share() + " of mu^2 = " + once * once + " of one participation, but cost "
          + mu() * mu() + ": sigma must be larger than " + window.sigma());
    }
  }
}
