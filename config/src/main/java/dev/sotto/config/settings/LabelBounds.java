package dev.sotto.config.settings;

/**
 * What is publicly known of labels and weights of events.
 *
 * @param range the difference of the largest and the smallest label; infinite where nobody knows
 * @param measured whether their range is measured, and they are learned in units of it
 * @param largestWeight infinite where nobody knows
 */
public record LabelBounds(double range, boolean measured, double largestWeight) {
  /** Labels of any size; no weights are configured. */
  static final LabelBounds UNKNOWN = new LabelBounds(Double.POSITIVE_INFINITY, false, 1);
}
