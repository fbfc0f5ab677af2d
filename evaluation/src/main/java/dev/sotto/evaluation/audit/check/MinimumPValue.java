package dev.sotto.evaluation.audit.check;

import dev.sotto.evaluation.audit.statistics.TailProbability;

/** The smallest of several p-values, with their number. */
public final class MinimumPValue {
  private double least = 1;
  private long count;

  /** Adds a p-value. */
  public void add(double pValue) {
    least = Math.min(least, pValue);
    count++;
  }

  /** Adds the two-sided p-value of a figure that is standard normal where all is as claimed. */
  void addNormal(double value) {
    add(Double.isNaN(value) ? 0 : Math.min(1, 2 * TailProbability.normal(Math.abs(value))));
  }

  /** The p-value of the smallest one among all (Bonferroni). */
  public double overall() {
    return count == 0 ? 1 : Math.min(1, least * count);
  }

  long count() {
    return count;
  }

  /**
   * The correlation of two series: standard normal where the second is white and independent of the
   * first, since a fixed combination of independent normal variables is normal.
   */
  static final class Correlation {
    private double products;
    private double squares;

    void add(double first, double second) {
      products += first * second;
      squares += first * first;
    }

    double value() {
      return products / Math.sqrt(squares);
    }
  }
}
