package dev.sotto.learner.monitoring;

import dev.sotto.learner.accounting.PrivateMetrics;
import dev.sotto.learner.training.NoisyMetrics;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/**
 * The mean loss over a window of private metrics, beside what one prediction for all would have
 * lost over the same examples. The latter is that of log-losses of two classes, each cut at the
 * bound of the metrics. To compute both costs nothing: the metrics are paid for.
 *
 * @param window one, or several together
 */
public record MeasuredLoss(NoisyMetrics window) {
  /**
   * A figure.
   *
   * @param value NaN where the noise leaves none
   * @param error the standard error that the noise gives it; it holds for small ones
   */
  public record Figure(double value, double error) {
    /** One that is not known. */
    public static final Figure NONE = new Figure(Double.NaN, Double.NaN);

    /**
     * By how many standard errors this figure is below another one, with noise of its own; not
     * finite where either is unknown, or both are exact.
     */
    public double deviationsBelow(Figure other) {
      return (other.value - value) / Math.hypot(error, other.error);
    }
  }

  /** The mean loss of an example. */
  public Figure mean() {
    return new Figure(window.meanLoss(), window.meanLossError());
  }

  /** The share of examples on the right side of 1/2. */
  public Figure accuracy() {
    return new Figure(window.accuracy(), window.accuracyError());
  }

  /** What the share of label 1 among these examples, known in hindsight, would have lost. */
  public Figure bestConstant() {
    double rate = rate();
    if (!(rate > 0 && rate < 1)) {
      return Figure.NONE;
    }
    double slope = slopeOfLabels(rate) + slopeOfPrediction(rate);
    double curve = rateError() / (rate * (1 - rate)) / Math.sqrt(2); // at 1/2 the slope is 0
    return new Figure(mean(rate), Math.hypot(slope, curve) * rateError());
  }

  /** What the share of label 1 in windows before these would have lost as a prediction. */
  public Figure baseRate(MeasuredLoss before) {
    double guess = before.rate();
    if (!(guess > 0 && guess < 1) || Double.isNaN(rate())) {
      return Figure.NONE;
    }
    return new Figure(
        mean(guess),
        Math.hypot(
            slopeOfLabels(guess) * rateError(), slopeOfPrediction(guess) * before.rateError()));
  }

  /** The mean loss of one prediction for all. */
  private double mean(double prediction) {
    return rate() * cut(prediction) + (1 - rate()) * cut(1 - prediction);
  }

  private double slopeOfLabels(double prediction) {
    return cut(prediction) - cut(1 - prediction);
  }

  private double slopeOfPrediction(double prediction) {
    double ones = cut(prediction) < window.lossBound() ? rate() / prediction : 0;
    double zeros = cut(1 - prediction) < window.lossBound() ? (1 - rate()) / (1 - prediction) : 0;
    return zeros - ones;
  }

  private double cut(double probability) {
    return Math.min(window.lossBound(), -StrictMath.log(probability));
  }

  private double labels(IntUnaryOperator place) {
    return IntStream.range(0, window.bins())
        .mapToDouble(bin -> window.sums()[place.applyAsInt(bin)])
        .sum();
  }

  /** The noisy number of labels of both classes. */
  private double labels() {
    return labels(PrivateMetrics::positives) + labels(PrivateMetrics::negatives);
  }

  /** The share of label 1; NaN where the noise leaves no labels. */
  private double rate() {
    return labels() > 0 ? labels(PrivateMetrics::positives) / labels() : Double.NaN;
  }

  private double rateError() {
    double noise = window.noiseStd() * Math.sqrt(window.bins()); // of the labels of either class
    return noise * Math.hypot(rate(), 1 - rate()) / labels();
  }
}
