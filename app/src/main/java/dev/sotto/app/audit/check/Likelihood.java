package dev.sotto.app.audit.check;

import dev.sotto.app.audit.stat.Normal;

/** The least probable of several findings, with the number of findings that were looked at. */
final class Likelihood {
  private double least = 1;
  private long count;

  /** Takes in the probability of a finding where all is as claimed. */
  void add(double probability) {
    least = Math.min(least, probability);
    count++;
  }

  /** Takes in a value that is standard normal where all is as claimed, and counts on either side. */
  void addNormal(double value) {
    add(Double.isNaN(value) ? 0 : Math.min(1, 2 * Normal.upper(Math.abs(value))));
  }

  /** How likely so improbable a finding is among so many, at most (Bonferroni). */
  double overall() {
    return count == 0 ? 1 : Math.min(1, least * count);
  }

  long count() {
    return count;
  }

  /**
   * How strongly two series go together: standard normal where the second is white and knows nothing of the first,
   * whatever the first is, since a fixed combination of independent normal variables is normal.
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
