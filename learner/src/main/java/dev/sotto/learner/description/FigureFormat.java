package dev.sotto.learner.description;

import java.math.BigDecimal;
import java.util.Locale;

/** How figures of a description are written for people. */
public final class FigureFormat {
  private static final int DIGITS = 5;
  private static final String[] UNITS = {"B", "KB", "MB", "GB", "TB", "PB"};

  private FigureFormat() {}

  /** Rounded up, without powers of ten where it is large. */
  public static String number(double value) {
    String shown = GuaranteeFigures.upShort(value, DIGITS);
    return shown.contains("E+") ? new BigDecimal(shown).toPlainString() : shown;
  }

  /** Bytes with three digits: {@code yours} where there is no number, since users set it. */
  public static String bytes(double bytes) {
    if (Double.isNaN(bytes)) {
      return "yours";
    }
    if (Double.isInfinite(bytes)) {
      return "no bound";
    }
    int unit = 0;
    double left = bytes;
    while (left >= 999.5 && unit < UNITS.length - 1) {
      left /= 1000;
      unit++;
    }
    return threeDigits(left) + " " + UNITS[unit];
  }

  /** Three digits, or all of a whole number. */
  public static String threeDigits(double value) {
    int decimals = value >= 99.95 || value == Math.rint(value) ? 0 : value >= 9.995 ? 1 : 2;
    return String.format(Locale.ROOT, "%." + decimals + "f", value);
  }

  /** A number of things, with its noun in the plural where there are several. */
  public static String counted(long count, String noun) {
    return String.format(Locale.ROOT, "%,d %s", count, count == 1 ? noun : noun + "s");
  }
}
