package dev.sotto.learner.description;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/**
 * Figures of a guarantee as texts that err on the safe side: costs and limits are rounded
 * {@linkplain #up up}, what is left and the noise {@linkplain #down down}, so that no text promises
 * more than the figure behind it.
 */
public final class GuaranteeFigures {
  private GuaranteeFigures() {}

  /**
   * The smallest number at or above the value with {@code digits} decimals.
   *
   * @param value anything; what is not finite is shown as {@code inf}, {@code -inf} or {@code NaN}
   */
  public static String up(double value, int digits) {
    return fixed(value, digits, RoundingMode.CEILING);
  }

  /** The largest number at or below the value with {@code digits} decimals. */
  public static String down(double value, int digits) {
    return fixed(value, digits, RoundingMode.FLOOR);
  }

  /** The smallest number at or above the value with {@code digits} significant digits. */
  public static String upShort(double value, int digits) {
    return significant(value, digits, RoundingMode.CEILING);
  }

  /** The largest number at or below the value with {@code digits} significant digits. */
  public static String downShort(double value, int digits) {
    return significant(value, digits, RoundingMode.FLOOR);
  }

  private static String fixed(double value, int digits, RoundingMode mode) {
    return Double.isFinite(value)
        ? decimal(value).setScale(digits, mode).toPlainString()
        : infinite(value);
  }

  private static String significant(double value, int digits, RoundingMode mode) {
    return Double.isFinite(value)
        ? decimal(value)
            .round(new MathContext(digits, mode))
            .stripTrailingZeros()
            .toString()
        : infinite(value);
  }

  /** The decimal that names this double, also in JSON: 0.1 is not 0.1000000000000000055. */
  private static BigDecimal decimal(double value) {
    return BigDecimal.valueOf(value);
  }

  private static String infinite(double value) {
    return Double.isNaN(value) ? "NaN" : value > 0 ? "inf" : "-inf";
  }
}
