package dev.sotto.config.settings;

/**
 * What is publicly known of labels and weights of events.
 *
 * @param range the difference of the largest and the smallest label; infinite where nobody knows
 * @param largestWeight infinite where nobody knows
 */
public record LabelBounds(double range, double largestWeight) {
  /** Labels of any size; no weights are configured. */
  static final LabelBounds UNKNOWN = new LabelBounds(Double.POSITIVE_INFINITY, 1);
}
