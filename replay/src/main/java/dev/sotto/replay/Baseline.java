package dev.sotto.replay;

import dev.sotto.learner.loss.Loss;
import dev.sotto.learner.loss.Objective;
import dev.sotto.learner.loss.SingleScore;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/**
 * What predictions without any feature cost over the same labels: that of the base rate of the
 * labels before, and the best constant one, which is known in hindsight alone. Exact figures of the
 * data, like the losses that they stand beside.
 */
abstract class Baseline {
  /**
   * For a loss.
   *
   * @param isLogLoss whether a prediction is a probability, and its loss a negative logarithm
   */
  static Baseline of(Objective objective, boolean isLogLoss) {
    if (isLogLoss) {
      return objective.outputs() > 1 ? new Classes(objective.outputs()) : new Share();
    }
    return objective instanceof SingleScore single ? new Scores(single.loss()) : new None();
  }

  /** Takes the next label. */
  abstract void add(double label);

  /** The sum of the losses of the base rate, each before its label was known; NaN without one. */
  abstract double baseRateSum();

  /** The smallest mean loss of one prediction for all; NaN where it is not known. */
  abstract double bestConstant();

  /** Of a share of ones: half a one and half a zero come before the labels. */
  private static final class Share extends Baseline {
    private long count;
    private double ones;
    private double sum;

    @Override
    void add(double label) {
      double rate = (ones + 0.5) / (count + 1);
      sum -= label * Math.log(rate) + (1 - label) * Math.log(1 - rate);
      ones += label;
      count++;
    }

    @Override
    double baseRateSum() {
      return sum;
    }

    @Override
    double bestConstant() {
      double rate = ones / count;
      return 0 - (part(rate) + part(1 - rate)); // no zero with a sign
    }
  }

  /** Of several classes, of which each begins with an equal part of one label. */
  private static final class Classes extends Baseline {
    private final long[] counts;
    private long count;
    private double sum;

    Classes(int number) {
      counts = new long[number];
    }

    @Override
    void add(double label) {
      int its = (int) label;
      sum -= Math.log((counts[its] + 1.0 / counts.length) / (count + 1));
      counts[its]++;
      count++;
    }

    @Override
    double baseRateSum() {
      return sum;
    }

    @Override
    double bestConstant() {
      return 0
          - Arrays.stream(counts)
              .mapToDouble(each -> part((double) each / count))
              .sum();
    }
  }

  /**
   * Of a loss of one score, against the mean of the labels before. The best score is looked for
   * among those between all labels, as far as not too many differ.
   */
  private static final class Scores extends Baseline {
    private static final int MOST_LABELS = 1 << 17;
    private static final double LEAST_REACH = 64; // a score that is no label may lie so far out
    private static final int STEPS = 200;
    private static final double GOLDEN = (Math.sqrt(5) - 1) / 2;

    private final Loss loss;
    private Map<Double, Long> counts = new HashMap<>();
    private double low = -LEAST_REACH;
    private double high = LEAST_REACH;
    private long count;
    private double mean;
    private double sum;

    Scores(Loss loss) {
      this.loss = loss;
    }

    @Override
    void add(double label) {
      sum += loss.value(mean, label);
      count++;
      mean += (label - mean) / count;
      low = Math.min(low, label);
      high = Math.max(high, label);
      if (counts != null) {
        counts.merge(label, 1L, Long::sum);
        counts = counts.size() > MOST_LABELS ? null : counts;
      }
    }

    /** A mean of labels is a prediction where scores are in the label's unit. */
    @Override
    double baseRateSum() {
      return loss.predict(mean) == mean ? sum : Double.NaN;
    }

    @Override
    double bestConstant() {
      if (counts == null || count == 0) {
        return Double.NaN;
      }
      double from = low;
      double to = high;
      for (int i = 0; i < STEPS && to > from; i++) {
        double left = to - GOLDEN * (to - from);
        double right = from + GOLDEN * (to - from);
        if (meanAt(left) <= meanAt(right)) {
          to = right;
        } else {
          from = left;
        }
      }
      return meanAt((from + to) / 2);
    }

    private double meanAt(double score) {
      double all = 0;
      for (Map.Entry<Double, Long> each : counts.entrySet()) {
        all += each.getValue() * loss.value(score, each.getKey());
      }
      return all / count;
    }
  }

  /** Of losses that tell nothing of their labels. */
  private static final class None extends Baseline {
    @Override
    void add(double label) {}

    @Override
    double baseRateSum() {
      return Double.NaN;
    }

    @Override
    double bestConstant() {
      return Double.NaN;
    }
  }

  private static double part(double share) {
    return share > 0 ? share * Math.log(share) : 0;
  }
}
