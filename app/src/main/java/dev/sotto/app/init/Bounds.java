package dev.sotto.app.init;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Optional;

/** Two numbers of few digits, between which all numbers of a public sample lie. */
record Bounds(BigDecimal min, BigDecimal max) {
  private static final int[] STEPS = {1, 2, 5, 10};

  /**
   * Around the numbers of a field: few whole ones are taken as they are; empty where there is no
   * width, or one that is not finite.
   */
  static Optional<Bounds> of(ValueStatistics values) {
    boolean few = values.isWhole() && values.listed().isPresent() && values.min() < values.max();
    return few
        ? Optional.of(
            new Bounds(BigDecimal.valueOf(values.min()), BigDecimal.valueOf(values.max())))
        : around(values.min(), values.max());
  }

  /** Rounds outward to a step of 1, 2 or 5 of about a tenth of the width; empty without one. */
  static Optional<Bounds> around(double min, double max) {
    double tenth = (max - min) / 10;
    if (!(tenth > Double.MIN_NORMAL) || !Double.isFinite(max - min)) {
      return Optional.empty();
    }
    BigDecimal unit = BigDecimal.ONE.scaleByPowerOfTen((int) Math.floor(Math.log10(tenth)));
    BigDecimal step = unit;
    for (int each : STEPS) {
      step = unit.multiply(BigDecimal.valueOf(each));
      if (step.doubleValue() >= tenth) {
        break;
      }
    }
    Bounds bounds = new Bounds(
        rounded(min, step, RoundingMode.FLOOR), rounded(max, step, RoundingMode.CEILING));
    return Double.isFinite(bounds.min.doubleValue()) && Double.isFinite(bounds.max.doubleValue())
        ? Optional.of(bounds)
        : Optional.empty();
  }

  private static BigDecimal rounded(double value, BigDecimal step, RoundingMode mode) {
    return BigDecimal.valueOf(value).divide(step, 0, mode).multiply(step);
  }

  /** The lower bound as text. */
  String minText() {
    return text(min);
  }

  /** The upper bound as text. */
  String maxText() {
    return text(max);
  }

  private static String text(BigDecimal value) {
    BigDecimal plain = value.stripTrailingZeros();
    return Math.abs((long) plain.precision() - plain.scale()) > 15 || plain.scale() > 15
        ? plain.toString()
        : plain.toPlainString();
  }
}
