package dev.sotto.serdes.feature;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.math.BigDecimal;

/** Text that is the same on every Java version: {@code Double.toString} changed with Java 19. */
public final class CanonicalText {
  private CanonicalText() {}

  /** The exact decimal expansion. */
  static String number(double value) {
    return Double.isFinite(value) ? new BigDecimal(value).toString() : String.valueOf(value);
  }

  /** A JSON string. */
  public static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
