package dev.sotto.learner.settings;

import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Numbers as text, the same on every Java version: {@code Double.toString} changed with Java 19.
 */
public final class NumberText {
  private NumberText() {}

  /** The shortest decimal that reads back as the same double. */
  public static String shortest(double value) {
    if (!Double.isFinite(value)) {
      return value > 0 ? "inf" : String.valueOf(value);
    }
    BigDecimal exact = new BigDecimal(value);
    for (int digits = 1; digits < 17; digits++) {
      BigDecimal rounded = exact.round(new MathContext(digits));
      if (rounded.doubleValue() == value) {
        return written(rounded);
      }
    }
    return written(exact.round(new MathContext(17)));
  }

  private static String written(BigDecimal value) {
    double size = Math.abs(value.doubleValue());
    if (size != 0 && !(size >= 1e-4 && size < 1e15)) {
      return value.stripTrailingZeros().toString();
    }
    BigDecimal plain = value.stripTrailingZeros();
    return plain.scale() <= 0 ? plain.setScale(1).toPlainString() : plain.toPlainString();
  }

  /** A value of a setting as text. */
  public static String text(Object value) {
    return value instanceof Double number ? shortest(number) : String.valueOf(value);
  }
}
