package dev.sotto.learner.range;

import java.util.Optional;

/**
 * How ranges are measured: over three stages of a public number of rounds from the first one on.
 * Gradients of these rounds are multiplied by sqrt(1 - share), after they are cut, so that the
 * counts of a slot and its gradient together cost what a gradient costs behind the window
 * (docs/privacy.md, "Ranges of numbers"). Where the label is one of the numbers, nothing can be
 * learned before its range is known: the share is 1, and gradients of these rounds are 0.
 *
 * @param numbers how many are measured: a slot adds 1 to one bin of each at most
 * @param rounds of a stage, at least 1
 * @param sigma standard deviation of the noise of a count; 0 where there is none, of public data
 * @param share of the squared mu of one participation that the counts may take, 0 to 1
 */
public record RangeWindow(int numbers, long rounds, double sigma, double share) {
  public RangeWindow {
    if (numbers < 1 || rounds < 1 || rounds > Long.MAX_VALUE / RangeStage.values().length) {
      throw new IllegalArgumentException("a window must have at least one number and one round, but"
          + " had " + numbers + " and " + rounds);
    }
    if (!(sigma >= 0) || sigma == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("sigma must be finite and at least 0, but was " + sigma);
    }
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException(
          "share must be at least 0 and at most 1, but was " + share);
    }
  }

  /**
   * A window in which the numbers of either are measured, of models whose participations cost the
   * same: where the counts of either cost its share at most, so do they in this one.
   */
  public RangeWindow covering(RangeWindow other) {
    return new RangeWindow(
        Math.max(numbers, other.numbers),
        Math.max(rounds, other.rounds),
        Math.max(sigma, other.sigma),
        Math.max(share, other.share));
  }

  /** Rounds of all stages together: before their end nothing is published. */
  public long allRounds() {
    return rounds * RangeStage.values().length;
  }

  /** The stage of a round; empty behind the window. */
  public Optional<RangeStage> stage(long round) {
    return round > allRounds()
        ? Optional.empty()
        : Optional.of(RangeStage.values()[(int) ((round - 1) / rounds)]);
  }

  /** Whether a stage ends with a round. */
  public boolean endsStage(long round) {
    return round <= allRounds() && round % rounds == 0;
  }

  /** The factor of a round's gradients behind the cut. */
  public double factor(long round) {
    return round > allRounds() ? 1 : gradientFactor();
  }

  /** The factor of the gradients inside of the window. */
  public double gradientFactor() {
    return Math.sqrt(1 - share);
  }

  /** In one line, the same for equal windows. */
  public String describe() {
    return "numbers=" + numbers + " rounds=" + rounds + " sigma=" + Double.toHexString(sigma)
        + " share=" + Double.toHexString(share);
  }

  /**
   * The window of a line that {@link #describe()} gave; empty of an empty one.
   *
   * @throws IllegalArgumentException for any other line
   */
  public static Optional<RangeWindow> parse(String line) {
    if (line.isEmpty()) {
      return Optional.empty();
    }
    String[] words = line.split("[ =]");
    RangeWindow window;
    try {
      window = new RangeWindow(
          Integer.parseInt(words[1]),
          Long.parseLong(words[3]),
          Double.parseDouble(words[5]),
          Double.parseDouble(words[7]));
    } catch (ArrayIndexOutOfBoundsException cut) {
      throw new IllegalArgumentException("a window of ranges is cut off: " + line, cut);
    }
    if (!window.describe().equals(line)) {
      throw new IllegalArgumentException("not a window of ranges: " + line);
    }
    return Optional.of(window);
  }
}
