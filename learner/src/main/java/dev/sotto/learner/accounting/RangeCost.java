package dev.sotto.learner.accounting;

import dev.sotto.learner.mechanism.Mechanism;
import dev.sotto.learner.participation.GenerationSchedule;
import dev.sotto.learner.range.RangeWindow;

/**
 * What the counts of a window cost beside the gradients of its rounds (docs/privacy.md, "Ranges of
 * numbers"). Counts and gradients are one Gaussian release. A unit that was first admitted in the
 * window is counted once, and its gradient of that slot is smaller: of the squared mu of its rounds
 * at least a share of that of one participation falls away, and that of the counts comes in. Of
 * several {@link Candidates}, each of which counts for itself, all costs are those of all of them.
 *
 * @param window of all candidates
 * @param noise of the gradients
 * @param generations in which an algorithm restarts
 */
public record RangeCost(RangeWindow window, AccountedNoise noise, GenerationSchedule generations) {
  private static final double ABOVE_ROUNDING = 1 + 1e-12;

  /**
   * The standard deviation of the noise of a count that costs a share of the squared mu of one
   * participation, or hardly less.
   *
   * @param numbers that are counted
   * @param share above 0
   * @param horizon rounds; {@link Long#MAX_VALUE} without an end
   */
  public static double sigma(
      AccountedNoise noise,
      GenerationSchedule generations,
      int numbers,
      double share,
      long horizon) {
    double once = noise.sensitivity() / noise.sigma() * column(noise, generations, horizon);
    return sensitivity(numbers, noise.adjacency()) / (once * Math.sqrt(share)) * ABOVE_ROUNDING;
  }

  /** What one slot moves of the counts over their noise; infinite without noise. */
  double mu() {
    return noise.candidates().factor()
        * sensitivity(window.numbers(), noise.adjacency())
        / window.sigma();
  }

  /** Counts are not negative: where one content takes another's place |a - b|^2 is at most 2 F. */
  static double sensitivity(int numbers, Adjacency adjacency) {
    return switch (adjacency) {
      case ZERO_OUT -> Math.sqrt(numbers);
      case REPLACE_ONE -> Math.sqrt(2.0 * numbers);
    };
  }

  /**
   * The smallest norm of a column of the window by some round, in units of s / sigma: that of the
   * first round where all columns are alike, and else what every column has in its own round.
   */
  private static double column(AccountedNoise noise, GenerationSchedule generations, long rounds) {
    Mechanism mechanism = noise.mechanism();
    boolean alike =
        mechanism.memory().isPresent() && generations.kind() == GenerationSchedule.Kind.NONE;
    if (!alike) {
      return mechanism.sensitivity(1);
    }
    return rounds == Long.MAX_VALUE ? mechanism.sensitivityLimit() : mechanism.sensitivity(rounds);
  }

  /** mu of one participation in the column that has least by some round. */
  private double once(long rounds) {
    double together = noise.sensitivity() * noise.candidates().factor();
    return together * column(noise, generations, rounds) / noise.sigma();
  }

  /**
   * mu of gradients and counts together.
   *
   * @param gradients mu of the rounds of a unit, as if no gradient was smaller
   * @param rounds by which it is
   */
  double joint(double gradients, long rounds) {
    double counts = mu();
    if (counts == Double.POSITIVE_INFINITY || gradients == Double.POSITIVE_INFINITY) {
      return Double.POSITIVE_INFINITY;
    }
    double once = once(rounds);
    double more = counts * counts - window.share() * once * once;
    return more <= 0 ? gradients : Math.nextUp(Math.sqrt(gradients * gradients + more));
  }

  /**
   * Refuses what the arithmetic above does not hold for: it needs columns with inner products that
   * are not negative, a window that lies in one generation, and counts that cost no more than what
   * falls away of one participation in the end.
   */
  void check() {
    Mechanism mechanism = noise.mechanism();
    boolean isVoid = mechanism.sensitivity(1) == Double.POSITIVE_INFINITY;
    boolean known = mechanism.ofPrefixes().isPresent() && mechanism.composes();
    if (!known && !isVoid) {
      throw new IllegalArgumentException("ranges of numbers are not measured with mechanism "
          + mechanism.name() + ", beside which the cost of their counts is not known");
    }
    if (window.allRounds() > generations.last(0)) {
      throw new IllegalArgumentException("the " + window.allRounds() + " rounds in which ranges of"
          + " numbers are measured must lie in the first generation, but generations are "
          + generations.describe());
    }
    double once = once(Long.MAX_VALUE);
    if (!isVoid && !(mu() * mu() <= window.share() * once * once)) {
      throw new IllegalArgumentException("the counts of ranges must cost at most a share of "
          + window.share() + " of mu^2 = " + once * once + " of one participation, but cost "
          + mu() * mu() + ": sigma must be larger than " + window.sigma());
    }
  }
}
