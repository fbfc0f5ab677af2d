package dev.sotto.replay;

import dev.sotto.serdes.feature.FeatureMapText;
import dev.sotto.serdes.feature.LabelScale;

/**
 * Squared errors of predictions in the unit of the label's field (but for where that begins), and
 * those of the mean of all labels: exact figures of the data.
 */
final class SquaredErrors {
  private long count;
  private double squares;
  private double mean;
  private double around;

  /** How much 1 is in the unit of the label, of a feature map whose label has its range. */
  static double unit(String features) {
    return features.startsWith(FeatureMapText.VERSION_LINE)
        ? FeatureMapText.parse(features).labelScale().map(LabelScale::one).orElse(1.0)
        : 1;
  }

  /** Takes the next prediction and its label. */
  void add(double predicted, double label) {
    squares += (predicted - label) * (predicted - label);
    count++;
    double step = label - mean;
    mean += step / count;
    around += step * (label - mean);
  }

  /** The root of their mean; NaN where there are none. */
  double root() {
    return Math.sqrt(squares / count);
  }

  /** The same of the mean of all labels. */
  double rootOfMean() {
    return Math.sqrt(around / count);
  }
}
