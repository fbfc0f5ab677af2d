package dev.sotto.evaluation.audit.canary;

import java.util.Arrays;

/**
 * Guesses and how many of them are right, or would be on average, by groups of canaries that are
 * ranked together: the runs, or all canaries as one.
 *
 * @param canaries of each group
 * @param guesses in each group
 * @param right by group
 */
record GuessTally(int canaries, int guesses, double[] right) {
  boolean isOne() {
    return right.length == 1;
  }

  int allGuesses() {
    return guesses * right.length;
  }

  int allRight() {
    return (int) Arrays.stream(right).sum();
  }

  /** Guesses of which a number is right in all, equally many in each group. */
  GuessTally even(int allRight) {
    double[] even = new double[right.length];
    Arrays.fill(even, Math.min(guesses, (double) allRight / right.length));
    return new GuessTally(canaries, guesses, even);
  }

  /**
   * What chance leaves of averages: where groups are many, two standard errors less in all, and
   * what the logarithm of each loses by its spread.
   */
  GuessTally cautious() {
    if (isOne()) {
      return this;
    }
    double sum = Arrays.stream(right).sum();
    double share = sum / allGuesses();
    double error = Math.sqrt((1 - share) / (share * allGuesses()));
    double spread = (1 - share) / (2 * share * guesses);
    double less = Math.max(0, 1 - 2 * error) * StrictMath.exp(-spread);
    return new GuessTally(
        canaries, guesses, Arrays.stream(right).map(each -> less * each).toArray());
  }
}
