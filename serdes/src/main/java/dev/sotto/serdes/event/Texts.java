package dev.sotto.serdes.event;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import java.math.BigDecimal;

/** Text that is the same on every Java version: {@code Double.toString} changed with Java 19. */
final class Texts {
  private Texts() {}

  /** The exact decimal expansion. */
  static String number(double value) {
    return Double.isFinite(value) ? new BigDecimal(value).toString() : String.valueOf(value);
  }

  /** A JSON string. */
  static String quoted(String text) {
    return '"' + new String(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
